import type { FrameFile, FrameOptions, PlaylistItem } from '@framelift/contract';
import { parseCalibration } from '@framelift/engine/formats';
import {
  advance,
  createDisplay,
  type DepthMode,
  type Display,
  decodePixels,
  type Footage,
  isMoving,
  type LoadedParts,
  type Look,
  type ParallaxOf,
  type Pixels,
  parallaxOf,
  partsOf,
  positionOfPointer,
  positionOfTilt,
  restAt,
  type Shot,
  setTarget,
} from '@framelift/engine/webgl';
import { createPlainDisplay } from './plain-display.ts';
import { type Source, sourceOf } from './sources.ts';

/** Options and calibration with which items are drawn. */
export interface StageLook {
  readonly options: FrameOptions;
  readonly calibration: string | null;
}

/** An item that is decoded and can be shown at once. */
export interface Slide {
  readonly item: PlaylistItem;
  readonly isVideo: boolean;
  /**
   * Starts a video.
   * @returns whether it plays with sound; browsers allow that only after a touch
   */
  start(withSound: boolean): Promise<boolean>;
  pause(): void;
  /** Seconds that were played; stands still if the video does. */
  playedSeconds(): number;
  hasEnded(): boolean;
  dispose(): void;
}

export interface Stage {
  /** False if this browser draws pictures flat only. */
  readonly hasDepth: boolean;
  /** Sets how items are drawn from now on; items that are shown adapt as far as they can. */
  setLook(look: StageLook): void;
  /**
   * Decodes an item.
   * @throws if it cannot be decoded
   */
  prepare(item: PlaylistItem, read: (file: FrameFile) => Promise<Blob>): Promise<Slide>;
  /** Shows an item instead of the present one. Resolves when the transition has ended. */
  show(slide: Slide, transition: FrameOptions['transition']): Promise<void>;
  /** Shows nothing. */
  clear(): void;
  /** Time at which something was last drawn without an error, and whether something should have been drawn since. */
  health(): { readonly drawnAt: number; readonly isDue: boolean };
}

interface OwnSlide extends Slide {
  readonly footage: Footage;
  readonly video: HTMLVideoElement | null;
  readonly parallax: ParallaxOf;
}

const TRANSITION_MS = 1200;
/** Larger canvases cost much and show nothing more; a panel with lenses gets each of its pixels. */
const LARGEST_SIDE_PX = 4096;
/** Longest time in which a file is decoded. */
const DECODE_MS = 30_000;
/** How long the browser may take to give a lost drawing context back. */
const RESTORE_MS = 5000;
/** Side of a quilt that is drawn here, in pixels; all devices can have a texture of this size. */
const QUILT_SIDE_PX = 4096;

const DEPTH_MODE: Readonly<Record<FrameOptions['mode'], DepthMode>> = {
  flat: 'parallax',
  parallax: 'parallax',
  sbs: 'sideBySide',
  hsbs: 'sideBySide',
  tb: 'sideBySide',
  htb: 'sideBySide',
  anaglyph: 'anaglyph',
  quilt: 'quilt',
  native: 'quilt',
};

export interface StageParts {
  readonly host: HTMLElement;
  /** Called when the GPU was lost and everything on it has to be prepared again. */
  readonly rebuilt: () => void;
  /** Called with an error while drawing. */
  readonly broken: (error: unknown) => void;
  /** Called once if the browser draws flat only. */
  readonly isPlain: (error: unknown) => void;
}

export function createStage({ host, rebuilt, broken, isPlain }: StageParts): Stage {
  let canvas = document.createElement('canvas');
  let display: Display;
  let hasDepth = false;
  let look: StageLook | null = null;
  let drawn: Look = { mode: 'flat' };
  let showing: OwnSlide | null = null;
  let arriving: { slide: OwnSlide; from: number; slides: boolean; done: () => void } | null = null;
  let motion = restAt(performance.now());
  let frame = 0;
  let drawnAt = performance.now();
  let screen = { width: 1, height: 1 };
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');

  function build(): void {
    canvas.remove();
    canvas = document.createElement('canvas');
    host.prepend(canvas);
    canvas.addEventListener('webglcontextlost', onLost);
    try {
      const made = createDisplay(canvas);
      if (!made) throw new Error('WebGL 2 is missing');
      display = made;
      hasDepth = true;
    } catch (error) {
      // A canvas with a broken context of one kind cannot get another.
      const other = document.createElement('canvas');
      canvas.replaceWith(other);
      canvas = other;
      display = createPlainDisplay(canvas);
      hasDepth = false;
      isPlain(error);
    }
  }

  function onLost(event: Event): void {
    event.preventDefault();
    const lost = event.target as HTMLCanvasElement;
    const recover = () => {
      clearTimeout(patience);
      lost.removeEventListener('webglcontextrestored', recover);
      if (lost !== canvas) return;
      cancelAnimationFrame(frame);
      frame = 0;
      for (const slide of [showing, arriving?.slide]) slide?.dispose();
      arriving?.done();
      showing = null;
      arriving = null;
      build();
      rebuilt();
    };
    lost.addEventListener('webglcontextrestored', recover);
    const patience = setTimeout(recover, RESTORE_MS);
  }

  const sways = () => look?.options.mode === 'parallax' && !reducedMotion.matches;
  const isPlaying = ({ video }: OwnSlide) => video !== null && !video.paused;
  const schedule = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const shotOf = (slide: OwnSlide): Shot => ({
    footage: slide.footage,
    fit: slide.item.fit ?? look?.options.fit ?? 'fit',
    position: motion.position,
    parallax: slide.parallax,
  });

  function fitCanvas(): void {
    const quilt = drawn.mode === 'quilt' ? showing?.footage.quilt && showing.footage.packedSize() : null;
    const scale = drawn.mode === 'native' ? 1 : Math.min(1, LARGEST_SIDE_PX / Math.max(screen.width, screen.height));
    // Software of the display takes a quilt at its own size, whatever the size of the window.
    const wanted = quilt ?? { width: Math.round(screen.width * scale), height: Math.round(screen.height * scale) };
    if (canvas.width === wanted.width && canvas.height === wanted.height) return;
    canvas.width = wanted.width;
    canvas.height = wanted.height;
  }

  function draw(now: number): void {
    frame = 0;
    try {
      if (showing) drawAll(now, showing);
      drawnAt = now;
    } catch (error) {
      broken(error);
    }
  }

  function drawAll(now: number, current: OwnSlide): void {
    const swaying = sways();
    motion = advance(motion, now, swaying);
    fitCanvas();
    if (arriving) {
      const progress = Math.min(1, Math.max(0, (now - arriving.from) / TRANSITION_MS));
      const eased = progress * progress * (3 - 2 * progress);
      const transition = { to: shotOf(arriving.slide), slides: arriving.slides, progress: eased };
      display.draw(shotOf(current), drawn, transition);
      if (progress === 1) {
        const { slide, done } = arriving;
        arriving = null;
        showing = slide;
        done();
      }
      schedule();
    } else {
      display.draw(shotOf(current), drawn);
      if (isMoving(motion, swaying)) schedule();
      else if (current.video && isPlaying(current)) onNextFrame(current.video, schedule);
    }
  }

  build();
  watchSize(host, (size) => {
    screen = size;
    schedule();
  });
  const aim = (position: number) => {
    motion = setTarget(motion, position, performance.now());
    if (look?.options.mode === 'parallax') schedule();
  };
  host.addEventListener('pointermove', (event) => aim(positionOfPointer(event.clientX, host.clientWidth)));
  window.addEventListener('deviceorientation', ({ gamma, beta }) => {
    // A frame in a stand does not tilt: small noise of its sensor must not stop the sway.
    if (gamma === null || beta === null) return;
    const position = positionOfTilt(gamma, beta, window.screen.orientation?.angle ?? 0);
    if (Math.abs(position - motion.wanted) > 0.08) aim(position);
  });

  return {
    get hasDepth() {
      return hasDepth;
    },
    setLook(next) {
      const calibration = next.calibration === look?.calibration ? drawn.calibration : calibrationOf(next.calibration);
      look = next;
      drawn = { mode: next.options.mode, calibration };
      schedule();
    },
    async prepare(item, read) {
      if (!look) throw new Error('There are no options yet');
      const { options } = look;
      const source = sourceOf(item, options, hasDepth);
      if (!source) throw new Error('There is no file of it');
      const own = display;
      const opened = await inTime(open(own, item, source, options, read, schedule));
      if (own !== display) {
        opened.dispose();
        throw new Error('The drawing context was lost');
      }
      return opened;
    },
    show(slide, transition) {
      const next = slide as OwnSlide;
      arriving?.done();
      if (arriving) showing = arriving.slide;
      arriving = null;
      if (!showing || transition === 'none' || showing === next) {
        showing = next;
        schedule();
        return Promise.resolve();
      }
      return new Promise((done) => {
        const slides = transition === 'slide' && !reducedMotion.matches;
        arriving = { slide: next, from: performance.now(), slides, done };
        schedule();
      });
    },
    clear() {
      arriving?.done();
      arriving = null;
      showing = null;
    },
    health: () => ({ drawnAt, isDue: frame !== 0 }),
  };
}

/** Calls back when the video has another picture; browsers without that call are asked at every frame. */
function onNextFrame(video: HTMLVideoElement, act: () => void): void {
  if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(act);
  else act();
}

/** Reports the size of an element in physical pixels; of one that is not shown yet, the size of the window. */
function watchSize(host: HTMLElement, sized: (size: { width: number; height: number }) => void): void {
  const measure = () => {
    const ratio = window.devicePixelRatio || 1;
    sized({
      width: Math.max(1, Math.round((host.clientWidth || window.innerWidth) * ratio)),
      height: Math.max(1, Math.round((host.clientHeight || window.innerHeight) * ratio)),
    });
  };
  const observer = new ResizeObserver((entries) => {
    // Exact where the browser knows it: at odd zoom levels rounding is off by one.
    const box = entries[entries.length - 1]?.devicePixelContentBoxSize?.[0];
    if (box && box.inlineSize > 0) sized({ width: box.inlineSize, height: box.blockSize });
    else measure();
  });
  try {
    observer.observe(host, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(host);
  }
  measure();
}

/** Returns the longer side of the device's screen in physical pixels; a window may become as large, and turn. */
const longestSide = () =>
  Math.max(window.screen.width, window.screen.height, window.innerWidth, window.innerHeight) *
  (window.devicePixelRatio || 1);

/** Returns null for a calibration that this version does not understand: the picture is then shown flat. */
function calibrationOf(text: string | null) {
  try {
    return text === null ? undefined : parseCalibration(text);
  } catch {
    return undefined;
  }
}

async function open(
  display: Display,
  item: PlaylistItem,
  source: Source,
  options: FrameOptions,
  read: (file: FrameFile) => Promise<Blob>,
  redraw: () => void,
): Promise<OwnSlide> {
  const parallax: ParallaxOf = (scene) =>
    parallaxOf(
      DEPTH_MODE[options.mode],
      item.effect * options.strength,
      scene.size,
      item.convergence ?? scene.convergence(),
      item.budget,
    );
  if (source.kind === 'packed' && item.kind === 'video') {
    const url = URL.createObjectURL(await read(source.file));
    const video = document.createElement('video');
    const release = () => {
      video.pause();
      // Frees the decoder at once; some televisions have only one.
      video.removeAttribute('src');
      video.load();
      URL.revokeObjectURL(url);
    };
    try {
      await loaded(video, url);
      const footage = display.open(video, source.packing);
      return slideOf(item, footage, parallax, video, release, redraw);
    } catch (error) {
      release();
      throw error;
    }
  }
  if (source.kind === 'packed') {
    const limit = source.packing.kind === 'whole' ? longestSide() : null;
    const pixels = await decoded(await read(source.file), limit, display.largestSide);
    return slideOf(item, display.open(pixels, source.packing), parallax, null, () => {}, redraw);
  }
  const { colour, depth, behind } = source;
  const parts: LoadedParts = await partsOf({
    colour: await read(colour),
    depth: await read(depth),
    background: await read(behind?.background ?? colour),
    backgroundDepth: await read(behind?.backgroundDepth ?? depth),
  });
  let footage = display.openDepth(parts);
  parts.colour.close();
  parts.background.close();
  const { quilt } = item;
  if (quilt && (options.mode === 'native' || options.mode === 'quilt')) {
    const tile = tileFor(quilt, Math.min(QUILT_SIDE_PX, display.largestSide));
    footage = display.addQuilt(footage, { kind: 'quilt', ...quilt }, tile, parallax);
  }
  return slideOf(item, footage, parallax, null, () => {}, redraw);
}

/** Returns the size of the tiles of a quilt that is drawn here. */
function tileFor({ columns, rows, aspect }: NonNullable<PlaylistItem['quilt']>, side: number) {
  const height = Math.floor(Math.min(side / rows, side / columns / aspect));
  return { width: Math.round(height * aspect), height };
}

function slideOf(
  item: PlaylistItem,
  footage: Footage,
  parallax: ParallaxOf,
  video: HTMLVideoElement | null,
  release: () => void,
  redraw: () => void,
): OwnSlide {
  let isDisposed = false;
  return {
    item,
    isVideo: video !== null,
    footage,
    video,
    parallax,
    async start(withSound) {
      if (!video) return false;
      video.muted = !withSound;
      try {
        await video.play();
      } catch (error) {
        if (!withSound || (error as DOMException).name !== 'NotAllowedError') throw error;
        video.muted = true;
        await video.play();
      }
      redraw();
      return !video.muted;
    },
    pause: () => video?.pause(),
    playedSeconds: () => video?.currentTime ?? 0,
    hasEnded: () => video?.ended ?? false,
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      footage.dispose();
      release();
    },
  };
}

function loaded(video: HTMLVideoElement, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.addEventListener('loadeddata', () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error(video.error?.message || 'The video cannot be decoded')), {
      once: true,
    });
    video.src = url;
    video.load();
  });
}

/**
 * Decodes a picture, at most as large as the screen and the GPU need it.
 * @param limit longer side of the screen for pictures of one view; null keeps every pixel that a texture can have
 */
async function decoded(blob: Blob, limit: number | null, largestSide: number): Promise<Pixels> {
  if (!('createImageBitmap' in window)) return drawnPicture(blob, largestSide);
  const whole = await decodePixels(blob);
  const { width, height } = whole;
  // A picture that fills the screen is cut on one side.
  const needed = limit === null ? 1 : (1.25 * limit) / Math.min(width, height);
  const scale = Math.min(needed, largestSide / Math.max(width, height));
  if (scale >= 1) return whole;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const options = { resizeWidth: size.width, resizeHeight: size.height, resizeQuality: 'high' } as const;
  try {
    // Firefox before 98 has no options for it.
    return await createImageBitmap(whole, options).catch(() => drawnOn(whole, size));
  } finally {
    whole.close();
  }
}

/** For browsers that decode pictures only in elements. */
async function drawnPicture(blob: Blob, largestSide: number): Promise<HTMLCanvasElement> {
  const picture = new Image();
  picture.src = URL.createObjectURL(blob);
  try {
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    const scale = Math.min(1, largestSide / Math.max(width, height));
    return drawnOn(picture, { width: Math.round(width * scale), height: Math.round(height * scale) });
  } finally {
    URL.revokeObjectURL(picture.src);
  }
}

function drawnOn(picture: CanvasImageSource, { width, height }: { width: number; height: number }): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  return canvas;
}

/** @throws if it takes too long; what arrives later is disposed */
function inTime(opening: Promise<OwnSlide>): Promise<OwnSlide> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const patience = setTimeout(() => {
      isLate = true;
      reject(new Error('Decoding takes too long'));
    }, DECODE_MS);
    opening.then(
      (slide) => {
        clearTimeout(patience);
        if (isLate) slide.dispose();
        else resolve(slide);
      },
      (error: unknown) => {
        clearTimeout(patience);
        reject(error);
      },
    );
  });
}
