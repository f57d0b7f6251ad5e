/** A crop at its rendering resolution, in memory shared between worker threads. */
export interface Layer {
  readonly width: number;
  readonly height: number;
  /** RGB bytes. */
  readonly colour: Uint8Array;
  /** 0 far … 65535 near. */
  readonly depth: Uint16Array;
}

export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

export function sharedShorts(length: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(2 * length));
}

/** Value of depth 1 in the 16-bit maps. */
export const NEAREST = 65535;
