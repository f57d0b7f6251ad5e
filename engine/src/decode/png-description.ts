import type { Nclx } from './nclx.ts';
import { type FoundChunk, readChunks } from './png.ts';

/** What the chunks before the pixels of a PNG say beyond its size. */
export interface PngDescription {
  /** Own colour description; null without one, and where the ICC profile counts. */
  readonly colour: Nclx | null;
  readonly animated: boolean;
}

const SRGB: Nclx = { primaries: 1, transfer: 13 };
/** Exponents of `gAMA` outside these are errors of writers. */
const GAMMA = { least: 0.1, most: 10 } as const;
/** The usual exponent, with which a picture is as good as sRGB, and the difference that does not matter (libpng's). */
const USUAL = 2.2;
const SAME = 0.05;

/** Reads the colour chunks in the order in which they count: cICP, iCCP, sRGB, gAMA with cHRM (PNG 3, §11.3.2). */
export function describePng(bytes: Uint8Array): PngDescription {
  const chunks = new Map<string, FoundChunk>();
  for (const chunk of readChunks(bytes)) {
    if (chunk.type === 'IDAT') break;
    if (chunk.intact && !chunks.has(chunk.type)) chunks.set(chunk.type, chunk);
  }
  const words = (type: string, count: number): number[] | null => {
    const body = chunks.get(type)?.body;
    if (body?.length !== count * 4) return null;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    return Array.from({ length: count }, (_, i) => view.getUint32(i * 4));
  };
  const frames = words('acTL', 2)?.[0] ?? 1;
  return { colour: colourOf(chunks, words), animated: frames > 1 };
}

function colourOf(
  chunks: ReadonlyMap<string, FoundChunk>,
  words: (type: string, count: number) => number[] | null,
): Nclx | null {
  const cicp = chunks.get('cICP')?.body;
  // The samples of a PNG are RGB: another matrix is an error.
  if (cicp?.length === 4 && cicp[2] === 0) return { primaries: cicp[0] as number, transfer: cicp[1] as number };
  if (chunks.has('iCCP') || chunks.has('sRGB')) return null;
  const exponent = 100_000 / (words('gAMA', 1)?.[0] || Number.NaN);
  if (!(exponent >= GAMMA.least && exponent <= GAMMA.most)) return null;
  // Browsers ignore cHRM without gAMA.
  const points = words('cHRM', 8)?.map((value) => value / 100_000);
  const isUsual = Math.abs(exponent / USUAL - 1) < SAME;
  if (!points) return isUsual ? null : { ...SRGB, gamma: exponent };
  const [whiteX, whiteY, ...primaries] = points as [number, number, number, number, number, number, number, number];
  const chromaticities = { white: [whiteX, whiteY], primaries } as const;
  return isUsual ? { ...SRGB, chromaticities } : { ...SRGB, chromaticities, gamma: exponent };
}
