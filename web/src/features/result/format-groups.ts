import type { DownloadFormat } from '@framelift/contract';

/** By what people have; each format once, in the order in which they are offered. */
export const FORMAT_GROUPS = {
  frame: ['quilt', 'native', '2x1', 'flat'],
  screens: ['hsbs', 'htb', 'sbs', 'tb'],
  glasses: ['anaglyph', 'cross'],
  cameras: ['mpo', 'jps'],
  depth: ['rgbd', 'depth'],
  sharing: ['wiggle_mp4', 'wiggle'],
  separate: ['left', 'right', 'original'],
} as const satisfies Record<string, readonly DownloadFormat[]>;
export type FormatGroup = keyof typeof FORMAT_GROUPS;

/** Formats whose two eyes can be exchanged. */
const SWAPPABLE: readonly DownloadFormat[] = ['sbs', 'hsbs', 'tb', 'htb', 'cross', '2x1', 'anaglyph', 'jps'];

export const isSwappable = (format: DownloadFormat): boolean => SWAPPABLE.includes(format);

/** Under which texts a format goes: the wiggle of a video is a video itself. */
export const textsOf = (format: DownloadFormat, isVideo: boolean): DownloadFormat =>
  isVideo && format === 'wiggle' ? 'wiggle_mp4' : format;

/** The offered formats in their groups; groups without any are left out. */
export function grouped(formats: readonly DownloadFormat[]) {
  return Object.entries(FORMAT_GROUPS)
    .map(([group, all]) => ({
      group: group as FormatGroup,
      formats: all.filter((format) => formats.includes(format)) as DownloadFormat[],
    }))
    .filter((one) => one.formats.length > 0);
}
