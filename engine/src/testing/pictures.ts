import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { assemblePng, chunkParts, headerChunk } from '../decode/png.ts';
import type { Picture, Size } from '../types.ts';

/** RGB, 0 … 255 each. */
export type Rgb = readonly [number, number, number];

/** Draws a picture pixel by pixel. */
export function draw(width: number, height: number, colour: (x: number, y: number) => Rgb): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i += 3) data.set(colour(x, y), i);
  return { data, width, height };
}

/**
 * Draws a synthetic photograph: sky, ground with a fine pattern, and a bright object standing on it. The four corners
 * differ, so that all rotations and mirror images can be distinguished.
 */
export function drawScene(width: number, height: number): Picture {
  return draw(width, height, (x, y) => {
    const u = x / width;
    const v = y / height;
    const inThing = Math.abs(u - 0.4) < 0.16 && v > 0.3 && v < 0.85;
    if (inThing) return [230, 120 + ((x >> 3) % 2) * 40, 60];
    if (v < 0.4) return [120 + 60 * u, 160 + 40 * v, 220];
    const tile = ((x >> 4) + (y >> 4)) % 2;
    return [40 + 60 * v + 30 * tile, 90 + 30 * tile, 50 + 60 * u];
  });
}

/** Returns the picture as a sharp input, for encoding. */
export function encoder({ data, width, height }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Draws a disc of one colour in the middle of nothing; what is transparent is black, as many programs leave it. */
export function drawingOnNothing(width: number, height: number, [r, g, b]: Rgb): Sharp {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (Math.hypot(x - width / 2, y - height / 2) < width / 4) data.set([r, g, b, 255], (y * width + x) * 4);
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** Decodes a file, given as its bytes or path, without its transparency. */
export async function decoded(file: Uint8Array | string): Promise<Picture> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Returns pictures of one size as a sharp input of several frames, for encoding an animation. */
export function animation(frames: readonly Picture[]): Sharp {
  const [{ width, height }] = frames as [Picture];
  const data = Buffer.concat(frames.map((frame) => frame.data));
  return sharp(data, { raw: { width, height: height * frames.length, channels: 3, pageHeight: height } });
}

/** Returns the pixels as a camera stores `upright` with this EXIF orientation (EXIF 2.32, tag 0x0112). */
export function storedAs(upright: Picture, orientation: number): Picture {
  const right = upright.width - 1;
  const bottom = upright.height - 1;
  const place = (column: number, row: number): readonly [number, number] => {
    if (orientation === 2) return [right - column, row];
    if (orientation === 3) return [right - column, bottom - row];
    if (orientation === 4) return [column, bottom - row];
    if (orientation === 5) return [row, column];
    if (orientation === 6) return [right - row, column];
    if (orientation === 7) return [right - row, bottom - column];
    if (orientation === 8) return [row, bottom - column];
    return [column, row];
  };
  const [width, height] = orientation >= 5 ? [upright.height, upright.width] : [upright.width, upright.height];
  return draw(width, height, (column, row) => {
    const [x, y] = place(column, row);
    const i = (y * upright.width + x) * 3;
    return [upright.data[i] as number, upright.data[i + 1] as number, upright.data[i + 2] as number];
  });
}

/** Encodes a JPEG as written by a phone: EXIF with an orientation and a GPS position. */
export async function phoneJpeg(picture: Picture, orientation: number): Promise<Buffer> {
  return encoder(picture)
    .withExif({
      IFD0: { Make: 'Testphone' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '25/1 2/1 15/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '121/1 33/1 52/1',
      },
    })
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Builds a uniformly grey PNG with 1 bit per pixel: a few hundred kilobytes at any size. */
export function blankPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return assemblePng([headerChunk(width, height, 1, 0), ['IDAT', deflateSync(rows)]]);
}

/** Returns the picture size stated in an encoded file. */
export async function sizeOf(file: Uint8Array): Promise<Size> {
  const { width, height } = await sharp(file).metadata();
  return { width, height };
}

/** Embeds an ICC profile in a PNG, whether or not it matches. */
export function withPngProfile(file: Buffer, icc: Buffer): Buffer {
  const afterHeader = 8 + 25;
  const profile = chunkParts(['iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)])]);
  return Buffer.concat([file.subarray(0, afterHeader), ...profile, file.subarray(afterHeader)]);
}

/** Embeds an ICC profile in a JPEG, whether or not it matches. */
export function withJpegProfile(file: Buffer, icc: Buffer): Buffer {
  const size = 65_000;
  const count = Math.ceil(icc.length / size);
  const segments = Array.from({ length: count }, (_, i) => {
    const part = icc.subarray(i * size, (i + 1) * size);
    const head = Buffer.from([0xff, 0xe2, 0, 0]);
    head.writeUInt16BE(2 + 12 + 2 + part.length, 2);
    return Buffer.concat([head, Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([i + 1, count]), part]);
  });
  return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
}

/** Returns the built-in libvips profile of this name. */
export async function builtInProfile(name: 'p3' | 'cmyk'): Promise<Buffer> {
  const { icc } = await sharp(
    await encoder(draw(8, 8, () => [0, 0, 0]))
      .withIccProfile(name)
      .jpeg()
      .toBuffer(),
  ).metadata();
  if (icc === undefined) throw new Error(`libvips embedded no ${name} profile`);
  return icc;
}

/** Returns the mean absolute difference of two pictures, 0 … 255, compared at a width of 64 px. */
export async function difference(a: Picture, b: Picture): Promise<number> {
  const [small, other] = [await shrink(a, 64), await shrink(b, 64)];
  if (small.height !== other.height) return 255;
  const sum = small.data.reduce((sum, value, i) => sum + Math.abs(value - (other.data[i] as number)), 0);
  return sum / small.data.length;
}

/** Returns the mean colour of 5 x 5 pixels at a position given as fractions of width and height. */
export function colourAt({ data, width, height }: Picture, u: number, v: number): Rgb {
  const sum: [number, number, number] = [0, 0, 0];
  const x0 = Math.min(Math.max(Math.round(u * width), 2), width - 3);
  const y0 = Math.min(Math.max(Math.round(v * height), 2), height - 3);
  for (let y = y0 - 2; y <= y0 + 2; y++)
    for (let x = x0 - 2; x <= x0 + 2; x++)
      for (let c = 0; c < 3; c++) sum[c as 0 | 1 | 2] += (data[(y * width + x) * 3 + c] as number) / 25;
  return [Math.round(sum[0]), Math.round(sum[1]), Math.round(sum[2])];
}

/** Downscales the picture to a width, for comparisons. */
export async function shrink(picture: Picture, width: number): Promise<Picture> {
  const height = Math.round((width * picture.height) / picture.width);
  return { data: await encoder(picture).resize(width, height, { fit: 'fill' }).raw().toBuffer(), width, height };
}
