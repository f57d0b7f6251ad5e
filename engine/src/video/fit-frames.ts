import { isDeepStrictEqual } from 'node:util';
import { Frame } from 'node-av/lib';
import type { Size } from '../types.ts';
import { FORMAT_NAMES } from './av-formats.ts';
import { type Both, createGraph, type Graph } from './filter-graph.ts';
import { FrameReader } from './frames.ts';
import type { VideoRenderer } from './renderer.ts';

type Input = VideoRenderer['input'];

/** Values of H.273 for BT.709 and of FFmpeg for limited range: what decoded frames have. */
const BT709 = 1;
const LIMITED = 1;

/** Returns the size at which frames are decoded once for several renderers. */
export function commonInput(inputs: readonly Input[], largest: Size): Input {
  const [first] = inputs as [Input];
  if (inputs.every((input) => isDeepStrictEqual(input, first))) return first;
  return { size: largest, pixels: 'yuv420', both: inputs.some(({ both }) => both) };
}

/** Reads decoded frames at the size and in the pixel layout that a renderer needs. */
export class FittedReader {
  readonly #from: Input;
  readonly #to: Input;
  readonly #threads: number;
  readonly #reader: FrameReader;
  #graph: Graph | null = null;

  constructor(from: Input, to: Input, threads: number) {
    this.#from = from;
    this.#to = to;
    this.#threads = threads;
    this.#reader = new FrameReader(wholeSize(to), to.pixels);
  }

  /** @returns the bytes of each plane, valid until the next call */
  async read(frame: Frame): Promise<readonly Uint8Array[]> {
    if (isDeepStrictEqual(this.#from, this.#to)) return this.#reader.read(frame);
    const { width, height } = wholeSize(this.#from);
    const args = `video_size=${width}x${height}:pix_fmt=yuv420p:time_base=1/90000:colorspace=${BT709}:range=${LIMITED}`;
    this.#graph ??= await createGraph({ kind: 'buffer', args }, fitting(this.#from, this.#to), this.#threads);
    frame.colorSpace = BT709 as Frame['colorSpace'];
    frame.colorRange = LIMITED as Frame['colorRange'];
    await this.#graph.put(frame);
    const fitted = new Frame();
    fitted.alloc();
    try {
      if (!(await this.#graph.take(fitted))) throw new Error('a frame without a result');
      return this.#reader.read(fitted);
    } finally {
      fitted.free();
    }
  }

  free(): void {
    this.#graph?.free();
    this.#reader.free();
  }
}

/** Size of a frame, which may hold the right eye below the left one. */
function wholeSize({ size, both }: Input): Size {
  return both ? { ...size, height: 2 * size.height } : size;
}

/** Each eye is scaled by itself: they must not bleed into each other. */
function fitting(from: Input, { size, pixels, both }: Input): string[] | Both {
  const scale = [`scale=${size.width}:${size.height}:flags=bicubic`, `format=${FORMAT_NAMES[pixels]}`];
  if (!from.both) return scale;
  const above = ['crop=iw:ih/2:0:0', ...scale];
  return both ? { above, below: ['crop=iw:ih/2:0:ih/2', ...scale] } : above;
}
