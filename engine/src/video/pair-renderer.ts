import { createPool, type Pool } from '../render/pool.ts';
import type { Size } from '../types.ts';
import { blacken, frameBytes, type PlanePlace, planesOf } from './planes.ts';
import { type Drawing, FRAMES_AT_ONCE, type VideoRenderer, type VideoRendererOptions } from './renderer.ts';
import { type VideoLayout, videoLayout } from './renderer-layout.ts';

/** Memory of one frame in progress, shared with the threads. */
interface Slot {
  readonly packed: Uint8Array;
  readonly merged: Uint8Array | null;
}

/**
 * Places the two photographed eyes of a video as a format has its pair. Nothing is estimated and nothing drawn: every
 * pixel is a photographed one, and what the photographer put into the plane of the display stays there.
 */
export class PairRenderer implements VideoRenderer {
  readonly input: VideoRenderer['input'];
  readonly size: Size;
  readonly comfort = null;
  readonly depthSource = 'embedded';
  readonly #layout: VideoLayout;
  readonly #method: NonNullable<VideoRendererOptions['anaglyph']>;
  readonly #pool: Pool;
  readonly #slots: readonly Slot[];
  #turn = 0;

  constructor({ format, device, input, swapEyes, anaglyph = 'dubois', threads }: VideoRendererOptions) {
    this.#layout = videoLayout(format, device, input, swapEyes);
    this.#method = anaglyph;
    const { view, width, height } = this.#layout;
    const isAnaglyph = format === 'anaglyph';
    const pixels = isAnaglyph ? 'gbr' : 'yuv420';
    this.input = { size: view, pixels, both: true };
    this.size = isAnaglyph ? view : { width, height };
    this.#pool = createPool(threads);
    this.#slots = Array.from({ length: FRAMES_AT_ONCE }, () => {
      const packed = shared(frameBytes(pixels, this.#layout));
      blacken(packed, pixels, this.#layout);
      return { packed, merged: isAnaglyph ? shared(frameBytes(pixels, view)) : null };
    });
  }

  async begin(planes: readonly Uint8Array[]): Promise<Drawing> {
    const slot = this.#slots[this.#turn++ % FRAMES_AT_ONCE] as Slot;
    this.#place(planes, slot.packed);
    const rendered = this.#merge(slot);
    // The caller awaits this but may have failed before; avoids an unhandled rejection.
    rendered.catch(() => {});
    return { rendered };
  }

  save(): Uint8Array {
    return new Uint8Array();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #place(planes: readonly Uint8Array[], packed: Uint8Array): void {
    const { view, cells } = this.#layout;
    const { pixels } = this.input;
    const places = planesOf(pixels, this.#layout);
    for (const [i, { width, height }] of planesOf(pixels, view).entries()) {
      const plane = planes[i] as Uint8Array;
      const { at, width: stride } = places[i] as PlanePlace;
      const coarseness = view.width / width;
      for (const { position, x, y } of cells) {
        const eye = position < 0 ? 0 : width * height;
        const corner = at + (y / coarseness) * stride + x / coarseness;
        for (let row = 0; row < height; row++) {
          const from = eye + row * width;
          packed.set(plane.subarray(from, from + width), corner + row * stride);
        }
      }
    }
  }

  async #merge({ packed, merged }: Slot): Promise<Uint8Array> {
    if (!merged) return packed;
    const { width, height } = this.#layout.view;
    const task = { kind: 'anaglyph', method: this.#method, pair: packed, width, planeRows: height, merged } as const;
    await this.#pool.run(task, height, { sharesPerThread: 1 });
    return merged;
  }
}

function shared(bytes: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(bytes));
}
