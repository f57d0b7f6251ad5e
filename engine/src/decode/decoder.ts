import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { hasFinalScans, withEnd } from '../formats/jpeg.ts';
import { shortenedGifs, withGifEnd } from './mend-gif.ts';
import { mendPng } from './mend-png.ts';
import { padWebp } from './mend-webp.ts';
import { sniffContainer } from './sniff.ts';

/*
 * libvips can also load SVG, PDF and more, each with a history of vulnerabilities. Uploads reach only the six
 * loaders below, whatever type a file claims to be. The setting is global to the process, so it is made once, here.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadTiff',
  ],
});
// A conversion decodes each picture once, so a cache would only waste memory.
sharp.cache(false);

/**
 * Options for untrusted bytes. Like a browser, decoders go on after damage and show what they have; `decodeRaster`
 * tells whether something is missing. The size is checked separately from the header (see limits.ts), with a message
 * that names the limits.
 */
export const UNTRUSTED = { failOn: 'none', limitInputPixels: false, pages: 1 } as const;

/** A value decoded from a picture file. */
export interface Decoded<T> {
  readonly value: T;
  /** A part of the pixels that were read is missing or damaged in the file. */
  readonly incomplete: boolean;
}

/**
 * Decodes a JPEG, PNG, WebP, GIF, TIFF or AVIF as browsers do: wrong checksums, a missing end and odd headers are tolerated,
 * and of a truncated file the part that exists is decoded.
 *
 * @param read builds the pipeline on a decoder of the file and returns its output; called again for a mended file
 * @throws any sharp error when no part of the picture can be decoded
 */
export async function decodeRaster<T>(
  bytes: Uint8Array,
  read: (decoder: Sharp) => Promise<T>,
  more: SharpOptions = {},
): Promise<Decoded<T>> {
  const options = { ...UNTRUSTED, ...more };
  const attempt = async (file: Uint8Array) => {
    const warnings: string[] = [];
    const decoder = sharp(file, options).on('warning', (warning: string) => warnings.push(warning));
    return { value: await read(decoder), warnings };
  };
  switch (sniffContainer(bytes)) {
    case 'jpeg': {
      const { value, warnings } = await attempt(withEnd(bytes));
      const incomplete = !hasFinalScans(bytes) || (isDamaged(warnings) ?? (await endsGrey(bytes)));
      return { value, incomplete };
    }
    case 'png': {
      const first = await attempt(bytes).catch(() => null);
      if (first?.warnings.length === 0) return { value: first.value, incomplete: false };
      const mended = await mendPng(bytes);
      // Without rows there is nothing to show.
      if (!mended) throw new Error('PNG without pixels');
      return { value: (await attempt(mended.bytes)).value, incomplete: mended.incomplete };
    }
    case 'webp': {
      const { file, incomplete } = padWebp(bytes);
      return { value: (await attempt(file)).value, incomplete };
    }
    case 'gif': {
      const first = await attempt(withGifEnd(bytes)).catch(() => null);
      if (first) return { value: first.value, incomplete: first.warnings.some((warning) => /gif/i.test(warning)) };
      return { value: await longestGif(bytes, attempt), incomplete: true };
    }
    default: {
      const { value, warnings } = await attempt(bytes);
      return { value, incomplete: warnings.some((warning) => /heif|tiff/i.test(warning)) };
    }
  }
}

/** Decodes a damaged GIF up to its first invalid code, which is found by bisection: a dozen attempts at most. */
async function longestGif<T>(bytes: Uint8Array, attempt: (file: Uint8Array) => Promise<{ value: T }>): Promise<T> {
  const versions = shortenedGifs(bytes);
  let best: { value: T } | null = null;
  let [low, high] = [0, versions.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const made = await attempt((versions[middle] as () => Uint8Array)()).catch(() => null);
    best = made ?? best;
    if (made) low = middle + 1;
    else high = middle - 1;
  }
  if (!best) throw new Error('GIF without pixels');
  return best.value;
}

const JPEG_WARNING = 'VipsJpeg: ';
/** Warnings of libjpeg after which every pixel is right. */
const HARMLESS =
  /Invalid SOS parameters|extraneous bytes before marker|unknown JFIF revision|Adobe color transform|Inconsistent progression/;

/**
 * Returns whether libjpeg's warnings mean missing or wrong pixels; null when they do not tell, because libjpeg only
 * counts the warnings after the first.
 */
function isDamaged(warnings: readonly string[]): boolean | null {
  const first = warnings.find((warning) => warning.startsWith(JPEG_WARNING));
  if (first === undefined) return false;
  if (!HARMLESS.test(first)) return true;
  const count = warnings.map((warning) => /read gave (\d+) warnings/.exec(warning)?.[1]).find(Boolean);
  return count === '1' ? false : null;
}

/** Returns whether the last block of a JPEG is the flat grey with which libjpeg replaces missing blocks. */
async function endsGrey(bytes: Uint8Array): Promise<boolean> {
  const { width, height } = await sharp(bytes, UNTRUSTED).metadata();
  const side = { width: Math.min(8, width), height: Math.min(8, height) };
  const block = await sharp(withEnd(bytes), { ...UNTRUSTED, ignoreIcc: true })
    .extract({ left: width - side.width, top: height - side.height, ...side })
    .raw()
    .toBuffer();
  return block.every((value) => value === 128);
}

export { sharp };
