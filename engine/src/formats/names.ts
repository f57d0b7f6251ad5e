import type { Anaglyph, DeviceProfile, Format, StillOptions } from '../types.ts';
import { gridOf } from './devices.ts';

/** Bytes (UTF-8) of a stem: with every suffix well below the 255 that file systems allow. */
const LONGEST_STEM = 150;
const FALLBACK = 'picture';
/** Names that Windows keeps for devices, with or without an ending. */
const RESERVED_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
/** Path separators, what Windows reserves, controls, broken surrogates, and invisible marks that turn text around. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Looking Glass Studio reads the grid from the name: an older one in the stem would mislead it. */
const QUILT_SUFFIX = /_qs\d+x\d+a[\d.]+$/i;

const encoder = new TextEncoder();

/** A stem that every file system takes: NFC, without reserved characters, limited in length, never empty. */
export function safeStem(name: string): string {
  let stem = name
    .normalize('NFC')
    .replace(UNSAFE, '')
    .replace(/\s+/g, ' ')
    .replace(QUILT_SUFFIX, '')
    // A leading dot hides a file, a trailing dot or space is dropped by Windows.
    .replace(/^[. ]+|[. ]+$/g, '');
  if (encoder.encode(stem).length > LONGEST_STEM) {
    let kept = '';
    let bytes = 0;
    for (const { segment } of new Intl.Segmenter().segment(stem)) {
      bytes += encoder.encode(segment).length;
      if (bytes > LONGEST_STEM) break;
      kept += segment;
    }
    stem = kept.replace(/[. ]+$/, '');
  }
  if (stem === '') return FALLBACK;
  return RESERVED_NAME.test(stem) ? `_${stem}` : stem;
}

/**
 * How a device or player expects the file of a format to be called. `_LRF` and `_RLF` say which eye comes first: a file
 * with exchanged eyes (`swapEyes`) is never called like a plain one.
 */
export function fileName(name: string, format: Format, device: DeviceProfile, options: StillOptions = {}): string {
  return `${safeStem(name)}${suffix(format, device, options)}${EXTENSIONS[format]}`;
}

/** Name of the archive of several formats. */
export function archiveName(name: string): string {
  return `${safeStem(name)}.zip`;
}

function suffix(format: Format, device: DeviceProfile, { swapEyes, anaglyph, calibration }: StillOptions): string {
  const swapped = swapEyes === true;
  switch (format) {
    case 'quilt': {
      const { columns, rows, aspect } = gridOf(device);
      return `_qs${columns}x${rows}a${aspect}`;
    }
    case 'native':
      // Good for one display only: its serial number says which.
      return calibration?.serial ? `_native_${calibration.serial}` : '_native';
    case 'sbs':
      return swapped ? '_RLF_Full_SBS' : '_LRF_Full_SBS';
    case 'hsbs':
      return swapped ? '_RLF_Half_SBS' : '_LR';
    case 'tb':
      return swapped ? '_RLF_Full_TB' : '_TBF_fulltb';
    case 'htb':
      return swapped ? '_RLF_Half_TB' : '_TB';
    case 'cross':
      return swapped ? '_LRF_parallel' : '_RLF_cross';
    case '2x1':
      return swapped ? '_RLF_2x1' : '_2x1';
    case 'anaglyph':
      return `${swapped ? '_RLF' : ''}_redcyan${ANAGLYPH_MARKS[anaglyph ?? 'dubois']}`;
    case 'jps':
      return swapped ? '_RLF' : '';
    case 'mpo':
      return '';
    case 'rgbd':
      return '_RGBD';
    case 'depth':
      return '_depth16';
    case 'wiggle':
    case 'wiggle_mp4':
      return '_wiggle';
    case 'left':
    case 'right':
    case 'flat':
      return `_${format}`;
  }
}

const ANAGLYPH_MARKS: Readonly<Record<Anaglyph, string>> = { dubois: '', 'half-colour': '_half', grey: '_grey' };

const EXTENSIONS = {
  quilt: '.jpg',
  native: '.png',
  sbs: '.jpg',
  hsbs: '.jpg',
  tb: '.jpg',
  htb: '.jpg',
  cross: '.jpg',
  '2x1': '.jpg',
  anaglyph: '.jpg',
  mpo: '.mpo',
  jps: '.jps',
  rgbd: '.png',
  depth: '.png',
  wiggle: '.webp',
  wiggle_mp4: '.mp4',
  left: '.jpg',
  right: '.jpg',
  flat: '.jpg',
} as const satisfies Record<Format, string>;

/** A JPS is an ordinary JPEG; there is no type of its own that everybody knows. */
const TYPES = {
  '.jpg': 'image/jpeg',
  '.jps': 'image/jpeg',
  '.mpo': 'image/mpo',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
} as const;

/** MIME type of the file of a format. */
export function mimeType(format: Format): (typeof TYPES)[keyof typeof TYPES] {
  return TYPES[EXTENSIONS[format]];
}
