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

/** Per sample along one side of the target: its first source index and `count` weights from there on. */
interface Taps {
  readonly count: number;
  readonly starts: Int32Array;
  readonly shares: Float32Array;
}

/**
 * Scales planes from one size to another: each result sample is the mean of the area it covers, or interpolated along a
 * side that grows.
 */
export class Scaler {
  /** Offset of the result in the memory. */
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

  /** @param source offset of the plane in the memory */
  run(source: number): Uint8Array {
    if (this.#halves) this.#module.halve(source);
    else this.#module.scale(source);
    return this.scaled;
  }
}

/** A requested size, with its results for the current frame. */
interface Made {
  readonly scalers: readonly Scaler[];
  readonly samples: Uint8Array;
  readonly rgb: Uint8ClampedArray;
  frame: number;
  rgbFrame: number;
}

/** Provides the current frame at any requested size. Sizes up to half the frame are made from its half. */
export class SmallPictures {
  readonly #memory: KernelMemory;
  readonly #pixels: 'yuv420' | 'gbr';
  readonly #size: Size;
  readonly #half: Size;
  /** Scalers to half size, for the planes that are larger than that. */
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

  /** Starts a frame whose planes are at the given offset in the memory. */
  begin(at: number): void {
    this.#at = at;
    this.#frame++;
    const planes = planesOf(this.#pixels, this.#size);
    for (const [i, halver] of this.#halvers.entries()) halver.run(at + (planes[i] as { at: number }).at);
  }

  /** Returns three samples per pixel, in plane order; valid until the next frame. */
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

  /** Returns RGB; valid until the next frame. */
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
    // Planes of the same size share a scaler.
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

  /** Returns the planes from which a picture of the given size is made. */
  #sources({ width, height }: Size): readonly (Size & { readonly at: number })[] {
    const planes = planesOf(this.#pixels, this.#size).map((plane) => ({ ...plane, at: this.#at + plane.at }));
    if (width > this.#half.width || height > this.#half.height) return planes;
    return planes.map((plane, i) => ({ ...this.#half, at: this.#halvers[i]?.at ?? plane.at }));
  }
}

function tapsOf(from: number, to: number): Taps {
  const scale = from / to;
  // Enlarging uses two samples; shrinking uses all samples that a target pixel touches.
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
