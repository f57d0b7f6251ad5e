import type { InferenceSession } from 'onnxruntime-node';
import type { Picture } from '../types.ts';
import type { Plane } from './plane.ts';
import { runModel } from './session.ts';

/**
 * Computes the matte of the picture's main subject (ISNet).
 * @param stretched The picture stretched to the square input size of the model.
 * @returns Opacity of the subject 0 … 1 at the same size, not thresholded.
 */
export async function findSubject(session: InferenceSession, stretched: Picture): Promise<Plane> {
  const { data, width, height } = stretched;
  const pixels = width * height;
  const input = new Float32Array(3 * pixels);
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) input[c * pixels + i] = ((data[3 * i + c] as number) - 128) / 256;
  }
  return runModel(session, input, width, height);
}
