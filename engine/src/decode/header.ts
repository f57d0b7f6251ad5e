import { EngineError } from '../errors.ts';
import { stereoJpeg } from '../formats/jps.ts';
import type { Size } from '../types.ts';
import { sharp, UNTRUSTED } from './decoder.ts';
import { iccNclx } from './icc.ts';
import { type HeifFile, openHeif } from './libheif.ts';
import { assertDecodable } from './limits.ts';
import { padWebp } from './mend-webp.ts';
import { isSrgb, type Nclx } from './nclx.ts';
import { asOrientation, type Orientation } from './orientation.ts';
import type { PictureType } from './picture-types.ts';
import { describePng } from './png-description.ts';
import { isSequence, sniffContainer } from './sniff.ts';
import type { EyePlaces } from './stereo/eyes.ts';

/** Header data of a picture file; no pixels are decoded. */
export interface PictureHeader {
  readonly type: PictureType;
  /** Size of the stored pixels, before `orientation`; for a file with both eyes, the displayed size of the left one. */
  readonly stored: Size;
  /** Size of all stored pixels, those of both eyes included. */
  readonly whole: Size;
  /** Set when the file declares that it holds both eyes; the left one is then the picture. */
  readonly stereo: EyePlaces | null;
  /** Always 1 for HEIC and AVIF: decoding applies their own transformations, and EXIF orientation is ignored. */
  readonly orientation: Orientation;
  /** More than 8 bits per sample. */
  readonly wide: boolean;
  readonly hasProfile: boolean;
  readonly hasAlpha: boolean;
  /** More channels follow the alpha channel: a TIFF may hold selections of the program that wrote it. */
  readonly hasMasks: boolean;
  /** Colour description that libvips does not know and that overrules the ICC profile. */
  readonly colour: Nclx | null;
  /** Only the first of several frames is decoded. */
  readonly animated: boolean;
  /** The container, for HEIC and AVIF. */
  readonly heif: HeifFile | null;
}

/**
 * Reads the header of a picture file.
 *
 * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged` (the header cannot be read), `pictureTooLarge`
 */
export async function readHeader(bytes: Uint8Array): Promise<PictureHeader> {
  if (bytes.length === 0) throw new EngineError('fileEmpty', 'the file has no bytes');
  const container = sniffContainer(bytes);
  if (container === null) throw new EngineError('notAPicture', 'the bytes are of no picture type that is read here');
  const header =
    container === 'heif' ? heifHeader(openLeftEye(bytes), bytes) : await rasterHeader(bytes, `image/${container}`);
  assertDecodable(header.stored);
  return header;
}

/** Opens the left eye's picture of a spatial photo, and the primary picture of any other. */
function openLeftEye(bytes: Uint8Array): HeifFile {
  const primary = openHeif(bytes);
  return primary.eyes && primary.eyes.left !== primary.item ? openHeif(bytes, primary.eyes.left) : primary;
}

export function heifHeader(heif: HeifFile, bytes: Uint8Array): PictureHeader {
  if (heif.codec === 'other') throw new EngineError('notAPicture', 'HEIF with a codec that is not read here');
  return {
    type: heif.codec === 'hevc' ? 'image/heic' : 'image/avif',
    stored: heif.size,
    whole: heif.size,
    stereo: null,
    orientation: 1,
    wide: heif.bits > 8,
    hasProfile: heif.icc !== null,
    hasAlpha: heif.hasAlpha,
    hasMasks: false,
    colour: notSrgb(heif.icc ? iccNclx(heif.icc) : heif.nclx),
    animated: isSequence(bytes),
    heif,
  };
}

async function rasterHeader(bytes: Uint8Array, type: PictureType): Promise<PictureHeader> {
  // libwebp refuses even the header of a truncated file.
  const metadata = await sharp(type === 'image/webp' ? padWebp(bytes).file : bytes, UNTRUSTED)
    .metadata()
    .catch((cause: Error) => {
      throw new EngineError('pictureDamaged', `header: ${cause.message}`, { cause });
    });
  const size = { width: metadata.width, height: metadata.height };
  // Checked before the eyes are separated, because the whole picture is decoded.
  assertDecodable(size);
  const png = type === 'image/png' ? describePng(bytes) : null;
  const stereo = type === 'image/jpeg' ? stereoJpeg(bytes, size) : null;
  return {
    type,
    stored: stereo?.shown ?? size,
    whole: size,
    stereo,
    orientation: asOrientation(metadata.orientation),
    wide: metadata.depth === 'ushort',
    hasProfile: metadata.hasProfile,
    hasAlpha: metadata.hasAlpha,
    // CMYK has four channels without alpha.
    hasMasks: metadata.space !== 'cmyk' && metadata.channels > 4,
    colour: png?.colour ?? (metadata.icc ? iccNclx(metadata.icc) : null),
    // The pages of a TIFF are documents, smaller versions or masks.
    animated: png?.animated ?? (type !== 'image/tiff' && (metadata.pages ?? 1) > 1),
    heif: null,
  };
}

function notSrgb(colour: Nclx | null): Nclx | null {
  return colour && !isSrgb(colour) ? colour : null;
}
