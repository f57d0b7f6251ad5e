import { DepthPainter, type PaintGuide, type Stroke } from '@framelift/engine/edit';
import type { DepthImage } from '@framelift/engine/webgl';

/** Number of undo steps kept as depth maps; older ones are repainted from the start. */
const KEPT = 6;

/**
 * Strokes painted over the depth map of a preview: each can be undone and redone until they are saved. The result
 * equals what the server computes from the same strokes.
 */
export class DepthSketch {
  readonly #painter: DepthPainter;
  readonly #size: { readonly width: number; readonly height: number };
  /**
   * Depth maps by number of strokes: one for each undo step that is still kept; the one without strokes is always kept.
   */
  readonly #depths = new Map<number, Float32Array>();
  #done: Stroke[] = [];
  #undone: Stroke[] = [];

  constructor(depth: DepthImage, guide: PaintGuide) {
    this.#size = { width: depth.width, height: depth.height };
    this.#painter = new DepthPainter(guide, this.#size);
    this.#depths.set(
      0,
      Float32Array.from(depth.data, (value) => value / 255),
    );
  }

  get strokes(): readonly Stroke[] {
    return this.#done;
  }
  get canRedo(): boolean {
    return this.#undone.length > 0;
  }
  /** Total number of points of all strokes. */
  get points(): number {
    return this.#done.reduce((sum, { points }) => sum + points.length, 0);
  }

  /** Returns the depth map with one more stroke, which is still being drawn. */
  preview(stroke: Stroke): DepthImage {
    const depth = this.#now().slice();
    this.#painter.paint(depth, stroke);
    return this.#image(depth);
  }

  add(stroke: Stroke): void {
    const depth = this.#now().slice();
    this.#painter.paint(depth, stroke);
    this.#done = [...this.#done, stroke];
    this.#undone = [];
    this.#keep(depth);
  }

  undo(): void {
    const last = this.#done.at(-1);
    if (!last) return;
    this.#depths.delete(this.#done.length);
    this.#done = this.#done.slice(0, -1);
    this.#undone = [...this.#undone, last];
  }

  redo(): void {
    const next = this.#undone.at(-1);
    if (!next) return;
    const rest = this.#undone.slice(0, -1);
    this.add(next);
    this.#undone = rest;
  }

  image(): DepthImage {
    return this.#image(this.#now());
  }

  #now(): Float32Array {
    const count = this.#done.length;
    const known = this.#depths.get(count);
    if (known) return known;
    const depth = (this.#depths.get(0) as Float32Array).slice();
    for (const stroke of this.#done) this.#painter.paint(depth, stroke);
    this.#keep(depth);
    return depth;
  }

  #keep(depth: Float32Array): void {
    const count = this.#done.length;
    this.#depths.set(count, depth);
    for (const older of this.#depths.keys()) if (older > 0 && older <= count - KEPT) this.#depths.delete(older);
  }

  #image(depth: Float32Array): DepthImage {
    const data = new Uint8Array(depth.length);
    for (let i = 0; i < data.length; i++) data[i] = Math.round((depth[i] as number) * 255);
    return { data, ...this.#size };
  }
}

/** Largest number of points in one stroke; a longer line continues as another stroke. */
export const MOST_POINTS = 200;
/** Least distance of two points, as a fraction of the brush size; closer points are dropped. */
const APART = 0.25;

/**
 * Returns a point in fractions of the crop, as the contract requires: clamped to the crop, with four decimal places.
 */
export const pointOf = (u: number, v: number): [number, number] => [rounded(u), rounded(v)];

/** Returns the line with one more point; the same line if the point is too close to add anything. */
export function extended(
  points: readonly (readonly [number, number])[],
  point: readonly [number, number],
  radius: number,
): readonly (readonly [number, number])[] {
  const last = points.at(-1);
  if (last && Math.hypot(point[0] - last[0], point[1] - last[1]) < APART * radius) return points;
  return [...points, point];
}

const rounded = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000;
