import type { FramePlaylist } from '@framelift/contract';
import type { FrameApi } from '../api.ts';
import type { Texts } from '../texts.ts';
import type { WakeLock } from '../wake-lock.ts';
import { type Controls, createControls } from './controls.ts';
import { createDownloads, type Downloads } from './downloads.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { createPlayer, type Player, type Scene } from './player.ts';
import { followPlaylist } from './playlist-feed.ts';
import { createReport, type Report } from './report.ts';
import { createStage } from './stage.ts';
import { reloadRarely, watchStage } from './watchdog.ts';
import { clockText } from './zone-time.ts';

/** What the page says while no picture is on the screen. */
export interface Idle {
  readonly kind: 'loading' | 'empty' | 'broken';
  /** Pictures whose files the server is making. */
  readonly waiting: number;
}

/** The show of a paired frame. */
export interface Show {
  readonly report: Report;
  /** Called when the network may be back. */
  wake(): void;
  /** Says something over the picture while the buttons are shown. */
  say(text: string): void;
  /** Ends it. Afterwards `wipe` removes all files from this device. */
  stop(): void;
  wipe(): Promise<void>;
}

export interface ShowParts {
  readonly api: FrameApi;
  readonly token: string;
  readonly texts: Texts;
  readonly language: string;
  readonly wakeLock: WakeLock;
  readonly unpaired: () => void;
  /** Called if somebody in front of the frame wants to unpair it. */
  readonly askToLeave: () => void;
  /** Called when the next heartbeat is wanted at once. */
  readonly news: () => void;
  /** Called with what the page says instead of a picture; null while one is shown. */
  readonly idle: (idle: Idle | null) => void;
}

const CLOCK_MS = 1000;
/** News are gathered for so long before a heartbeat tells them. */
const NEWS_MS = 3000;

export function startShow(parts: ShowParts): Show {
  const { api, token, texts, language, wakeLock } = parts;
  const store: FileStore = createFileStore();
  const report = createReport(() => new Date().toISOString(), tellSoon);
  const element = document.createElement('section');
  element.className = 'player';
  element.hidden = true;
  element.setAttribute('aria-label', texts.player);
  const host = document.createElement('div');
  host.className = 'player-stage';
  const dim = document.createElement('div');
  dim.className = 'player-dim';
  const clock = document.createElement('time');
  clock.className = 'player-clock';
  element.append(host, dim, clock);
  document.body.append(element);

  let telling: ReturnType<typeof setTimeout> | undefined;
  let playlist: FramePlaylist | null = null;
  let player: Player | null = null;
  let controls: Controls | null = null;
  let scene: Scene | null = null;
  let said = '';
  let endWatch = () => {};
  let renewed = '';

  const downloads: Downloads = createDownloads({
    store,
    changed: () => player?.filesChanged(),
    failed(file, failure, detail) {
      const item = playlist?.items.find(({ files }) => Object.values(files).some((one) => one?.sha256 === file.sha256));
      report.problem(
        failure === 'full' ? null : (item?.id ?? null),
        failure === 'full' ? 'storageFull' : 'notLoaded',
        detail,
      );
      // Links end with time, and where a picture was replaced: once a playlist.
      if (failure === 'gone' && playlist && renewed !== playlist.expires_at) {
        renewed = playlist.expires_at;
        feed.refresh();
      }
    },
  });

  function tellSoon(): void {
    telling ??= setTimeout(() => {
      telling = undefined;
      parts.news();
    }, NEWS_MS);
  }

  /** Made with the first item: a frame without pictures needs no GPU. */
  function makePlayer(): Player {
    const stage = createStage({
      host,
      rebuilt: () => player?.rebuild(),
      broken: (error) => player?.drawingFailed(error),
      isPlain: (error) => report.problem(null, 'noWebGl', error),
    });
    endWatch = watchStage(stage, () => {
      report.problem(scene?.item?.id ?? null, 'stalled', 'nothing was drawn');
      reloadRarely(
        () => localStorage,
        Date.now(),
        () => location.reload(),
      );
    });
    const made = createPlayer({ stage, downloads, report, show: showScene, random: Math.random });
    controls = createControls(element, texts, {
      previous: made.previous,
      togglePause: made.togglePause,
      next: made.next,
      toggleSound: made.toggleSound,
      touched: made.touched,
      leave: parts.askToLeave,
    });
    controls.say(said);
    return made;
  }

  function showScene(next: Scene): void {
    scene = next;
    const isShown = next.kind === 'playing' || next.kind === 'asleep';
    element.hidden = !isShown;
    element.dataset['scene'] = next.kind;
    document.body.classList.toggle('is-playing', isShown);
    controls?.update(next);
    wakeLock.want(next.kind !== 'asleep');
    parts.idle(
      next.kind === 'playing' || next.kind === 'asleep' ? null : { kind: next.kind, waiting: playlist?.waiting ?? 0 },
    );
    tellTime();
  }

  function tellTime(): void {
    const options = playlist?.options;
    clock.hidden = !options?.clock || scene?.kind !== 'playing';
    if (!options || clock.hidden) return;
    const text = clockText(options.timeZone, language, new Date());
    if (clock.textContent !== text) clock.textContent = text;
  }
  const ticking = setInterval(tellTime, CLOCK_MS);

  const feed = followPlaylist({
    api,
    token,
    store,
    unpaired: parts.unpaired,
    changed(next) {
      playlist = next;
      dim.style.opacity = String(1 - next.options.brightness);
      if (!player && next.items.length > 0) player = makePlayer();
      if (player) player.setPlaylist(next);
      else {
        report.complete(next.version);
        parts.idle({ kind: 'empty', waiting: next.waiting });
      }
    },
  });
  // Asks the browser not to clear the files when the device is full.
  void navigator.storage?.persist?.().catch(() => false);

  return {
    report,
    wake() {
      feed.refresh();
      downloads.retry();
    },
    say(text) {
      said = text;
      controls?.say(text);
    },
    stop() {
      clearInterval(ticking);
      clearTimeout(telling);
      endWatch();
      feed.stop();
      downloads.stop();
      player?.stop();
      element.hidden = true;
      element.remove();
      document.body.classList.remove('is-playing');
      wakeLock.want(true);
    },
    wipe: () => store.wipe(),
  };
}
