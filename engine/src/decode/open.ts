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

/** A picture file in memory with a validated header. */
export interface OpenPicture {
  readonly bytes: Uint8Array;
  readonly header: PictureHeader;
  /** Size of the whole upright picture. */
  readonly size: Size;
  /**
   * Decodes the picture, cuts `crop` (upright pixels, inside the picture) and rotates it upright. A crop with a side
   * above 4096 px is scaled down to that; a smaller one keeps every pixel. The result is 8-bit sRGB, with alpha
   * composited on black. Damage below the crop may go undetected, because those rows are not decoded.
   *
   * @throws {EngineError} `pictureDamaged`
   */
  cut(crop: Rect): Promise<Picture>;
}

/**
 * Opens a picture file; the type is detected from its content.
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
      // Cropping and scaling before rotation avoids full-picture buffers.
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

/** Decodes the samples as stored, for a colour description that libvips does not support. */
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
  // libvips shifts 10- and 12-bit samples up to 16 bits and leaves the low bits zero.
  const max = ((1 << bits) - 1) << (16 - bits);
  return { data: samples, width: info.width, height: info.height, max };
}

/**
 * Builds the pipeline that decodes, crops, scales to the working size and flattens onto black, without colour
 * conversion.
 */
function cutter(bytes: Uint8Array, { stored, stereo }: PictureHeader, area: Rect): Sharp {
  const decoder = sharp(bytes, UNTRUSTED);
  // Shrink-on-load works only for an uncropped JPEG or WebP.
  if (stereo || area.width !== stored.width || area.height !== stored.height) {
    const { x, y, width, height } = stereo ? inEye(area, stereo.left, stored) : area;
    decoder.extract({ left: x, top: y, width, height });
  }
  return decoder.flatten({ background: '#000' }).resize({ ...cutSize(area), fit: 'fill' });
}

/** Maps an area of an eye's picture to file pixels, which may be squeezed. */
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
