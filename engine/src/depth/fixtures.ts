import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';

/** A synthetic scene with the reference maps of lab/training/make_fixtures.py. */
export interface ReferenceScene {
  /** 256 x 192, RGB interleaved. */
  readonly rgb: Uint8Array;
  /** 512 x 512. */
  readonly matte: Plane;
  readonly network: Plane;
  readonly hand: Plane;
  /** 200 x 150, before range normalisation. */
  readonly finished: Plane;
}

export async function readReference(name: 'meadow' | 'table'): Promise<ReferenceScene> {
  const file = (suffix: string) => join(import.meta.dirname, 'fixtures', `${name}.${suffix}`);
  const floats = async (suffix: string, width: number, height: number): Promise<Plane> => {
    const bytes = await readFile(file(suffix));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const data = Float32Array.from({ length: width * height }, (_, i) => view.getFloat32(4 * i, true));
    return { data, width, height };
  };
  const matte = await sharp(file('matte.png')).extractChannel(0).raw().toBuffer();
  return {
    rgb: await sharp(file('rgb.png')).raw().toBuffer(),
    matte: { data: Float32Array.from(matte, (value) => value / 255), width: 512, height: 512 },
    network: await floats('network.f32', GRID_WIDTH, GRID_HEIGHT),
    hand: await floats('hand.f32', GRID_WIDTH, GRID_HEIGHT),
    finished: await floats('finished.f32', 200, 150),
  };
}

/** Returns the largest absolute difference of two maps, or Infinity when their sizes differ. */
export function largestDifference(a: Plane, b: Plane): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
  return a.data.reduce((largest, value, i) => Math.max(largest, Math.abs(value - (b.data[i] as number))), 0);
}
