import { findOverlays, type Overlay, shareOfOverlays } from '../../depth/overlays.ts';
import type { Picture, Size } from '../../types.ts';
import type { VideoDepth } from './video-depth.ts';

/** Long side at which overlays are looked for, and seconds between two looks; a cut is always looked at. */
const SIDE = 480;
const INTERVAL = 0.5;
/** Time constant in seconds with which letters move into the plane of the display, and out of it. */
const EASE_SECONDS = 0.1;
/** Shares below this are none. */
const LEAST = 0.01;

/** Lays the subtitles and logos of a video into the plane of the display. */
export class VideoOverlays {
  readonly #size: Size;
  #overlays: readonly Overlay[] = [];
  /** Share of the plane in the depth of each cell: as wanted, and as shown. Null where nothing was found yet. */
  #wanted: Float32Array | null = null;
  #shown: Float32Array | null = null;
  #looked = Number.NEGATIVE_INFINITY;
  #seconds = 0;

  /** @param view size of the frames */
  constructor({ width, height }: Size) {
    const scale = Math.min(1, SIDE / Math.max(width, height));
    this.#size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  }

  save(): unknown {
    return { overlays: this.#overlays, shown: this.#shown, looked: this.#looked, seconds: this.#seconds };
  }

  restore(state: unknown): void {
    const { overlays, shown, looked, seconds } = state as {
      overlays: readonly Overlay[];
      shown: Float32Array | null;
      looked: number;
      seconds: number;
    };
    this.#overlays = overlays;
    this.#shown = shown;
    this.#looked = looked;
    this.#seconds = seconds;
  }

  /**
   * Advances to the next frame and changes its depth.
   * @param scaled returns the frame at a given size
   * @param plane depth in the plane of the display
   */
  next(scaled: (size: Size) => Picture, video: VideoDepth, seconds: number, plane: number): void {
    if (video.cut || seconds - this.#looked >= INTERVAL) {
      this.#looked = seconds;
      this.#overlays = findOverlays(scaled(this.#size));
      this.#wanted = null;
    }
    this.#wanted ??= shareOfOverlays(this.#overlays, video.grid);
    const step = Math.max(0, seconds - this.#seconds);
    this.#seconds = seconds;
    if (this.#shown === null || video.cut) this.#shown = this.#wanted.slice();
    const towards = 1 - Math.exp(-step / EASE_SECONDS);
    for (let i = 0; i < this.#shown.length; i++) {
      const share = (this.#shown[i] as number) + ((this.#wanted[i] as number) - (this.#shown[i] as number)) * towards;
      this.#shown[i] = share;
      if (share > LEAST) video.depth[i] = (video.depth[i] as number) + (plane - (video.depth[i] as number)) * share;
    }
  }
}
