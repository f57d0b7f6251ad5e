/**
 * Dolby Vision without a compatible base layer (profile 5, and 10 and 20 with compatibility 0): pictures in Dolby's IPT,
 * full range, which look purple and green if they are read as YCbCr. The metadata of each frame (RPU) states how samples
 * become IPT and IPT becomes light; the defaults are those that encoders write.
 */

/** A reshaping curve: the pieces of one component, each a polynomial or a regression over all three components. */
interface Curve {
  /** Bounds of the pieces, 0 … 1. */
  readonly pivots: readonly number[];
  readonly pieces: readonly (
    | { readonly polynomial: readonly number[] }
    | { readonly constant: number; readonly regression: readonly (readonly number[])[] }
  )[];
}

export interface DolbyVision {
  /** Rows of the matrix from IPT to nonlinear LMS, and what is subtracted from IPT first. */
  readonly toLms: readonly number[];
  readonly offset: readonly number[];
  /** Rows of the matrix applied to linear LMS. */
  readonly crosstalk: readonly number[];
  readonly curves: readonly Curve[];
}

const DEFAULTS: DolbyVision = {
  toLms: [8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545].map((n) => n / 8192),
  offset: [0, 0.5, 0.5],
  crosstalk: [17081, -349, -349, -349, 17081, -349, -349, -349, 17081].map((n) => n / 16_384),
  curves: [],
};

/** Rows of the matrix from Dolby's LMS to linear BT.2020. */
const TO_BT2020 = [
  3.06441879, -2.16597676, 0.10155818, -0.65612108, 1.78554118, -0.12943749, 0.01736321, -0.04725154, 1.03004253,
];

/** Profiles whose base layer is IPT if it is compatible with nothing else. */
const IPT_PROFILES = [5, 10, 20];

/** Returns whether a configuration record (FFmpeg's `AVDOVIDecoderConfigurationRecord`) announces pictures in IPT. */
export function isIpt(record: Buffer | null): boolean {
  return record !== null && record.length >= 8 && IPT_PROFILES.includes(record[2] as number) && record[7] === 0;
}

/** Sizes and offsets in FFmpeg's `AVDOVIMetadata`, with 8 pieces a curve. */
const CURVE_BYTES = 1672;
const COLOUR_BYTES = 172;
const PIECES = 8;

/** Parses the metadata of a frame; without it or if it makes no sense, returns the defaults. */
export function dolbyVisionOf(data: Buffer | null): DolbyVision {
  if (!data || data.length < 24) return DEFAULTS;
  const [header, mapping, colour] = [0, 8, 16].map((at) => Number(data.readBigUInt64LE(at))) as [
    number,
    number,
    number,
  ];
  if (mapping + 8 + 3 * CURVE_BYTES > data.length || colour + COLOUR_BYTES > data.length) return DEFAULTS;
  const denominator = 2 ** (data[header + 8] as number);
  const bits = data[header + 11] as number;
  const rationals = (at: number, count: number) =>
    Array.from({ length: count }, (_, i) => data.readInt32LE(at + 8 * i) / data.readInt32LE(at + 8 * i + 4));
  const found = {
    toLms: rationals(colour + 4, 9),
    offset: rationals(colour + 76, 3),
    crosstalk: rationals(colour + 100, 9),
    curves: [0, 1, 2].map((i) => curveOf(data, mapping + 8 + i * CURVE_BYTES, denominator, 2 ** bits - 1)),
  };
  const numbers = [...found.toLms, ...found.offset, ...found.crosstalk];
  const sensible = bits >= 8 && bits <= 16 && numbers.every((n) => Number.isFinite(n) && Math.abs(n) < 16);
  return sensible && found.toLms[0] !== 0 ? found : DEFAULTS;
}

function curveOf(data: Buffer, at: number, denominator: number, white: number): Curve {
  const count = Math.min(PIECES + 1, data[at] as number);
  const pivots = Array.from({ length: count }, (_, i) => data.readUInt16LE(at + 2 + 2 * i) / white);
  const number = (offset: number) => Number(data.readBigInt64LE(at + offset)) / denominator;
  const pieces = Array.from({ length: Math.max(0, count - 1) }, (_, i) => {
    const regressed = data.readInt32LE(at + 20 + 4 * i) === 1;
    if (!regressed) {
      const order = data[at + 52 + i] as number;
      return { polynomial: [0, 1, 2].map((k) => (k <= order ? number(64 + 24 * i + 8 * k) : 0)) };
    }
    const order = Math.min(3, data[at + 256 + i] as number);
    const rows = Array.from({ length: order }, (_, k) =>
      Array.from({ length: 7 }, (_, j) => number(328 + 168 * i + 56 * k + 8 * j)),
    );
    return { constant: number(264 + 8 * i), regression: rows };
  });
  return { pivots, pieces };
}

function reshaped(samples: readonly [number, number, number], component: 0 | 1 | 2, curve: Curve | undefined): number {
  const own = samples[component];
  if (!curve || curve.pieces.length === 0) return own;
  const { pivots, pieces } = curve;
  const value = Math.min(pivots.at(-1) as number, Math.max(pivots[0] as number, own));
  let i = pieces.length - 1;
  while (i > 0 && value < (pivots[i] as number)) i--;
  const piece = pieces[i] as Curve['pieces'][number];
  if ('polynomial' in piece) {
    const [a = 0, b = 0, c = 0] = piece.polynomial;
    return a + value * (b + value * c);
  }
  const [x, y, z] = samples;
  const terms = [x, y, z, x * y, x * z, y * z, x * y * z];
  return piece.regression.reduce(
    (sum, row, k) => row.reduce((part, factor, j) => part + factor * (terms[j] as number) ** (k + 1), sum),
    piece.constant,
  );
}

/** Constants of the PQ curve (SMPTE ST 2084). */
const M1 = 2610 / 16_384;
const M2 = (2523 / 4096) * 128;
const C1 = 3424 / 4096;
const C2 = (2413 / 4096) * 32;
const C3 = (2392 / 4096) * 32;

function linear(code: number): number {
  const power = Math.max(0, code) ** (1 / M2);
  return (Math.max(0, power - C1) / (C2 - C3 * power)) ** (1 / M1);
}

function coded(light: number): number {
  const power = Math.min(1, Math.max(0, light)) ** M1;
  return ((C1 + C2 * power) / (1 + C3 * power)) ** M2;
}

function times(rows: readonly number[], [a, b, c]: readonly [number, number, number]): [number, number, number] {
  const row = (i: number) => (rows[i] as number) * a + (rows[i + 1] as number) * b + (rows[i + 2] as number) * c;
  return [row(0), row(3), row(6)];
}

/** Converts samples (0 … 1) of such a video to codes (0 … 1) of BT.2020 with the PQ curve. */
export function iptToPq(
  samples: readonly [number, number, number],
  dolbyVision: DolbyVision,
): [number, number, number] {
  const { toLms, offset, crosstalk, curves } = dolbyVision;
  const component = (i: 0 | 1 | 2) => reshaped(samples, i, curves[i]) - (offset[i] as number);
  const lms = times(toLms, [component(0), component(1), component(2)]).map((code) => linear(Math.min(1, code)));
  const light = times(TO_BT2020, times(crosstalk, lms as [number, number, number]));
  return light.map(coded) as [number, number, number];
}
