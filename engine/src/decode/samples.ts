/** Decoded interleaved RGB samples before conversion to sRGB. 16-bit arrays hold samples of more than 8 bits. */
export interface Samples {
  readonly data: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  /** Value of full intensity, e.g. 255, or 1023 for 10 bits. */
  readonly max: number;
}
