import type { InferenceSession } from 'onnxruntime-node';
import type { Picture, Size } from '../../types.ts';
import type { Plane } from '../plane.ts';
import { loadModel, runModel } from '../session.ts';
import { stretchPicture } from '../stretch.ts';
import type { NeuralModel } from './catalogue.ts';
import { PROVIDERS } from './device.ts';
import type { Device } from './devices.ts';

/**
 * Largest input area, as a multiple of the squared short side: a 4:3 picture fits. Time and memory of the network grow
 * with the square of the area, so longer pictures are scaled down instead.
 */
const MOST_AREA = 1.43;
/** Very elongated pictures are stretched to stay within these limits. */
const LEAST_STEPS = 8;
const MOST_STEPS = 148;

/**
 * Returns the input size for a picture: its aspect, in multiples of the model's step, with at most the trained short
 * side.
 */
export function networkSize(picture: Size, multiple: number, shortSide: number): Size {
  const { width, height } = picture;
  const wished = shortSide / Math.min(width, height);
  const largest = Math.sqrt((MOST_AREA * shortSide * shortSide) / (width * height));
  const scale = Math.min(wished, largest);
  const steps = (length: number) =>
    multiple * Math.min(MOST_STEPS, Math.max(LEAST_STEPS, Math.round((length * scale) / multiple)));
  return { width: steps(width), height: steps(height) };
}

export interface Network {
  /** Unitless inverse depth, larger is nearer, as output by the network; may contain non-finite values. */
  infer(picture: Picture, shortSide: number): Promise<Plane>;
  close(): Promise<void>;
}

/** @throws Error when the file is not a model, does not take a picture, or the device is not there */
export async function loadNetwork(file: string, model: NeuralModel, threads: number, device: Device): Promise<Network> {
  const session = await loadModel(file, threads, 'returned', PROVIDERS[device]);
  const fixed = fixedSize(session);
  return {
    async infer(picture, shortSide) {
      const { width, height } = fixed ?? networkSize(picture, model.multiple, shortSide);
      const input = normalised(await stretchPicture(picture, width, height), model);
      const output = await runModel(session, input, width, height);
      if (!(output.width > 1 && output.height > 1) || output.data.length !== output.width * output.height)
        throw new Error('its answer is not one plane');
      return output;
    },
    async close() {
      await session.release();
    },
  };
}

/** Returns the fixed input size of the model, or null when it accepts any. */
function fixedSize({ inputMetadata }: InferenceSession): Size | null {
  const input = inputMetadata[0];
  if (!input?.isTensor || inputMetadata.length !== 1) throw new Error('it does not take one picture');
  if (input.type !== 'float32') throw new Error(`it takes ${input.type}, not float32`);
  const [height, width] = input.shape.slice(-2);
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0 ? { width, height } : null;
}

/** Converts to planar layout, normalised per channel with the mean and deviation used in training. */
function normalised({ data, width, height }: Picture, { mean, deviation }: NeuralModel): Float32Array {
  const pixels = width * height;
  const out = new Float32Array(3 * pixels);
  for (const c of [0, 1, 2] as const) {
    const scale = 1 / (255 * deviation[c]);
    const shift = mean[c] / deviation[c];
    const start = c * pixels;
    for (let i = 0; i < pixels; i++) out[start + i] = (data[3 * i + c] as number) * scale - shift;
  }
  return out;
}
