/** Runs the scene network; see engine/models/model-card.md. */
import type { InferenceSession } from 'onnxruntime-node';
import type { Picture, Size } from '../types.ts';
import type { Plane } from './plane.ts';
import { averageChannel } from './resample.ts';
import { runModel } from './session.ts';

/** Approximate input size in pixels; both sides are multiples of 32 and at least three times that. */
const AREA = 192 * 256;
const STEP = 32;
const LEAST_STEPS = 3;
/** Beyond this aspect the input is squeezed; otherwise its area, and with it the run time, would grow needlessly. */
const MOST_STEPS = 20;

/** Returns the input size for a picture, with its aspect preserved as far as the steps allow. */
export function inputSize(picture: Size): Size {
  const scale = Math.sqrt(AREA / (picture.width * picture.height));
  const steps = (length: number) =>
    STEP * Math.min(MOST_STEPS, Math.max(LEAST_STEPS, Math.round((length * scale) / STEP)));
  return { width: steps(picture.width), height: steps(picture.height) };
}

/**
 * Returns unitless relative inverse depth of the whole scene at half the input size, larger is nearer, without sharp
 * edges: the mean of the predictions for the picture and its mirror image.
 */
export async function readScene(session: InferenceSession, picture: Picture): Promise<Plane> {
  const { width, height } = inputSize(picture);
  const pixels = width * height;
  const input = new Float32Array(3 * pixels);
  for (const channel of [0, 1, 2] as const) {
    input.set(averageChannel(picture, channel, width, height).data, channel * pixels);
  }
  const straight = await runModel(session, input, width, height);
  const mirrored = await runModel(session, mirrorRows(input, width), width, height);
  const back = mirrorRows(mirrored.data, mirrored.width);
  return { ...straight, data: straight.data.map((value, i) => (value + (back[i] as number)) / 2) };
}

function mirrorRows(data: Float32Array, width: number): Float32Array {
  const out = data.slice();
  for (let start = 0; start < out.length; start += width) out.subarray(start, start + width).reverse();
  return out;
}
