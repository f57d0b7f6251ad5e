import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
} from 'node-av/constants';
import type { Stream } from 'node-av/lib';

const TEXT_CODECS = new Set<number>([
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
]);
/** Number of fields before the text in a line of ASS as Matroska stores it: ReadOrder, Layer, Style, … Effect. */
const ASS_FIELDS = 8;

/** Returns whether a subtitle track is text, which fits into an MP4; bitmap subtitles do not. */
export function isTextSubtitle({ codecpar }: Stream): boolean {
  return TEXT_CODECS.has(codecpar.codecId);
}

/** Returns the sample of an MP4 text track (3GPP TS 26.245): the length in two bytes, then UTF-8. */
export function timedText(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 0xffff);
  const sample = Buffer.alloc(2 + bytes.length);
  sample.writeUInt16BE(bytes.length);
  bytes.copy(sample, 2);
  return sample;
}

/** Returns the text of a subtitle without its styles; empty if it only draws shapes. */
export function plainText(line: string, codec: number): string {
  let text = line.replace(/\0+$/, '');
  if (codec === AV_CODEC_ID_ASS) {
    text = withoutDrawings(text.split(',').slice(ASS_FIELDS).join(','))
      .replace(/\\[Nn]/g, '\n')
      .replace(/\\h/g, ' ');
  }
  return text.replace(/<\/?[a-z][^>]*>/gi, '').trim();
}

/** Removes override blocks such as `{\i1}`, and what lies between `{\p1}` and `{\p0}`: coordinates of a drawing. */
function withoutDrawings(text: string): string {
  let drawing = false;
  return text
    .split(/(\{[^}]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return drawing ? '' : part;
      const modes = [...part.matchAll(/\\p(\d+)/g)];
      if (modes.length > 0) drawing = Number(modes.at(-1)?.[1]) > 0;
      return '';
    })
    .join('');
}

/** A text and when it is shown, in milliseconds. */
interface Cue {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How long a line without an end is shown, unless another one follows earlier. */
const UNENDED_MS = 5000;

/**
 * Turns lines that may overlap into samples that follow each other, as MP4 requires: where two lines are shown together,
 * their texts stand in one sample. Lines arrive in the order of their starts.
 */
export class CueTimeline {
  #shown: { readonly to: number; readonly text: string; readonly unended: boolean }[] = [];
  #from = 0;

  /** Adds a line. Returns the samples that are complete. */
  add({ from, to, text }: Cue): Cue[] {
    if (text === '') return [];
    const start = Math.max(from, this.#from);
    const done = this.#until(start);
    this.#shown = this.#shown.filter(({ unended }) => !unended);
    const unended = to <= from;
    if (unended || to > start) this.#shown.push({ to: unended ? start + UNENDED_MS : to, text, unended });
    return done;
  }

  end(): Cue[] {
    return this.#until(Number.POSITIVE_INFINITY);
  }

  #until(time: number): Cue[] {
    const done: Cue[] = [];
    while (this.#shown.length > 0) {
      const to = Math.min(time, ...this.#shown.map((line) => line.to));
      const text = [...new Set(this.#shown.map((line) => line.text))].join('\n');
      if (to > this.#from) done.push({ from: this.#from, to, text });
      this.#from = Math.max(this.#from, to);
      this.#shown = this.#shown.filter((line) => line.to > to);
      if (to === time) break;
    }
    if (time < Number.POSITIVE_INFINITY) this.#from = Math.max(this.#from, time);
    return done;
  }
}

/** Text style: white, centred at the bottom, 18 points of a plain font. Fields as in 3GPP TS 26.245, 5.16. */
export const TEXT_STYLE = Buffer.concat([
  Buffer.from([0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]),
  Buffer.alloc(8),
  Buffer.from([0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0, 0, 0, 18]),
  Buffer.from('ftab'),
  Buffer.from([0, 1, 0, 1, 5]),
  Buffer.from('Serif'),
]);
