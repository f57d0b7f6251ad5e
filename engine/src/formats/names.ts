import { type Anaglyph, FORMATS, type Format } from '@framelift/contract/formats';
import type { DeviceProfile, StillOptions } from '../types.ts';
import { gridOf } from './devices.ts';

/** Longest stem in bytes (UTF-8); with any suffix well below the 255 allowed by file systems. */
const LONGEST_STEM = 150;
const FALLBACK = 'picture';
/** Device names reserved by Windows, with or without an extension. */
const RESERVED_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
/**
 * Path separators, characters reserved by Windows, control characters, lone surrogates, and invisible marks that change
 * the text direction.
 */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Quilt suffix, from which Looking Glass Studio reads the grid: an older one in the stem would be misread. */
const QUILT_SUFFIX = /_qs\d+x\d+a[\d.]+$/i;

const encoder = new TextEncoder();

/** Returns a stem that every file system accepts: NFC, without reserved characters, limited in length, never empty. */
export function safeStem(name: string): string {
  let stem = name
    .normalize('NFC')
    .replace(UNSAFE, '')
    .replace(/\s+/g, ' ')
    .replace(QUILT_SUFFIX, '')
    // A leading dot hides a file; Windows drops a trailing dot or space.
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
 * Returns the file name that a device or player expects for a format. `_LRF` and `_RLF` state which eye comes first: a
 * file with swapped eyes (`swapEyes`) is never named like a plain one.
 */
export function fileName(name: string, format: Format, device: DeviceProfile, options: StillOptions = {}): string {
  return `${safeStem(name)}${suffix(format, device, options)}${FORMATS[format].ext}`;
}

/** Returns the name of the archive of several formats. */
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
    // A native picture is for one specific display.
    '{serial}': calibration?.serial ? `_${calibration.serial}` : '',
  };
  const chosen = swapEyes && swapped !== null ? swapped : plain;
  return chosen.replace(/\{.+?\}/, (name) => values[name as keyof typeof values]);
}

const ANAGLYPH_MARKS: Readonly<Record<Anaglyph, string>> = { dubois: '', 'half-colour': '_half', grey: '_grey' };
