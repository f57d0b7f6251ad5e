import { sharedBytes } from '../depth/layers/layers.ts';
import { HalfSphere, halfSphereSide } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import type { Packed } from './encode.ts';

const CHANNELS = 3;

/**
 * Puts both eyes of a side-by-side picture on half spheres, side by side too; what is around them is black.
 * @param eye size of one eye
 */
export function onHalfSpheres({ data, width }: Packed, eye: Size): Packed {
  const side = halfSphereSide(eye);
  const sphere = new HalfSphere(eye, side, CHANNELS);
  const drawn = sharedBytes(CHANNELS * 2 * side * side);
  for (const i of [0, 1]) {
    const flat = { data, at: CHANNELS * i * eye.width, stride: CHANNELS * width };
    sphere.draw(flat, { data: drawn, at: CHANNELS * i * side, stride: CHANNELS * 2 * side }, 0);
  }
  return { data: drawn, width: 2 * side, height: side };
}
