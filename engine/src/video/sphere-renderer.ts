import { HalfSphere, halfSphereSide } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import { BLACK, blacken, frameBytes, NO_COLOUR, type PlanePlace, planesOf } from './planes.ts';
import { type Drawing, FRAMES_AT_ONCE, type VideoRenderer } from './renderer.ts';

/** Puts both eyes that another renderer draws side by side on half spheres (VR180). */
export class SphereRenderer implements VideoRenderer {
  readonly size: Size;
  readonly #flat: VideoRenderer;
  /** For each plane. */
  readonly #spheres: readonly HalfSphere[];
  readonly #slots: readonly Uint8Array[];
  #turn = 0;

  /** @param flat draws 4:2:0, and outlives this one no longer */
  constructor(flat: VideoRenderer) {
    this.#flat = flat;
    const eye = { width: flat.size.width / 2, height: flat.size.height };
    const side = halfSphereSide(eye);
    this.size = { width: 2 * side, height: side };
    const half = new HalfSphere({ width: eye.width / 2, height: eye.height / 2 }, side / 2, 1);
    this.#spheres = [new HalfSphere(eye, side, 1), half, half];
    this.#slots = Array.from({ length: FRAMES_AT_ONCE }, () => {
      const slot = new Uint8Array(frameBytes('yuv420', this.size));
      blacken(slot, 'yuv420', this.size);
      return slot;
    });
  }

  get input(): VideoRenderer['input'] {
    return this.#flat.input;
  }

  get comfort(): VideoRenderer['comfort'] {
    return this.#flat.comfort;
  }

  get depthSource(): VideoRenderer['depthSource'] {
    return this.#flat.depthSource;
  }

  async begin(planes: readonly Uint8Array[], seconds: number): Promise<Drawing> {
    const slot = this.#slots[this.#turn++ % FRAMES_AT_ONCE] as Uint8Array;
    const { rendered: flat } = await this.#flat.begin(planes, seconds);
    const rendered = flat.then((data) => this.#draw(data, slot));
    // The caller awaits this but may have failed before; avoids an unhandled rejection.
    rendered.catch(() => {});
    return { rendered };
  }

  save(): Uint8Array {
    return this.#flat.save();
  }

  close(): Promise<void> {
    return this.#flat.close();
  }

  #draw(data: Uint8Array, slot: Uint8Array): Uint8Array {
    const flat = planesOf('yuv420', this.#flat.size);
    for (const [i, to] of planesOf('yuv420', this.size).entries()) {
      const from = flat[i] as PlanePlace;
      for (const eye of [0, 0.5]) {
        (this.#spheres[i] as HalfSphere).draw(
          { data, at: from.at + eye * from.width, stride: from.width },
          { data: slot, at: to.at + eye * to.width, stride: to.width },
          i === 0 ? BLACK : NO_COLOUR,
        );
      }
    }
    return slot;
  }
}
