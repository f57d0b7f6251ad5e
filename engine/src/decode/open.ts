import { readFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { EngineError } from '../errors.ts';
import { cutSize, flatten, type Ground, groundFor, visiblePart, WHITE_GROUND } from '../geometry/index.ts';
import type { Crop, Picture, Rect, Size } from '../types.ts';
import { decodeRaster, sharp } from './decoder.ts';
import { editOrientation, resized, straighten, straightenedSource, withBorder } from './edited.ts';
import { type PictureHeader, readHeader } from './header.ts';
import { type Nclx, nclxToSrgb, peakOf } from './nclx.ts';
import { bothTurns, type Orientation, storedRect, turnUpright, uprightSize } from './orientation.ts';
import { profileToSrgb, wideProfileToSrgb } from './profile.ts';
import type { Samples } from './samples.ts';

/** A picture file in memory with a validated header. */
export interface OpenPicture {
  readonly bytes: Uint8Array;
  readonly header: PictureHeader;
  /** Size of the whole upright picture. */
  readonly size: Size;
  /**
   * Decodes the picture, turns it upright and as `crop` asks, and cuts `crop`, which `cropProblem` accepts. A crop with
   * a side above 4096 px is scaled down to that, and one with a side below 256 px up to that; others keep every pixel,
   * but for those that are straightened, which are sampled. The result is 8-bit sRGB. Damage below the crop may go undetected, because those rows are not decoded.
   *
   * @param ground colour behind transparent parts; by default one on which the picture can be seen
   * @throws {EngineError} `pictureDamaged` when no part of the picture can be decoded
   */
  cut(crop: Crop, ground?: Ground): Promise<CutPicture>;
}

export interface CutPicture extends Picture {
  /** A part of the picture is missing or damaged in the file. */
  readonly incomplete: boolean;
}

/**
 * Opens a picture file; the type is detected from its content.
 *
 * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
 */
export async function openPicture(path: string): Promise<OpenPicture> {
  const bytes = await readFile(path);
  return openHeader(bytes, await readHeader(bytes));
}

/** Opens a picture in memory by its header, which may be changed: to show one of two eyes. */
export function openHeader(bytes: Uint8Array, header: PictureHeader): OpenPicture {
  const upright = uprightSize(header.stored, header.orientation);
  /** Decodes a part of the turned picture. */
  const read = async (area: Rect, orientation: Orientation, ground: Ground | undefined): Promise<CutPicture> => {
    // Cropping and scaling before rotation avoids full-picture buffers.
    const part = storedRect(area, header.stored, orientation);
    const stored = await decode(bytes, header, part, ground).catch((cause: unknown) => {
      if (cause instanceof EngineError) throw cause;
      throw new EngineError('pictureDamaged', `pixels: ${(cause as Error).message}`, { cause });
    });
    return { ...turnUpright(stored.picture, orientation), incomplete: stored.incomplete };
  };
  return {
    bytes,
    header,
    size: upright,
    async cut(crop, ground) {
      const orientation = bothTurns(header.orientation, editOrientation(crop));
      const part = visiblePart(crop, upright);
      if (!crop.tilt && !crop.border) return read(part, orientation, ground);
      const size = cutSize(crop);
      const scale = size.width / crop.width;
      const shown = {
        width: Math.min(size.width, Math.max(1, Math.round(part.width * scale))),
        height: Math.min(size.height, Math.max(1, Math.round(part.height * scale))),
      };
      const box = crop.tilt ? straightenedSource(part, upright, uprightSize(header.stored, orientation), crop) : part;
      const { incomplete, ...source } = await read(box, orientation, ground);
      const picture = crop.tilt
        ? straighten(source, box, part, shown, { upright, crop })
        : await resized(source, shown);
      if (!crop.border) return { ...picture, incomplete };
      const at = (from: number, length: number, whole: number) =>
        Math.min(whole - length, Math.max(0, Math.round(from * scale)));
      const place = [
        at(part.x - crop.x, shown.width, size.width),
        at(part.y - crop.y, shown.height, size.height),
      ] as const;
      return { ...(await withBorder(picture, crop.border, size, place)), incomplete };
    },
  };
}

interface DecodedArea {
  readonly picture: Picture;
  readonly incomplete: boolean;
}

async function decode(
  bytes: Uint8Array,
  header: PictureHeader,
  area: Rect,
  wanted: Ground | undefined,
): Promise<DecodedArea> {
  const { heif, colour } = header;
  if (heif && header.type === 'image/heic') {
    const { samples, alpha, overview, incomplete } = heif.decode(area);
    const picture = await toSrgb(await fit(samples), colour ? null : heif.icc, colour);
    if (!alpha) return { picture, incomplete };
    const opacity = await fitAlpha(alpha, area);
    return { picture: onGround(picture, opacity, wanted ?? groundFor(overview)), incomplete };
  }
  const { value, incomplete } = await decodeRaster(
    bytes,
    (decoder) => (colour ? readSamples(decoder, header, area) : readSrgb(decoder, header, area)),
    colour ? { ignoreIcc: true } : {},
  );
  const { samples, alpha } = splitAlpha(value);
  const picture = await toSrgb(await fit(samples), null, colour);
  if (!alpha) return { picture, incomplete };
  const opacity = await fitAlpha(alpha, samples);
  return { picture: onGround(picture, opacity, wanted ?? (await ownGround(bytes))), incomplete };
}

/** Interleaved samples of three channels, or four with alpha. */
interface RawSamples extends Samples {
  readonly channels: number;
}

async function readSrgb(decoder: Sharp, header: PictureHeader, area: Rect): Promise<RawSamples> {
  cutOut(decoder, header, area);
  if (header.wide && header.hasProfile) wideProfileToSrgb(decoder);
  return readBytes(decoder);
}

async function readBytes(decoder: Sharp): Promise<RawSamples> {
  const { data, info } = await decoder.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return withoutMasks({ data, width: info.width, height: info.height, channels: info.channels, max: 255 });
}

/** Drops the masks behind the alpha channel. */
function withoutMasks(raw: RawSamples): RawSamples {
  const { data, channels } = raw;
  if (channels <= 4) return raw;
  return { ...raw, data: data.filter((_, i) => i % channels < 4), channels: 4 };
}

/** Reads the samples as stored, for a colour description that libvips does not support. */
async function readSamples(decoder: Sharp, header: PictureHeader, area: Rect): Promise<RawSamples> {
  cutOut(decoder, header, area);
  if (!header.wide) return readBytes(decoder);
  const { data, info } = await decoder
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  // libvips shifts 10- and 12-bit samples up to 16 bits and leaves the low bits zero.
  const bits = header.heif?.bits ?? 16;
  const max = ((1 << bits) - 1) << (16 - bits);
  return withoutMasks({ data: samples, width: info.width, height: info.height, channels: info.channels, max });
}

/** Crops and scales to the working size, without colour conversion. A picture with masks is only cropped. */
function cutOut(decoder: Sharp, { stored, stereo, hasMasks }: PictureHeader, area: Rect): void {
  // Shrink-on-load works only for an uncropped JPEG or WebP.
  if (stereo || area.width !== stored.width || area.height !== stored.height) {
    const { x, y, width, height } = stereo ? inEye(area, stereo.left, stored) : area;
    decoder.extract({ left: x, top: y, width, height });
  }
  // libvips would take the last mask for the opacity of the colours that it blends.
  if (!hasMasks) decoder.resize({ ...cutSize(area), fit: 'fill' });
}

function splitAlpha(raw: RawSamples): { samples: Samples; alpha: Uint8Array | null } {
  const { data, width, height, channels, max } = raw;
  if (channels === 3) return { samples: raw, alpha: null };
  const count = width * height;
  const rgb = data instanceof Uint8Array ? new Uint8Array(count * 3) : new Uint16Array(count * 3);
  const alpha = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * 4 + c] as number;
    alpha[i] = Math.min(255, Math.round(((data[i * 4 + 3] as number) * 255) / max));
  }
  return { samples: { data: rgb, width, height, max }, alpha };
}

function onGround({ data, width, height }: Picture, alpha: Uint8Array, ground: Ground): Picture {
  return { data: flatten(data, alpha, ground), width, height };
}

/** Long side at which the ground of a whole picture is chosen. */
const OVERVIEW = 256;

/** Chooses the ground by the whole picture, so that every crop of it gets the same. */
async function ownGround(bytes: Uint8Array): Promise<Ground> {
  const overview = await decodeRaster(bytes, (decoder) =>
    readBytes(decoder.resize(OVERVIEW, OVERVIEW, { fit: 'inside' }).ensureAlpha()),
  ).catch(() => null);
  return overview ? groundFor(overview.value.data) : WHITE_GROUND;
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

async function fitAlpha(alpha: Uint8Array, area: Size): Promise<Uint8Array> {
  const size = cutSize(area);
  if (size.width === area.width) return alpha;
  const raw = { width: area.width, height: area.height, channels: 1 } as const;
  return sharp(alpha, { raw })
    .resize({ ...size, fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
}

async function toSrgb(samples: Samples, icc: Uint8Array | null, nclx: Nclx | null): Promise<Picture> {
  const { data, width, height } = samples;
  if (icc) return { data: await profileToSrgb(samples, icc), width, height };
  if (nclx === null && data instanceof Uint8Array && samples.max === 255) return { data, width, height };
  const colour = nclx ?? { primaries: 1, transfer: 13 };
  return { data: nclxToSrgb(samples, colour, peakOf(samples, colour)), width, height };
}
