import { type Address, instantiate, type KernelMemory } from '../../render/wasm.ts';

/** Brightness, one byte per pixel. */
export interface GreyPicture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Exports of match.as; addresses are byte offsets in its memory. */
interface MatchModule {
  readonly memory: KernelMemory;
  readonly left: Address;
  readonly right: Address;
  readonly disparity: Address;
  allocate(width: number, height: number, count: number): void;
  prepare(): void;
  misfit(first: number, rows: number): number;
  match(first: number, rows: number): number;
}

/** Disparity search range: `count` whole pixels starting at `first`. */
export interface Range {
  readonly first: number;
  readonly count: number;
}

/**
 * The compiled matcher for one pair and one range. Its memory, about 3 bytes per pixel and level, is released with the
 * object.
 */
export class Matcher {
  readonly #module: MatchModule;
  readonly #first: number;
  readonly #pixels: number;

  constructor(left: GreyPicture, right: GreyPicture, { first, count }: Range) {
    const module = instantiate<MatchModule>('match.wasm');
    module.allocate(left.width, left.height, count);
    const bytes = new Uint8Array(module.memory.buffer);
    bytes.set(left.data, module.left.value);
    bytes.set(right.data, module.right.value);
    module.prepare();
    this.#module = module;
    this.#first = first;
    this.#pixels = left.data.length;
  }

  /**
   * Returns the dissimilarity of the eyes when the right picture is `rows` lower. Comparable within one instance only.
   */
  misfit(rows: number): number {
    return this.#module.misfit(this.#first, rows);
  }

  /**
   * @returns disparities of the left eye, `UNKNOWN` where the consistency check fails, and the fraction that is known
   */
  match(rows: number): { disparity: Float32Array; known: number } {
    const known = this.#module.match(this.#first, rows) / this.#pixels;
    const { memory, disparity } = this.#module;
    return { disparity: new Float32Array(memory.buffer, disparity.value, this.#pixels).slice(), known };
  }
}
