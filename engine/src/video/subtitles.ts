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
export function timedText(data: Uint8Array, codec: number): Buffer {
  if (codec === AV_CODEC_ID_MOV_TEXT) return Buffer.from(data);
  const text = Buffer.from(plainText(Buffer.from(data).toString('utf8'), codec)).subarray(0, 0xffff);
  const sample = Buffer.alloc(2 + text.length);
  sample.writeUInt16BE(text.length);
  text.copy(sample, 2);
  return sample;
}

function plainText(line: string, codec: number): string {
  let text = line.replace(/\0+$/, '');
  if (codec === AV_CODEC_ID_ASS)
    text = text
      .split(',')
      .slice(ASS_FIELDS)
      .join(',')
      .replace(/\{[^}]*\}/g, '')
      .replace(/\\[Nn]/g, '\n')
      .replace(/\\h/g, ' ');
  return text.replace(/<\/?[a-z][^>]*>/gi, '').trim();
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
