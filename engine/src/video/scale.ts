import { type Address, instantiate, type KernelMemory } from '../render/wasm.ts';
import type { Picture, Size } from '../types.ts';
import { planesOf, toRgb } from './planes.ts';

interface ScaleModule {
  readonly target: Address;
  readonly columnStarts: Address;
  readonly columnShares: Address;
  readonly rowStarts: Address;
  readonly rowShares: Address;
  allocate(sourceWidth: number, width: number, height: number, taps: number, tapsDown: number): void;
  scale(source: number): void;
  halve(source: number): void;
}

/** For each sample of one side of the target: its first sample of the source and `count` shares from there on. */
interface Taps {
  readonly count: number;
  readonly starts: Int32Array;
  readonly shares: Float32Array;
}

/**
 * Scales planes of one size to another: each sample of the result is the mean of the area that it shows, or interpolated
 * where a side grows.
 */
export class Scaler {
  /** Where the result lies in the memory. */
  readonly at: number;
  /** The result; valid until the next call. */
  readonly scaled: Uint8Array;
  readonly #halves: boolean;
  readonly #module: ScaleModule;

  constructor(memory: KernelMemory, source: Size, target: Size) {
    const module = instantiate<ScaleModule>('scale.wasm', memory);
    const across = tapsOf(source.width, target.width);
    const down = tapsOf(source.height, target.height);
    module.allocate(source.width, target.width, target.height, across.count, down.count);
    const { buffer } = memory;
    new Int32Array(buffer, module.columnStarts.value, across.starts.length).set(across.starts);
    new Float32Array(buffer, module.columnShares.value, across.shares.length).set(across.shares);
    new Int32Array(buffer, module.rowStarts.value, down.starts.length).set(down.starts);
    new Float32Array(buffer, module.rowShares.value, down.shares.length).set(down.shares);
    this.at = module.target.value;
    this.scaled = new Uint8Array(buffer, this.at, target.width * target.height);
    this.#halves = source.width >> 1 === target.width && source.height >> 1 === target.height;
    this.#module = module;
  }

  /** @param source where the plane begins in the memory */
  run(source: number): Uint8Array {
    if (this.#halves) this.#module.halve(source);
    else this.#module.scale(source);
    return this.scaled;
  }
}

/** A size of a frame that was asked for, with what was made of the present frame. */
interface Made {
  readonly scalers: readonly Scaler[];
  readonly samples: Uint8Array;
  readonly rgb: Uint8ClampedArray;
  frame: number;
  rgbFrame: number;
}

/** The frame in work at any size that is asked for. What is much smaller than it is made of its half. */
export class SmallPictures {
  readonly #memory: KernelMemory;
  readonly #pixels: 'yuv420' | 'gbr';
  readonly #size: Size;
  readonly #half: Size;
  /** Of those planes that are larger than the half. */
  readonly #halvers: readonly Scaler[];
  readonly #made = new Map<string, Made>();
  #at = 0;
  #frame = 0;

  constructor(memory: KernelMemory, pixels: 'yuv420' | 'gbr', size: Size) {
    this.#memory = memory;
    this.#pixels = pixels;
    this.#size = size;
    this.#half = { width: size.width >> 1, height: size.height >> 1 };
    this.#halvers = planesOf(pixels, size)
      .filter(({ width }) => width > this.#half.width)
      .map((plane) => new Scaler(memory, plane, this.#half));
  }

  /** Goes on to the frame whose planes begin at a place in the memory. */
  begin(at: number): void {
    this.#at = at;
    this.#frame++;
    const planes = planesOf(this.#pixels, this.#size);
    for (const [i, halver] of this.#halvers.entries()) halver.run(at + (planes[i] as { at: number }).at);
  }

  /** Three samples a pixel, in the order of the planes; valid until the next frame. */
  samples(size: Size): Uint8Array {
    const made = this.#of(size);
    if (made.frame === this.#frame) return made.samples;
    made.frame = this.#frame;
    const { samples } = made;
    const sources = this.#sources(size);
    for (const [channel, scaler] of made.scalers.entries()) {
      const plane = scaler.run((sources[channel] as { at: number }).at);
      for (let i = 0, to = channel; i < plane.length; i++, to += 3) samples[to] = plane[i] as number;
    }
    return samples;
  }

  /** RGB; valid until the next frame. */
  picture(size: Size): Picture {
    const samples = this.samples(size);
    const made = this.#of(size);
    if (made.rgbFrame !== this.#frame) {
      made.rgbFrame = this.#frame;
      toRgb(samples, this.#pixels, made.rgb);
    }
    const { buffer, byteOffset, length } = made.rgb;
    return { width: size.width, height: size.height, data: new Uint8Array(buffer, byteOffset, length) };
  }

  #of(size: Size): Made {
    const key = `${size.width}x${size.height}`;
    const found = this.#made.get(key);
    if (found) return found;
    // Planes of one size share a scaler.
    const scalers = new Map<string, Scaler>();
    const scalerOf = ({ width, height }: Size) => {
      const source = `${width}x${height}`;
      const scaler = scalers.get(source) ?? new Scaler(this.#memory, { width, height }, size);
      scalers.set(source, scaler);
      return scaler;
    };
    const bytes = 3 * size.width * size.height;
    const made: Made = {
      scalers: this.#sources(size).map(scalerOf),
      samples: new Uint8Array(bytes),
      rgb: new Uint8ClampedArray(bytes),
      frame: 0,
      rgbFrame: 0,
    };
    this.#made.set(key, made);
    return made;
  }

  /** The planes that pictures of a size are made of. */
  #sources({ width, height }: Size): readonly (Size & { readonly at: number })[] {
    const planes = planesOf(this.#pixels, this.#size).map((plane) => ({ ...plane, at: this.#at + plane.at }));
    if (width > this.#half.width || height > this.#half.height) return planes;
    return planes.map((plane, i) => ({ ...this.#half, at: this.#halvers[i]?.at ?? plane.at }));
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
