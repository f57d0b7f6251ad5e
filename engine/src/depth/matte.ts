import type { InferenceSession } from 'onnxruntime-node';
import type { Picture } from '../types.ts';
import type { Plane } from './plane.ts';
import { runModel } from './session.ts';

/**
 * Finds what a person would call the subject of the picture (ISNet).
 * @param stretched The picture stretched to the square that the model was prepared for.
 * @returns Opacity of the subject 0 … 1 of the same size, unthresholded.
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
