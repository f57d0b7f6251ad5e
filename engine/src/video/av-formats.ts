/**
 * FFmpeg's constants for the pixel layouts. Separate from planes.ts, which the drawing threads load: FFmpeg is large.
 */
import { AV_PIX_FMT_GBRP, AV_PIX_FMT_RGB24, AV_PIX_FMT_YUV420P, type AVPixelFormat } from 'node-av/constants';
import type { Pixels } from './planes.ts';

export const AV_FORMATS: Readonly<Record<Pixels, AVPixelFormat>> = {
  yuv420: AV_PIX_FMT_YUV420P,
  gbr: AV_PIX_FMT_GBRP,
  rgb: AV_PIX_FMT_RGB24,
};
/** FFmpeg's names of the pixel formats. */
export const FORMAT_NAMES: Readonly<Record<Pixels, string>> = { yuv420: 'yuv420p', gbr: 'gbrp', rgb: 'rgb24' };
