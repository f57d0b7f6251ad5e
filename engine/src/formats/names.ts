import { type Anaglyph, FORMATS, type Format } from '@framelift/contract/formats';
import type { DeviceProfile, StillOptions } from '../types.ts';
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
  return `${safeStem(name)}${suffix(format, device, options)}${FORMATS[format].ext}`;
}

/** Name of the archive of several formats. */
export function archiveName(name: string): string {
  return `${safeStem(name)}.zip`;
}

function suffix(format: Format, device: DeviceProfile, options: StillOptions): string {
  const { suffix: plain, swapped } = FORMATS[format];
  const { columns, rows, aspect } = gridOf(device);
  const { swapEyes, anaglyph = 'dubois', calibration } = options;
  const values = {
    '{grid}': `${columns}x${rows}a${aspect}`,
    '{colours}': ANAGLYPH_MARKS[anaglyph],
    // A native picture is for one display only.
    '{serial}': calibration?.serial ? `_${calibration.serial}` : '',
  };
  const chosen = swapEyes && swapped !== null ? swapped : plain;
  return chosen.replace(/\{.+?\}/, (name) => values[name as keyof typeof values]);
}

const ANAGLYPH_MARKS: Readonly<Record<Anaglyph, string>> = { dubois: '', 'half-colour': '_half', grey: '_grey' };
