import { readFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { EngineError } from '../errors.ts';
import { cutSize } from '../geometry/index.ts';
import type { Picture, Rect, Size } from '../types.ts';
import { sharp, UNTRUSTED } from './decoder.ts';
import { type PictureHeader, readHeader } from './header.ts';
import { isSrgb, type Nclx, nclxToSrgb } from './nclx.ts';
import { storedRect, turnUpright, uprightSize } from './orientation.ts';
import { profileToSrgb, wideProfileToSrgb } from './profile.ts';
import type { Samples } from './samples.ts';

/** A picture file that was read into memory and whose header was checked. */
export interface OpenPicture {
  readonly bytes: Uint8Array;
  readonly header: PictureHeader;
  /** Size of the whole upright picture. */
  readonly size: Size;
  /**
   * Decodes, cuts `crop` (upright pixels, inside the picture) and turns it upright. A crop longer than 4096 px is
   * scaled down to that; a smaller one keeps every pixel. 8-bit sRGB whatever the file holds, alpha on black. Damage
   * below the crop may go unnoticed: those rows are not decoded.
   *
   * @throws {EngineError} `pictureDamaged`
   */
  cut(crop: Rect): Promise<Picture>;
}

/**
 * Opens a picture by its content.
 *
 * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
 */
export async function openPicture(path: string): Promise<OpenPicture> {
  const bytes = await readFile(path);
  const header = await readHeader(bytes);
  return {
    bytes,
    header,
    size: uprightSize(header.stored, header.orientation),
    async cut(crop) {
      // Cutting and scaling before turning keeps whole-picture buffers out of memory.
      const area = storedRect(crop, header.stored, header.orientation);
      const stored = await decode(bytes, header, area).catch((cause: unknown) => {
        if (cause instanceof EngineError) throw cause;
        throw new EngineError('pictureDamaged', `pixels: ${(cause as Error).message}`, { cause });
      });
      return turnUpright(stored, header.orientation);
    },
  };
}

async function decode(bytes: Uint8Array, header: PictureHeader, area: Rect): Promise<Picture> {
  const { heif } = header;
  if (heif && header.type === 'image/heic') return toSrgb(await fit(heif.decode(area)), heif.icc, heif.nclx);
  if (heif?.nclx && !heif.icc && !isSrgb(heif.nclx))
    return toSrgb(await decodeSamples(bytes, header, area, heif.bits), null, heif.nclx);
  return decodeSrgb(bytes, header, area);
}

async function decodeSrgb(bytes: Uint8Array, header: PictureHeader, area: Rect): Promise<Picture> {
  const decoder = cutter(bytes, header, area);
  if (header.wide && header.hasProfile) wideProfileToSrgb(decoder);
  const { data, info } = await decoder.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The samples as the file holds them, for a colour description that libvips does not know. */
async function decodeSamples(bytes: Uint8Array, header: PictureHeader, area: Rect, bits: number): Promise<Samples> {
  const decoder = cutter(bytes, header, area);
  if (bits <= 8) {
    const { data, info } = await decoder.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, max: 255 };
  }
  const { data, info } = await decoder
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  // libvips shifts 10 and 12 bits up to 16 and leaves the low ones zero.
  const max = ((1 << bits) - 1) << (16 - bits);
  return { data: samples, width: info.width, height: info.height, max };
}

/** Decoding, cutting, scaling to the working size and laying on black, without a colour conversion of our own. */
function cutter(bytes: Uint8Array, { stored, stereo }: PictureHeader, area: Rect): Sharp {
  const decoder = sharp(bytes, UNTRUSTED);
  // Only an uncut JPEG or WebP can be shrunk while it is decoded.
  if (stereo || area.width !== stored.width || area.height !== stored.height) {
    const { x, y, width, height } = stereo ? inEye(area, stereo.left, stored) : area;
    decoder.extract({ left: x, top: y, width, height });
  }
  return decoder.flatten({ background: '#000' }).resize({ ...cutSize(area), fit: 'fill' });
}

/** Where a part of an eye's picture lies in the file, whose pixels may be squeezed. */
function inEye(area: Rect, eye: Rect, shown: Size): Rect {
  const across = eye.width / shown.width;
  const down = eye.height / shown.height;
  const x = Math.floor(area.x * across);
  const y = Math.floor(area.y * down);
  return {
    x: eye.x + x,
    y: eye.y + y,
    width: Math.ceil((area.x + area.width) * across) - x,
    height: Math.ceil((area.y + area.height) * down) - y,
  };
}

async function fit(samples: Samples): Promise<Samples> {
  const { width, height } = cutSize(samples);
  if (width === samples.width) return samples;
  const scaled = sharp(samples.data, { raw: { width: samples.width, height: samples.height, channels: 3 } }).resize({
    width,
    height,
    fit: 'fill',
  });
  if (samples.data instanceof Uint8Array) return { ...samples, data: await scaled.raw().toBuffer(), width, height };
  const data = await scaled.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
  return { ...samples, data: new Uint16Array(data.buffer, data.byteOffset, data.length / 2), width, height };
}

async function toSrgb(samples: Samples, icc: Uint8Array | null, nclx: Nclx | null): Promise<Picture> {
  const { data, width, height } = samples;
  if (icc) return { data: await profileToSrgb(samples, icc), width, height };
  const plain = data instanceof Uint8Array && samples.max === 255;
  if (plain && (nclx === null || isSrgb(nclx))) return { data, width, height };
  return { data: nclxToSrgb(samples, nclx ?? { primaries: 1, transfer: 13 }), width, height };
}
