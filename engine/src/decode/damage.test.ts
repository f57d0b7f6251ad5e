import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { colourAt, difference, drawScene, encoder, phoneJpeg } from '../testing/pictures.ts';
import type { Picture, Rect } from '../types.ts';
import { type CutPicture, openPicture } from './open.ts';
import { readChunks } from './png.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-damage-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
async function openWhole(bytes: Uint8Array): Promise<CutPicture> {
  const path = join(folder, `${count++}`);
  writeFileSync(path, bytes);
  const opened = await openPicture(path);
  return opened.cut({ x: 0, y: 0, ...opened.size });
}

const SCENE = drawScene(480, 640);
const start = (bytes: Buffer, share: number) => bytes.subarray(0, Math.round(bytes.length * share));
const jpeg = (options = {}) =>
  encoder(SCENE)
    .jpeg({ quality: 90, ...options })
    .toBuffer();
const png = (options = {}) => encoder(SCENE).png(options).toBuffer();
const webp = () => encoder(SCENE).webp({ quality: 90 }).toBuffer();
const gif = () => encoder(SCENE).gif().toBuffer();

function insert(bytes: Buffer, at: number, more: readonly number[] | Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)]);
}

/** Returns the offset of the first marker of this type that is no part of another segment. */
function markerAt(bytes: Buffer, marker: number): number {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) if (bytes[at + 1] === marker) return at;
  throw new Error(`no marker ${marker}`);
}

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

/** Sets the spectral end of the scan of a baseline JPEG to 0, as some phones and toy cameras do. */
function withSe0(bytes: Buffer): Buffer {
  const scan = markerAt(bytes, 0xda);
  return changed(bytes, scan + 2 + bytes.readUInt16BE(scan + 2) - 2, 0);
}

/** Returns a baseline JPEG with a restart interval of one row of blocks, written by copying its scan row by row. */
async function withRestarts(stray: readonly number[]): Promise<Buffer> {
  // Every strip is a picture of its own, 16 rows high: its scan starts with the same predictions as after a restart.
  const strips: Buffer[] = [];
  for (let y = 0; y < SCENE.height; y += 16) {
    const strip = await encoder(SCENE)
      .extract({ left: 0, top: y, width: SCENE.width, height: 16 })
      .jpeg({ quality: 90, optimiseCoding: false, mozjpeg: false })
      .toBuffer();
    strips.push(strip);
  }
  const first = strips[0] as Buffer;
  const frame = markerAt(first, 0xc0);
  const head = Buffer.from(first.subarray(0, markerAt(first, 0xda)));
  head.writeUInt16BE(SCENE.height, frame + 5);
  const interval = [0xff, 0xdd, 0, 4, 0, SCENE.width / 16];
  const parts = strips.map((strip, i) => {
    const scan = markerAt(strip, 0xda);
    const data = strip.subarray(i === 0 ? scan : scan + 2 + strip.readUInt16BE(scan + 2), -2);
    const restart = i === strips.length - 1 ? [] : [...stray, 0xff, 0xd0 + (i % 8)];
    return Buffer.concat([data, Buffer.from(restart)]);
  });
  return Buffer.concat([head, Buffer.from(interval), ...parts, Buffer.from([0xff, 0xd9])]);
}

/** Returns a PNG whose chunks of a type were changed by `edit`; their checksums stay as they were. */
function withChunk(bytes: Buffer, type: string, edit: (body: Buffer, checksum: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 8; at < copy.length; ) {
    const end = at + 8 + copy.readUInt32BE(at);
    if (copy.toString('latin1', at + 4, at + 8) === type) edit(copy.subarray(at + 8, end), copy.subarray(end, end + 4));
    at = end + 4;
  }
  return copy;
}

/** Changes the Adler-32 sum at the end of the pixel data and makes the checksum of its chunk right again. */
function withWrongAdler(bytes: Buffer): Buffer {
  let left = [...readChunks(bytes)].filter(({ type }) => type === 'IDAT').length;
  return withChunk(bytes, 'IDAT', (body, checksum) => {
    left--;
    if (left > 0) return;
    body[body.length - 1] = (body[body.length - 1] as number) ^ 0xff;
    checksum.writeUInt32BE(crc32(body, crc32('IDAT')));
  });
}

const flip = (_: Buffer, checksum: Buffer) => {
  checksum[0] = (checksum[0] as number) ^ 0xff;
};

function differenceIn(picture: Picture, rows: { readonly from: number; readonly to: number }): Promise<number> {
  const part = ({ data, width }: Picture): Picture => ({
    data: data.slice(rows.from * width * 3, rows.to * width * 3),
    width,
    height: rows.to - rows.from,
  });
  return difference(part(picture), part(SCENE));
}

describe('what a browser shows whole is opened whole, without a note [W1]', () => {
  const cases: readonly [string, () => Promise<Buffer>][] = [
    ['a JPEG with Se=0 in its scan', async () => withSe0(await jpeg())],
    ['a JPEG without an end marker', async () => (await jpeg()).subarray(0, -2)],
    ['a progressive JPEG without an end marker', async () => (await jpeg({ progressive: true })).subarray(0, -2)],
    ['a JPEG with half an end marker', async () => (await jpeg()).subarray(0, -1)],
    [
      'a JPEG with garbage between its markers',
      async () => {
        const file = await jpeg();
        return insert(file, markerAt(file, 0xc0), [0, 0x12, 0x34, 0xff, 0, 0x56]);
      },
    ],
    [
      'a JPEG with garbage between its markers and Se=0',
      async () => {
        const file = withSe0(await jpeg());
        return insert(file, markerAt(file, 0xda), [1, 2, 3, 4, 5]);
      },
    ],
    ['a JPEG with restart markers', () => withRestarts([])],
    ['a JPEG with stray bytes before its restart markers', () => withRestarts([0, 0, 0])],
    ['a JPEG with bytes after its end', async () => Buffer.concat([await jpeg(), Buffer.alloc(3000, 7)])],
    ['a JPEG followed by a second one', async () => Buffer.concat([await jpeg(), await jpeg()])],
    [
      'a JPEG with its Huffman tables twice',
      async () => {
        const file = await jpeg();
        const table = markerAt(file, 0xc4);
        return insert(file, table, file.subarray(table, table + 2 + file.readUInt16BE(table + 2)));
      },
    ],
    ['a JPEG with an application segment of length 0', async () => insert(await jpeg(), 2, [0xff, 0xe5, 0, 0])],
    [
      'a JPEG with an application segment that says too little',
      async () => insert(await jpeg(), 2, [0xff, 0xe5, 0, 4, 1, 2, 3, 4, 5, 6]),
    ],
    ['a PNG with a wrong Adler sum', async () => withWrongAdler(await png())],
    ['an interlaced PNG with a wrong Adler sum', async () => withWrongAdler(await png({ progressive: true }))],
    ['a palette PNG with a wrong Adler sum', async () => withWrongAdler(await png({ palette: true }))],
    ['a PNG with a wrong checksum of its pixels', async () => withChunk(await png(), 'IDAT', flip)],
    ['a PNG with a wrong checksum of its palette', async () => withChunk(await png({ palette: true }), 'PLTE', flip)],
    ['a PNG with a wrong checksum of its density', async () => withChunk(await png(), 'pHYs', flip)],
    ['a PNG without its end', async () => (await png()).subarray(0, -12)],
    ['a PNG without its end and its last checksum', async () => (await png()).subarray(0, -16)],
    [
      'a WebP with a cut EXIF',
      async () =>
        (
          await encoder(SCENE)
            .withExif({ IFD0: { Make: 'x' } })
            .webp()
            .toBuffer()
        ).subarray(0, -9),
    ],
    ['a GIF without its end', async () => (await gif()).subarray(0, -1)],
    ['a GIF without the end of its pixels', async () => (await gif()).subarray(0, -2)],
  ];
  test.each(cases)('%s', async (_, make) => {
    const picture = await openWhole(await make());
    expect(picture.incomplete).toBe(false);
    expect([picture.width, picture.height]).toEqual([480, 640]);
    expect(await difference(picture, SCENE)).toBeLessThan(4);
  });
});

describe('of a picture that is cut short the part that came is opened, with a note [W1][T19]', () => {
  const cases: readonly [string, () => Promise<Buffer>][] = [
    ['JPEG', () => jpeg()],
    ['JPEG with Se=0', async () => withSe0(await jpeg())],
    ['JPEG with restart markers', () => withRestarts([])],
    ['JPEG with stray bytes before its restart markers', () => withRestarts([0, 0, 0])],
    ['PNG', () => png()],
    ['16-bit PNG', () => encoder(SCENE).toColourspace('rgb16').png().toBuffer()],
    ['palette PNG', () => png({ palette: true })],
    ['WebP', () => webp()],
    ['GIF', () => gif()],
  ];
  test.each(cases)('%s', async (_, make) => {
    const file = await make();
    const half = await openWhole(start(file, 0.6));
    expect(half.incomplete).toBe(true);
    expect([half.width, half.height]).toEqual([480, 640]);
    expect(await differenceIn(half, { from: 0, to: 160 })).toBeLessThan(5);
    const almost = await openWhole(start(file, 0.97));
    expect(almost.incomplete).toBe(true);
    expect(await differenceIn(almost, { from: 0, to: 480 })).toBeLessThan(5);
  });

  test('a progressive JPEG, within a scan and between two', async () => {
    const file = await jpeg({ progressive: true });
    const scans: number[] = [];
    for (let at = file.indexOf(0xff); at >= 0; at = file.indexOf(0xff, at + 1))
      if (file[at + 1] === 0xda || file[at + 1] === 0xc4) scans.push(at);
    for (const end of [Math.round(file.length * 0.7), scans.at(-1) as number]) {
      const picture = await openWhole(file.subarray(0, end));
      expect(picture.incomplete).toBe(true);
      expect(await difference(picture, SCENE)).toBeLessThan(8);
    }
  });

  test('a JPEG whose end marker comes too early', async () => {
    const file = await jpeg();
    const middle = Math.round(file.length * 0.7);
    const picture = await openWhole(insert(file, middle, [0xff, 0xd9]));
    expect(picture.incomplete).toBe(true);
    expect(await differenceIn(picture, { from: 0, to: 240 })).toBeLessThan(5);
  });

  test('a PNG with a changed byte in its pixels', async () => {
    const file = await png();
    const [idat] = [...readChunks(file)].filter(({ type }) => type === 'IDAT');
    const at = (idat?.body.byteOffset ?? 0) - file.byteOffset + Math.round((idat?.body.length ?? 0) * 0.8);
    expect((await openWhole(changed(file, at, (file[at] as number) ^ 0x5a))).incomplete).toBe(true);
  });

  test('a GIF with an invalid code in its pixels', async () => {
    const file = await gif();
    // The largest codes, which no table has yet.
    const damaged = Buffer.from(file);
    damaged.fill(0xff, Math.round(file.length * 0.7), Math.round(file.length * 0.75));
    const picture = await openWhole(damaged);
    expect(picture.incomplete).toBe(true);
    expect(await differenceIn(picture, { from: 0, to: 160 })).toBeLessThan(5);
  });

  test('a turned photo lacks the side that the camera wrote last', async () => {
    const stored = drawScene(640, 480);
    const file = await phoneJpeg(stored, 6);
    const picture = await openWhole(start(file, 0.6));
    expect(picture.incomplete).toBe(true);
    expect([picture.width, picture.height]).toEqual([480, 640]);
    expect(colourAt(picture, 0.03, 0.5)).toEqual([128, 128, 128]);
  });

  test('a crop above the missing part is whole', async () => {
    const path = join(folder, 'above.png');
    writeFileSync(path, start(await jpeg(), 0.9));
    const opened = await openPicture(path);
    const top: Rect = { x: 0, y: 0, width: 480, height: 300 };
    expect((await opened.cut(top)).incomplete).toBe(false);
    expect((await opened.cut({ ...top, y: 340 })).incomplete).toBe(true);
  });
});
