import { LIMITS } from './limits.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Returns the first graphemes of a text, at most `count`, without those longer than `units` UTF-16 code units. A grapheme
 * is what people see as one character: an emoji of a family or a flag is one.
 */
export function firstGraphemes(text: string, count: number, units: number): string {
  let kept = '';
  let taken = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (taken === count) break;
    if (segment.length > units) continue;
    kept += segment;
    taken++;
  }
  return kept;
}

/** Returns the beginning of a name-like text that fits its field: `textLength` graphemes, none of them too long. */
export function fittingText(text: string): string {
  return firstGraphemes(text, LIMITS.textLength, LIMITS.graphemeUnits);
}
