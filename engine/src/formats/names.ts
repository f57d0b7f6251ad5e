import type { DeviceProfile, Format } from '../types.ts';
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

/** How a device or player expects the file of a format to be called. */
export function fileName(name: string, format: Format, device: DeviceProfile): string {
  return `${safeStem(name)}${suffix(format, device)}${EXTENSIONS[format]}`;
}

function suffix(format: Format, device: DeviceProfile): string {
  switch (format) {
    case 'quilt': {
      const { columns, rows, aspect } = gridOf(device);
      return `_qs${columns}x${rows}a${aspect}`;
    }
    case 'sbs':
      // A panel whose own format is the full pair is Leia-class: its player knows pairs by this mark.
      return device.format === 'sbs' ? '_2x1' : '_LRF_Full_SBS';
    case 'hsbs':
      return '_LR';
    case 'anaglyph':
      return '_redcyan';
    case 'rgbd':
      return '_RGBD';
    case 'depth':
      return '_depth16';
    case 'wiggle':
      return '_wiggle';
    case 'flat':
      return '_flat';
  }
}

const EXTENSIONS: Readonly<Record<Format, '.jpg' | '.png' | '.webp'>> = {
  quilt: '.jpg',
  sbs: '.jpg',
  hsbs: '.jpg',
  anaglyph: '.jpg',
  rgbd: '.png',
  depth: '.png',
  wiggle: '.webp',
  flat: '.jpg',
};

const TYPES = { '.jpg': 'image/jpeg', '.png': 'image/png', '.webp': 'image/webp' } as const;

/** MIME type of the file of a format. */
export function mimeType(format: Format): (typeof TYPES)[keyof typeof TYPES] {
  return TYPES[EXTENSIONS[format]];
}
