import type { FrameFile, FrameOptions, FramePlaylist, PlaylistItem } from '@framelift/contract';
import type { Downloads } from './downloads.ts';
import { createPlayOrder } from './play-order.ts';
import type { Problem, Report } from './report.ts';
import { filesOf, sourceOf } from './sources.ts';
import type { Slide, Stage } from './stage.ts';
import { isAsleep } from './zone-time.ts';

/** What is on the screen. */
export interface Scene {
  /** `empty`: nothing to play; `loading`: no item is on this device yet; `broken`: none can be shown. */
  readonly kind: 'playing' | 'empty' | 'loading' | 'broken' | 'asleep';
  readonly item: PlaylistItem | null;
  readonly paused: boolean;
  /** Sound of videos: off, on, or on as soon as somebody touches the screen. */
  readonly sound: 'off' | 'on' | 'blocked';
}

export interface Player {
  /** Replaces what is played, and how. */
  setPlaylist(playlist: FramePlaylist): void;
  /** Called after files have arrived or gone. */
  filesChanged(): void;
  /** Called after the GPU was lost: everything on it has to be prepared again. */
  rebuild(): void;
  /** Skips what cannot be drawn. */
  drawingFailed(error: unknown): void;
  next(): void;
  previous(): void;
  togglePause(): void;
  /** Switches the sound of videos on this frame, until its owner changes the option. A touch allows sound. */
  toggleSound(): void;
  /** Called after a touch, which allows sound. */
  touched(): void;
  stop(): void;
}

export interface PlayerParts {
  readonly stage: Stage;
  readonly downloads: Downloads;
  readonly report: Report;
  /** Called with every change of what is on the screen. */
  readonly show: (scene: Scene) => void;
  /** @returns 0 … 1 (exclusive) */
  readonly random: () => number;
}

/** A picture that could not be shown is tried again after so long. */
const BROKEN_MS = 10 * 60_000;
/** A video whose picture stands still for so long is skipped. */
const STALLED_MS = 12_000;
/** Interval at which time of day and progress of a video are looked at. */
const TICK_MS = 1000;
/** The next item is decoded so long after a change, when the transition is over. */
const PREPARE_MS = 1500;

/** Plays a playlist: one item after the other, the next one decoded before it is needed. */
export function createPlayer({ stage, downloads, report, show, random }: PlayerParts): Player {
  const order = createPlayOrder(random);
  let playlist: FramePlaylist | null = null;
  let items = new Map<string, PlaylistItem>();
  let current: Slide | null = null;
  /** The next item, decoded or being decoded. */
  let prepared: { readonly key: string; readonly id: string; readonly slide: Promise<Slide | null> } | null = null;
  /** Items that could not be shown, and until when they are left out. */
  const broken = new Map<string, number>();
  let shownAt = 0;
  let paused = false;
  let asleep = false;
  /** Switched on the frame itself; null follows the option. */
  let ownSound: boolean | null = null;
  let mayPlaySound = true;
  let progress = { seconds: -1, at: 0 };
  let turning = false;
  /** A turn that was asked for while one was under way. */
  let wanted: 'next' | 'previous' | 'same' | null = null;
  let stopped = false;

  const options = (): FrameOptions | undefined => playlist?.options;
  const wantsSound = () => ownSound ?? options()?.sound ?? false;

  /** Changes with everything that a decoded item was made from. */
  const keyOf = (item: PlaylistItem): string => {
    const o = options();
    const source = o && sourceOf(item, o, stage.hasDepth);
    const files = source ? filesOf(source).map(({ sha256 }) => sha256) : [];
    return [item.id, o?.mode, o?.strength, item.effect, item.convergence, item.budget, item.fit, ...files].join(' ');
  };
  const filesFor = (item: PlaylistItem): FrameFile[] | null => {
    const o = options();
    const source = o && sourceOf(item, o, stage.hasDepth);
    return source ? filesOf(source) : null;
  };
  const isHere = (item: PlaylistItem) => filesFor(item)?.every(({ sha256 }) => downloads.has(sha256)) ?? false;
  const isBroken = (item: PlaylistItem) => (broken.get(keyOf(item)) ?? 0) > Date.now();
  const isPlayable = (id: string) => {
    const item = items.get(id);
    return item !== undefined && isHere(item) && !isBroken(item);
  };

  function tell(): void {
    const everyIsBroken = items.size > 0 && [...items.values()].every((item) => !filesFor(item) || isBroken(item));
    const kind = asleep
      ? 'asleep'
      : current
        ? 'playing'
        : items.size === 0
          ? 'empty'
          : everyIsBroken
            ? 'broken'
            : 'loading';
    const sound = !wantsSound() ? 'off' : mayPlaySound ? 'on' : 'blocked';
    show({ kind, item: current?.item ?? null, paused, sound });
  }

  /** Tells the downloads what is needed: what is shown, what follows, and then the rest in order. */
  function wantFiles(): void {
    const ids = [...(current ? [current.item.id] : []), ...order.upcoming(items.size)];
    const files = ids.flatMap((id) => {
      const item = items.get(id);
      return (item && filesFor(item)) ?? [];
    });
    downloads.want(files);
  }

  function fail(item: PlaylistItem, code: Problem['code'], error: unknown): void {
    broken.set(keyOf(item), Date.now() + BROKEN_MS);
    report.problem(item.id, code, error);
  }

  const read = async (file: FrameFile) => {
    const blob = await downloads.read(file.sha256);
    // The browser has cleared its storage.
    if (!blob) throw new Error('The file is no longer on this device');
    return blob;
  };

  /** @returns null if the item cannot be decoded, which is reported */
  async function prepare(item: PlaylistItem): Promise<Slide | null> {
    if (prepared?.key === keyOf(item)) {
      const { slide } = prepared;
      prepared = null;
      return slide;
    }
    try {
      return await stage.prepare(item, read);
    } catch (error) {
      fail(item, 'notDecoded', error);
      return null;
    }
  }

  function prepareNext(): void {
    if (stopped || asleep || prepared) return;
    const id = order.upcoming(items.size).find(isPlayable);
    const item = id === undefined ? undefined : items.get(id);
    if (!item || item.id === current?.item.id) return;
    const made = { key: keyOf(item), id: item.id, slide: prepare(item) };
    prepared = made;
    void made.slide.then((slide) => {
      if (slide || prepared !== made) return;
      // It cannot be shown: the one after it is next.
      prepared = null;
      prepareNext();
    });
  }

  function dropPrepared(): void {
    void prepared?.slide.then((slide) => slide?.dispose());
    prepared = null;
  }

  /** Finds the item to turn to. The order is left at that item. */
  function choose(direction: 'next' | 'previous' | 'same'): PlaylistItem | null {
    if (direction === 'same' && current && isPlayable(current.item.id)) return items.get(current.item.id) ?? null;
    for (let left = items.size; left > 0; left--) {
      const id = direction === 'previous' ? order.previous() : order.next();
      if (id === null) return null;
      if (isPlayable(id)) return items.get(id) ?? null;
    }
    return null;
  }

  function turn(direction: 'next' | 'previous' | 'same'): void {
    if (stopped) return;
    if (turning) {
      wanted = direction;
      return;
    }
    turning = true;
    void change(direction).finally(() => {
      turning = false;
      const again = wanted;
      wanted = null;
      if (again) turn(again);
    });
  }

  async function change(direction: 'next' | 'previous' | 'same'): Promise<void> {
    if (asleep) return tell();
    for (let left = items.size; left > 0; left--) {
      const item = choose(direction);
      if (!item) break;
      const old = current;
      // A single picture stays; a single video begins again.
      if (old && direction !== 'same' && keyOf(old.item) === keyOf(item)) {
        shownAt = Date.now();
        progress = { seconds: -1, at: Date.now() };
        if (old.isVideo && !paused) await play(old);
        return tell();
      }
      const slide = await prepare(item);
      if (stopped) return slide?.dispose();
      if (!slide) continue;
      if (!items.has(item.id) || asleep) {
        slide.dispose();
        if (asleep) return tell();
        continue;
      }
      await present(slide);
      return;
    }
    // Nothing else can be shown: what is on the screen stays if it is still wanted.
    if (current && (!items.has(current.item.id) || isBroken(current.item))) leave();
    shownAt = Date.now();
    tell();
  }

  async function present(slide: Slide): Promise<void> {
    const old = current;
    current = slide;
    shownAt = Date.now();
    progress = { seconds: -1, at: Date.now() };
    report.showing(slide.item.id);
    if (slide.isVideo && !paused) await play(slide);
    tell();
    wantFiles();
    await stage.show(slide, old ? (options()?.transition ?? 'none') : 'none');
    old?.dispose();
    setTimeout(prepareNext, PREPARE_MS);
  }

  async function play(slide: Slide): Promise<void> {
    try {
      const hasSound = await slide.start(wantsSound());
      mayPlaySound = hasSound || !wantsSound();
    } catch (error) {
      if (slide === current) skip(slide, 'notDecoded', error);
    }
  }

  function skip(slide: Slide, code: Problem['code'], error: unknown): void {
    fail(slide.item, code, error);
    turn('next');
  }

  /** Takes everything off the screen. */
  function leave(): void {
    stage.clear();
    current?.dispose();
    dropPrepared();
    current = null;
    report.showing(null);
  }

  function tick(): void {
    const o = options();
    if (!o || stopped) return;
    const shouldSleep = isAsleep(o.sleep, o.timeZone, new Date());
    if (shouldSleep !== asleep) {
      asleep = shouldSleep;
      if (asleep) {
        leave();
        tell();
      } else turn('next');
      return;
    }
    if (asleep || paused || turning || document.visibilityState === 'hidden') return;
    if (!current) {
      if ([...items.keys()].some(isPlayable)) turn('next');
      return;
    }
    if (!current.isVideo) {
      if (Date.now() - shownAt >= o.intervalSeconds * 1000) turn('next');
      return;
    }
    const seconds = current.playedSeconds();
    if (current.hasEnded()) turn('next');
    else if (seconds !== progress.seconds) progress = { seconds, at: Date.now() };
    else if (Date.now() - progress.at >= STALLED_MS) skip(current, 'stalled', `stands still at ${seconds} s`);
  }
  const ticking = setInterval(tick, TICK_MS);

  return {
    setPlaylist(next) {
      const before = playlist?.options;
      if (playlist && playlist.version !== next.version) {
        report.forget();
        broken.clear();
      }
      playlist = next;
      items = new Map(next.items.map((item) => [item.id, item]));
      if (before?.sound !== next.options.sound) ownSound = null;
      stage.setLook({ options: next.options, calibration: next.calibration });
      order.set([...items.keys()], next.options.shuffle);
      const following = prepared && items.get(prepared.id);
      if (prepared && (!following || keyOf(following) !== prepared.key)) dropPrepared();
      wantFiles();
      tick();
      const item = current && items.get(current.item.id);
      if (current && !item) {
        // What is being decoded may take long.
        if (turning) leave();
        turn('next');
      } else if (current && item && hasChanged(current.item, item, before)) turn('same');
      tell();
    },
    filesChanged() {
      report.complete(downloads.isComplete() ? (playlist?.version ?? null) : null);
      if (!current && !turning) tick();
      if (!current) tell();
    },
    rebuild() {
      dropPrepared();
      turn(current ? 'same' : 'next');
    },
    drawingFailed(error) {
      if (current) skip(current, 'other', error);
    },
    next: () => turn('next'),
    previous: () => turn('previous'),
    togglePause() {
      paused = !paused;
      if (paused) current?.pause();
      else if (current?.isVideo) void play(current);
      shownAt = Date.now();
      progress = { ...progress, at: Date.now() };
      tell();
    },
    toggleSound() {
      ownSound = !(wantsSound() && mayPlaySound);
      mayPlaySound = true;
      if (current?.isVideo && !paused) void play(current).then(tell);
      tell();
    },
    touched() {
      if (mayPlaySound) return;
      mayPlaySound = true;
      if (current?.isVideo && !paused) void play(current).then(tell);
    },
    stop() {
      stopped = true;
      clearInterval(ticking);
      leave();
    },
  };

  /** True if what is on the screen was made from something else. */
  function hasChanged(old: PlaylistItem, item: PlaylistItem, before: FrameOptions | undefined): boolean {
    const o = options();
    const isRedrawn = before?.mode !== o?.mode || before?.strength !== o?.strength;
    return isRedrawn || keyOf(old) !== keyOf(item);
  }
}
