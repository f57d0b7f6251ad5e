import { fillBackground } from '../../depth/layers/background.ts';
import type { Size } from '../../types.ts';
import type { VideoDepth } from './video-depth.ts';

/** Low-resolution picture of the background behind near objects. */
export interface BackgroundGrid extends Size {
  /** Three samples per pixel, in the pixel layout of the renderer. */
  readonly colour: Uint8Array;
  /** 0 far … 1 near. */
  readonly depth: Float32Array;
}

/** Time constant in seconds with which the filled background follows new fill values. */
const FILL_SECONDS = 0.25;
/** Depth by which a cell may be in front of the background and still be part of it. */
const SAME_DEPTH = 0.15;

/**
 * Background behind the near objects of a video, at the resolution of its depth. Filled for each frame and blended with
 * the previous background, which is moved along with the far parts of the picture: areas that the camera saw before an
 * object covered them are kept, and synthesised areas do not flicker.
 */
export class VideoBackground {
  readonly grid: BackgroundGrid;
  /** Largest shift of a near object in grid pixels, per unit of depth. */
  readonly #reach: number;
  #seconds = 0;

  /** @param farthest shift per unit of depth, as a share of the width */
  constructor({ width, height }: Size, farthest: number) {
    this.grid = { width, height, colour: new Uint8Array(3 * width * height), depth: new Float32Array(width * height) };
    this.#reach = Math.max(1e-3, farthest * width);
  }

  save(): unknown {
    return {
      colour: Uint8Array.from(this.grid.colour),
      depth: Float32Array.from(this.grid.depth),
      seconds: this.#seconds,
    };
  }

  restore(state: unknown): void {
    const { colour, depth, seconds } = state as { colour: Uint8Array; depth: Float32Array; seconds: number };
    this.grid.colour.set(colour);
    this.grid.depth.set(depth);
    this.#seconds = seconds;
  }

  /** @param colour three samples per pixel of the frame at the resolution of its depth */
  next(colour: Uint8Array, video: VideoDepth, seconds: number): void {
    const { width, height } = this.grid;
    const filled = fillBackground(colour, video.depth, this.grid, this.#reach);
    if (!video.cut) {
      const share = 1 - Math.exp(-Math.max(0, seconds - this.#seconds) / FILL_SECONDS);
      const [moveX, moveY] = farMotion(video);
      for (let y = 0, i = 0; y < height; y++) {
        const row = Math.min(height - 1, Math.max(0, y + moveY)) * width;
        for (let x = 0; x < width; x++, i++) {
          if (filled.depth[i] === video.depth[i]) continue;
          const from = row + Math.min(width - 1, Math.max(0, x + moveX));
          if ((this.grid.depth[from] as number) > (filled.depth[i] as number) + SAME_DEPTH) continue;
          for (let c = 0; c < 3; c++) {
            const before = this.grid.colour[3 * from + c] as number;
            filled.colour[3 * i + c] = before + ((filled.colour[3 * i + c] as number) - before) * share + 0.5;
          }
        }
      }
    }
    this.grid.colour.set(filled.colour);
    this.grid.depth.set(filled.depth);
    this.#seconds = seconds;
  }
}

/** Returns the mean motion of the far half of the picture, in whole cells. */
function farMotion(video: VideoDepth): readonly [number, number] {
  const { width, height } = video.grid;
  let x = 0;
  let y = 0;
  let count = 0;
  for (let row = 2; row < height; row += 4) {
    for (let column = 2; column < width; column += 4) {
      if ((video.depth[row * width + column] as number) > video.convergence) continue;
      const [dx, dy] = video.motionAt(column, row);
      x += dx;
      y += dy;
      count++;
    }
  }
  return count === 0 ? [0, 0] : [Math.round(x / count), Math.round(y / count)];
}
