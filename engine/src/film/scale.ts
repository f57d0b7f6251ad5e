import type { Picture, Size } from '../types.ts';
import { type Address, instantiate } from '../views/wasm.ts';

interface ScaleModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly source: Address;
  readonly second: Address;
  readonly target: Address;
  readonly starts: Address;
  readonly shares: Address;
  allocate(sourcePixels: number, targetPixels: number, taps: number): void;
  begin(share: number): void;
  add(share: number): void;
  finish(): void;
  halve(lower: number): void;
}

/** For each sample of one side of the target: its first sample of the source and `count` shares from there on. */
interface Taps {
  readonly count: number;
  readonly starts: Int32Array;
  readonly shares: Float32Array;
}

/**
 * Scales pictures of one size to another: each pixel of the result is the mean of the area that it shows, or
 * interpolated where a side grows.
 */
export class Scaler {
  readonly target: Size;
  readonly #source: Size;
  readonly #down: Taps;
  /** Rows of the source that make a row of a result half as wide; 0 for any other result. */
  readonly #halved: 0 | 1 | 2;
  readonly #module: ScaleModule;
  readonly #in: Uint8Array;
  readonly #below: Uint8Array;
  #whole: Uint8Array | undefined;
  readonly #out: Uint8Array;

  constructor(source: Size, target: Size) {
    const module = instantiate<ScaleModule>('scale.wasm');
    const across = tapsOf(source.width, target.width);
    module.allocate(source.width, target.width, across.count);
    const { buffer } = module.memory;
    new Int32Array(buffer, module.starts.value, across.starts.length).set(across.starts);
    new Float32Array(buffer, module.shares.value, across.shares.length).set(across.shares);
    this.target = target;
    this.#source = source;
    this.#down = tapsOf(source.height, target.height);
    const rows = Math.floor(source.height / target.height);
    const halves = source.width >> 1 === target.width && Math.floor(source.height / rows) === target.height;
    this.#halved = halves && (rows === 1 || rows === 2) ? rows : 0;
    this.#module = module;
    this.#in = new Uint8Array(buffer, module.source.value, 3 * source.width);
    this.#below = new Uint8Array(buffer, module.second.value, 3 * source.width);
    this.#out = new Uint8Array(buffer, module.target.value, 3 * target.width);
  }

  /** Row `y` of the result, RGB bytes; valid until the next call. */
  row(picture: Uint8Array, y: number): Uint8Array {
    const module = this.#module;
    if (this.#halved !== 0) {
      this.#load(picture, this.#halved * y, this.#in);
      if (this.#halved === 2) this.#load(picture, 2 * y + 1, this.#below);
      module.halve(this.#halved === 2 ? module.second.value : module.source.value);
      return this.#out;
    }
    const { count, starts, shares } = this.#down;
    const first = starts[y] as number;
    this.#load(picture, first, this.#in);
    module.begin(shares[y * count] as number);
    for (let tap = 1; tap < count; tap++) {
      const share = shares[y * count + tap] as number;
      if (share === 0) continue;
      this.#load(picture, first + tap, this.#in);
      module.add(share);
    }
    module.finish();
    return this.#out;
  }

  /** The whole picture; valid until the next call. */
  picture(data: Uint8Array): Picture {
    const { width, height } = this.target;
    this.#whole ??= new Uint8Array(3 * width * height);
    for (let y = 0; y < height; y++) this.#whole.set(this.row(data, y), 3 * width * y);
    return { data: this.#whole, width, height };
  }

  #load(picture: Uint8Array, y: number, to: Uint8Array): void {
    const bytes = 3 * this.#source.width;
    to.set(picture.subarray(bytes * y, bytes * (y + 1)));
  }
}

function tapsOf(from: number, to: number): Taps {
  const scale = from / to;
  // A growing side looks at two samples; a shrinking one at all that a pixel of the target touches.
  const count = Math.min(from, to >= from ? 2 : Math.ceil(scale) + (Number.isInteger(scale) ? 0 : 1));
  const taps: Taps = { count, starts: new Int32Array(to), shares: new Float32Array(to * count) };
  for (let i = 0; i < to; i++) {
    const left = to >= from ? (i + 0.5) * scale - 0.5 : i * scale;
    const start = Math.min(from - count, Math.max(0, Math.floor(left)));
    taps.starts[i] = start;
    for (let k = 0; k < count; k++) {
      const covered =
        to >= from
          ? Math.max(0, 1 - Math.abs(Math.min(from - 1, Math.max(0, left)) - (start + k)))
          : Math.max(0, Math.min(start + k + 1, left + scale) - Math.max(start + k, left)) / scale;
      taps.shares[i * count + k] = covered;
    }
  }
  return taps;
}
