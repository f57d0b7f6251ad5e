/** One channel of float samples in row-major order, starting at the top left. */
export interface Plane {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Size of the grid on which layout and network are blended, regardless of the picture's aspect. */
export const GRID_WIDTH = 128;
export const GRID_HEIGHT = 96;

export function createPlane(width: number, height: number): Plane {
  return { data: new Float32Array(width * height), width, height };
}

/** Returns 1 where a matte is more than half opaque, else 0. */
export function maskOf(matte: Float32Array): Uint8Array {
  const mask = new Uint8Array(matte.length);
  for (let i = 0; i < mask.length; i++) mask[i] = (matte[i] as number) > 0.5 ? 1 : 0;
  return mask;
}
