import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type Frame } from 'node-av/lib';
import { nclxToSrgb } from '../decode/nclx.ts';
import { type DolbyVision, dolbyVisionOf, iptToPq } from './dolby-vision.ts';

/** Colour coding of a frame, by code points of ITU-T H.273. */
export interface Colour {
  readonly matrix: number;
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  /** Set if the samples are not YCbCr but Dolby's IPT. */
  readonly dolbyVision?: DolbyVision;
}

/** Minimum number of rows at which an untagged video is treated as HD. */
const HD_ROWS = 720;

/** YCbCr matrices supported by FFmpeg's scaler. Others are file errors or very rare. */
const READ_MATRICES = new Set<number>([
  AVCOL_SPC_BT709,
  AVCOL_SPC_FCC,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_BT2020_NCL,
]);
/** Pixel formats whose name implies full range. */
const FULL_RANGE_FORMAT = /^yuvj/;

/** Returns the tagged colour coding; untagged: BT.601 below 720 rows, else BT.709, in limited range. */
export function colourOf(frame: Frame, rows: number): Colour {
  const guess = rows < HD_ROWS ? AVCOL_SPC_SMPTE170M : AVCOL_SPC_BT709;
  const name = avGetPixFmtName(frame.format as AVPixelFormat) ?? '';
  const rgb = /rgb|bgr|gbr|pal8/.test(name);
  const tagged = READ_MATRICES.has(frame.colorSpace) ? frame.colorSpace : guess;
  return {
    matrix: rgb ? AVCOL_SPC_RGB : tagged,
    fullRange: rgb || frame.colorRange === AVCOL_RANGE_JPEG || FULL_RANGE_FORMAT.test(name),
    primaries: frame.colorPrimaries,
    transfer: frame.colorTrc,
  };
}

/** Returns the colour coding of a frame in Dolby's IPT: matrix and range leave its samples as they are. */
export function iptColour(metadata: Buffer | null): Colour {
  return {
    matrix: AVCOL_SPC_BT709,
    fullRange: true,
    primaries: AVCOL_PRI_BT2020,
    transfer: AVCOL_TRC_SMPTE2084,
    dolbyVision: dolbyVisionOf(metadata),
  };
}

export function isHdr({ transfer }: Colour): boolean {
  return transfer === AVCOL_TRC_SMPTE2084 || transfer === AVCOL_TRC_ARIB_STD_B67;
}

/** Returns whether colours need mapping in addition to decoding: HDR, or primaries wider than BT.709. */
export function needsMapping(colour: Colour): boolean {
  return isHdr(colour) || colour.primaries === AVCOL_PRI_BT2020 || colour.primaries === AVCOL_PRI_SMPTE432;
}

/** Entries per side; the cube is in the video's transfer curve, where steps are perceptually even. */
const CUBE = 49;
const LARGEST_CODE = 4095;

/**
 * Returns the mapping to sRGB as a cube for FFmpeg's `lut3d`: uses the same curve as HDR photos and avoids `zscale`,
 * which many builds lack. Of IPT, the intensity stands in green, and its two colour axes in blue and red.
 */
export function mappingCube({ primaries, transfer, dolbyVision }: Colour): string {
  const data = new Uint16Array(CUBE ** 3 * 3);
  let at = 0;
  for (let blue = 0; blue < CUBE; blue++)
    for (let green = 0; green < CUBE; green++)
      for (let red = 0; red < CUBE; red++) {
        const rgb = dolbyVision
          ? iptToPq([green / (CUBE - 1), blue / (CUBE - 1), red / (CUBE - 1)], dolbyVision)
          : [red / (CUBE - 1), green / (CUBE - 1), blue / (CUBE - 1)];
        for (const value of rgb) data[at++] = Math.round(value * LARGEST_CODE);
      }
  const mapped = nclxToSrgb({ data, width: CUBE, height: CUBE ** 2, max: LARGEST_CODE }, { primaries, transfer });
  const lines = [`LUT_3D_SIZE ${CUBE}`];
  for (let i = 0; i < mapped.length; i += 3)
    lines.push(`${share(mapped[i])} ${share(mapped[i + 1])} ${share(mapped[i + 2])}`);
  return `${lines.join('\n')}\n`;
}

function share(value: number | undefined): string {
  return ((value as number) / 255).toFixed(5);
}
