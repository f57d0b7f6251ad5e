/** Finds the length fields of files, which random bit flips would rarely hit. */
import type { Kind } from './kinds.ts';

export interface LengthField {
  readonly at: number;
  readonly bytes: 2 | 4;
  readonly littleEndian: boolean;
}

const MOST = 400;

export function lengthFields(kind: Kind, file: Buffer): LengthField[] {
  if (kind === 'jpeg') return jpegSegments(file);
  if (kind === 'png') return pngChunks(file);
  if (kind === 'webp' || kind === 'avi') return riffChunks(file, 0, file.length);
  if (kind === 'heic' || kind === 'mp4') return boxes(file, 0, file.length);
  // Matroska lengths have variable size and occur throughout its header.
  return Array.from({ length: Math.min(MOST, Math.max(0, file.length - 4)) }, (_, at) => ({
    at,
    bytes: 2,
    littleEndian: false,
  }));
}

function jpegSegments(file: Buffer): LengthField[] {
  const found: LengthField[] = [];
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff && found.length < MOST; ) {
    const marker = file[at + 1] as number;
    found.push({ at: at + 2, bytes: 2, littleEndian: false });
    if (marker === 0xda) break;
    at += 2 + file.readUInt16BE(at + 2);
  }
  return found;
}

function pngChunks(file: Buffer): LengthField[] {
  const found: LengthField[] = [];
  for (let at = 8; at + 12 <= file.length && found.length < MOST; at += 12 + file.readUInt32BE(at))
    found.push({ at, bytes: 4, littleEndian: false });
  return found;
}

function riffChunks(file: Buffer, from: number, to: number): LengthField[] {
  const found: LengthField[] = [];
  for (let at = from; at + 8 <= to && found.length < MOST; ) {
    found.push({ at: at + 4, bytes: 4, littleEndian: true });
    const length = file.readUInt32LE(at + 4);
    const name = file.toString('latin1', at, at + 4);
    if (name === 'RIFF' || name === 'LIST') found.push(...riffChunks(file, at + 12, Math.min(to, at + 8 + length)));
    at += 8 + length + (length % 2);
  }
  return found;
}

const CONTAINERS = [
  'moov',
  'trak',
  'mdia',
  'minf',
  'stbl',
  'meta',
  'iprp',
  'ipco',
  'udta',
  'edts',
  'dinf',
  'moof',
  'traf',
];

function boxes(file: Buffer, from: number, to: number): LengthField[] {
  const found: LengthField[] = [];
  for (let at = from; at + 8 <= to && found.length < MOST; ) {
    found.push({ at, bytes: 4, littleEndian: false });
    const length = file.readUInt32BE(at);
    if (length < 8) break;
    const name = file.toString('latin1', at + 4, at + 8);
    if (CONTAINERS.includes(name)) {
      // `meta` of pictures has a version before its boxes.
      const head = name === 'meta' ? 12 : 8;
      found.push(...boxes(file, at + head, Math.min(to, at + length)));
    } else if (length >= 20) {
      // Entry counts follow version and flags.
      found.push({ at: at + 12, bytes: 4, littleEndian: false });
    }
    at += length;
  }
  return found;
}
