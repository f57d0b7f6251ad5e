import { ANAGLYPHS, type Anaglyph, isVideoFormat, type VideoFormat } from '@framelift/contract';

/** What is asked of a file of a video. */
export interface VideoVariant {
  readonly format: VideoFormat;
  readonly options: { readonly swapEyes?: true; readonly anaglyph?: Anaglyph };
}

/** Mark of swapped eyes in the name of a variant, behind its format: `anaglyph~swapped~grey`. */
export const SWAPPED = 'swapped';

/** Parses the name of a file variant; null for one that no video has. */
export function parseVideoVariant(variant: string): VideoVariant | null {
  const [format = '', ...marks] = variant.split('~');
  if (!isVideoFormat(format)) return null;
  const anaglyph = ANAGLYPHS.find((kind) => marks.includes(kind));
  return { format, options: { ...(marks.includes(SWAPPED) && { swapEyes: true }), ...(anaglyph && { anaglyph }) } };
}
