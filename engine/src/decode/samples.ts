/** Decoded RGB samples, interleaved, before they became sRGB. 16-bit arrays hold what 8 bits would lose. */
export interface Samples {
  readonly data: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  /** The value of full intensity, e.g. 255 or, for 10 bits, 1023. */
  readonly max: number;
}
