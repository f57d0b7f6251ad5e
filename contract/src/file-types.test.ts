import { describe, expect, it } from 'vitest';
import { FILE_TYPES, type FileType, fileTypes, sniffFile, typeOfExtension, typeOfMime } from './file-types.ts';

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part)));
const ftyp = (major: string, ...compatible: string[]) =>
  bytes([0, 0, 0, 16 + 4 * compatible.length], 'ftyp', major, [0, 0, 0, 0], ...compatible);
const packets = (first: number, length: number) => {
  const stream = new Uint8Array(3 * length);
  for (let at = first; at < stream.length; at += length) stream[at] = 0x47;
  return stream;
};

describe('the type of a file by its first bytes', () => {
  it.each<[string, Uint8Array, FileType | null]>([
    ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe1]), 'jpeg'],
    ['a PNG', bytes([0x89], 'PNG\r\n', [0x1a], '\n'), 'png'],
    ['a WebP', bytes('RIFF....WEBP'), 'webp'],
    ['a GIF', bytes('GIF89a'), 'gif'],
    ['a TIFF', bytes('II', [0x2a, 0]), 'tiff'],
    ['a TIFF of a Mac', bytes('MM', [0, 0x2a]), 'tiff'],
    ['a HEIC', ftyp('heic', 'mif1', 'heic'), 'heic'],
    ['a HEIC of Android', ftyp('mif1', 'heic'), 'heic'],
    ['a sequence', ftyp('msf1', 'hevc'), 'heic'],
    ['an AVIF', ftyp('avif', 'mif1'), 'avif'],
    ['an AVIF of an encoder', ftyp('mif1', 'avif', 'miaf'), 'avif'],
    ['an MP4', ftyp('isom', 'mp41'), 'mp4'],
    ['an MP4 of a phone that names stills too', ftyp('mp42', 'heic', 'mif1'), 'mp4'],
    ['an MP4 of an unknown brand', ftyp('abcd'), 'mp4'],
    ['a MOV', ftyp('qt  '), 'mov'],
    ['an old MOV', bytes([0, 0, 0, 8], 'wide'), 'mov'],
    ['a 3GP', ftyp('3gp5'), '3gp'],
    ['a 3G2', ftyp('3g2a'), '3gp'],
    ['an MKV', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88], 'matroska'), 'mkv'],
    ['a WebM', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84], 'webm'), 'webm'],
    ['an AVI', bytes('RIFF....AVI LIST'), 'avi'],
    ['a WMV', bytes([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]), 'wmv'],
    ['an FLV', bytes('FLV', [1]), 'flv'],
    ['an MPEG', bytes([0, 0, 1, 0xba]), 'mpg'],
    ['a TS', packets(0, 188), 'ts'],
    ['a TS of a disc', packets(4, 192), 'ts'],
    ['a song', ftyp('M4A ', 'isom'), null],
    ['a raw photo', ftyp('crx ', 'isom'), null],
    ['a WAV', bytes('RIFF....WAVE'), null],
    ['a text', bytes('G'), null],
    ['nothing', new Uint8Array(), null],
  ])('knows %s [W20][T12]', (_what, head, type) => {
    expect(sniffFile(head)).toBe(type);
  });
});

it('knows each extension and MIME type once', () => {
  for (const type of Object.keys(FILE_TYPES) as FileType[]) {
    const { mime, aliases, extensions } = FILE_TYPES[type];
    for (const name of [mime, mime.toUpperCase(), ...aliases]) expect(typeOfMime(name)).toBe(type);
    for (const extension of extensions) expect(typeOfExtension(extension)).toBe(type);
  }
  expect([typeOfMime('constructor'), typeOfExtension('toString')]).toEqual([null, null]);
});

it('names few types in the preset literal, and all else [X14]', () => {
  expect(fileTypes('picture', 'literal')).toEqual(['jpeg', 'png']);
  expect(fileTypes('video', 'literal')).toEqual(['mp4', 'mov', 'mkv', 'avi']);
  expect(fileTypes('picture', 'all')).toEqual(['jpeg', 'png', 'heic', 'avif', 'webp', 'gif', 'tiff']);
});
