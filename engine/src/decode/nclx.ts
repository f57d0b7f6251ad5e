import { type Chromaticities, type Matrix, toBt709 } from './chromaticities.ts';
import type { Samples } from './samples.ts';

/** Colour description by code points of ITU-T H.273, as used in PNG, AVIF, HEIC and videos. */
export interface Nclx {
  readonly primaries: number;
  readonly transfer: number;
  /** Used instead of `primaries`. */
  readonly chromaticities?: Chromaticities;
  /** Exponent from code value to linear light, used instead of `transfer`. */
  readonly gamma?: number;
}

/** Linear RGB of the primaries → linear RGB of BT.709 / sRGB. */
const TO_BT709: Readonly<Record<number, Matrix>> = {
  // BT.2020
  9: [1.660491, -0.587641, -0.07285, -0.12455, 1.1329, -0.00835, -0.018151, -0.100579, 1.11873],
  // DCI P3 (SMPTE RP 431-2), whose white is greenish
  11: toBt709({ white: [0.314, 0.351], primaries: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06] }),
  // Display P3 (SMPTE EG 432-1)
  12: [1.22494, -0.22494, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274],
};
const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const GAMMA_22 = 4;
const GAMMA_28 = 5;
const LINEAR = 8;
const PQ = 16;
const HLG = 18;
/** Transfer functions that differ visibly from sRGB; the BT.709 family is treated as sRGB, as browsers do. */
const NOT_SRGB = new Set([GAMMA_22, GAMMA_28, LINEAR, PQ, HLG]);

/** Luminance of SDR white in an HDR picture, and the peak luminance mapped to it, in cd/m² (BT.2408). */
const SDR_WHITE = 203;
const HDR_PEAK = 1000;

/** Returns whether samples with this description can be shown as sRGB unchanged. Unknown code points count as sRGB. */
export function isSrgb({ primaries, transfer, chromaticities, gamma }: Nclx): boolean {
  return !chromaticities && gamma === undefined && !(primaries in TO_BT709) && !NOT_SRGB.has(transfer);
}

/**
 * Converts samples to 8-bit sRGB. HDR (PQ, HLG) is tone-mapped to SDR by the BT.2390 curve, applied to the largest
 * channel to preserve hue; out-of-gamut colours are clipped.
 *
 * @param peak luminance that becomes white, in cd/m²; see `peakOf`
 */
export function nclxToSrgb({ data, max }: Samples, nclx: Nclx, peak = HDR_PEAK): Uint8Array {
  const matrix = nclx.chromaticities ? toBt709(nclx.chromaticities) : (TO_BT709[nclx.primaries] ?? IDENTITY);
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = matrix;
  const hdr = nclx.transfer === PQ || nclx.transfer === HLG;
  const hlg = nclx.transfer === HLG;
  const linear = linearTable(max, nclx);
  const gain = hdr ? toneTable(peak) : null;
  const encode = srgbTable();
  const top = encode.length - 1;
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 3) {
    let r = linear[Math.min(data[i] as number, max)] as number;
    let g = linear[Math.min(data[i + 1] as number, max)] as number;
    let b = linear[Math.min(data[i + 2] as number, max)] as number;
    if (gain) {
      if (hlg) {
        const ootf = hlgGain(r, g, b);
        r *= ootf;
        g *= ootf;
        b *= ootf;
      }
      const largest = Math.min(Math.max(r, g, b), peak);
      const scale = gain[Math.round(Math.sqrt(largest / peak) * (gain.length - 1))] as number;
      r = Math.min(1, r * scale);
      g = Math.min(1, g * scale);
      b = Math.min(1, b * scale);
    }
    out[i] = encode[index(m0 * r + m1 * g + m2 * b, top)] as number;
    out[i + 1] = encode[index(m3 * r + m4 * g + m5 * b, top)] as number;
    out[i + 2] = encode[index(m6 * r + m7 * g + m8 * b, top)] as number;
  }
  return out;
}

/** Share of the brightest pixels that may be clipped: specks and ringing. */
const SPECKS = 0.0005;
const PEAK_STEPS = 1024;

/**
 * Returns the luminance of the brightest part of a picture, from SDR white to 1000 cd/m²: a picture that is no brighter
 * than SDR white keeps its tones. 1000 for SDR, where it has no effect.
 */
export function peakOf({ data, max }: Samples, nclx: Nclx): number {
  if (nclx.transfer !== PQ && nclx.transfer !== HLG) return HDR_PEAK;
  const linear = linearTable(max, nclx);
  const counts = new Uint32Array(PEAK_STEPS + 1);
  for (let i = 0; i < data.length; i += 3) {
    const r = linear[Math.min(data[i] as number, max)] as number;
    const g = linear[Math.min(data[i + 1] as number, max)] as number;
    const b = linear[Math.min(data[i + 2] as number, max)] as number;
    const nits = Math.max(r, g, b) * (nclx.transfer === HLG ? hlgGain(r, g, b) : 1);
    const step = Math.ceil((nits / HDR_PEAK) * PEAK_STEPS);
    counts[Math.min(PEAK_STEPS, step)] = (counts[Math.min(PEAK_STEPS, step)] as number) + 1;
  }
  let step = PEAK_STEPS;
  for (let above = 0; step > 0; step--) {
    above += counts[step] as number;
    if (above > (data.length / 3) * SPECKS) break;
  }
  return Math.max(SDR_WHITE, (step / PEAK_STEPS) * HDR_PEAK);
}

/** Returns the factor from scene light to cd/m²: system gamma 1.2 of BT.2100 for a display of 1000 cd/m². */
function hlgGain(r: number, g: number, b: number): number {
  return HDR_PEAK * (0.2627 * r + 0.678 * g + 0.0593 * b) ** 0.2;
}

function index(value: number, top: number): number {
  return value <= 0 ? 0 : value >= 1 ? top : Math.round(value * top);
}

/** Lookup table from code value to linear light: 0 … 1 for SDR, cd/m² for PQ, scene light 0 … 1 for HLG. */
function linearTable(max: number, { transfer, gamma }: Nclx): Float32Array {
  return Float32Array.from({ length: max + 1 }, (_, code) =>
    gamma === undefined ? toLinear(code / max, transfer) : (code / max) ** gamma,
  );
}

function toLinear(e: number, transfer: number): number {
  switch (transfer) {
    case GAMMA_22:
      return e ** 2.2;
    case GAMMA_28:
      return e ** 2.8;
    case LINEAR:
      return e;
    case PQ:
      return pqToNits(e);
    case HLG:
      return e <= 0.5 ? (e * e) / 3 : (Math.exp((e - 0.55991073) / 0.17883277) + 0.28466892) / 12;
    default:
      return e <= 0.04045 ? e / 12.92 : ((e + 0.055) / 1.055) ** 2.4;
  }
}

/**
 * Lookup table from linear light 0 … 1 to 8-bit sRGB; its resolution limits the error in the steep dark end to one
 * code.
 */
function srgbTable(): Uint8Array {
  const steps = 16384;
  return Uint8Array.from({ length: steps }, (_, i) => {
    const v = i / (steps - 1);
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  });
}

/**
 * Lookup table for the largest channel: factor from cd/m² to SDR 0 … 1, indexed by the square root of its fraction of
 * the peak.
 */
function toneTable(peak: number): Float32Array {
  const steps = 4096;
  return Float32Array.from({ length: steps }, (_, i) => {
    const nits = peak * (Math.max(i, 1) / (steps - 1)) ** 2;
    return toneMap(nits, peak) / SDR_WHITE / nits;
  });
}

/** BT.2390 §5.4.1 (EETF): identity up to a knee, then a Hermite spline that reaches SDR white at the peak. */
function toneMap(nits: number, brightest: number): number {
  const peak = nitsToPq(brightest);
  const white = nitsToPq(SDR_WHITE) / peak;
  const knee = 1.5 * white - 0.5;
  const e = nitsToPq(nits) / peak;
  if (e <= knee || knee >= 1) return nits;
  const t = (e - knee) / (1 - knee);
  const curve = (2 * t ** 3 - 3 * t ** 2 + 1) * knee + (t ** 3 - 2 * t ** 2 + t) * (1 - knee);
  return pqToNits((curve + (-2 * t ** 3 + 3 * t ** 2) * white) * peak);
}

// Constants of SMPTE ST 2084.
const M1 = 0.1593017578125;
const M2 = 78.84375;
const C1 = 0.8359375;
const C2 = 18.8515625;
const C3 = 18.6875;

function pqToNits(e: number): number {
  const p = e ** (1 / M2);
  return 10_000 * (Math.max(p - C1, 0) / (C2 - C3 * p)) ** (1 / M1);
}

function nitsToPq(nits: number): number {
  const y = (nits / 10_000) ** M1;
  return ((C1 + C2 * y) / (1 + C3 * y)) ** M2;
}
