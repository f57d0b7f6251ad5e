import { type DownloadFormat, FORMAT_GROUPS, type FormatGroup } from '@framelift/contract';

/** Returns the key of the texts for a format: the wiggle of a video is a video itself. */
export const textsOf = (format: DownloadFormat, isVideo: boolean): DownloadFormat =>
  isVideo && format === 'wiggle' ? 'wiggle_mp4' : format;

/** Groups the offered formats; empty groups are omitted. */
export function grouped(formats: readonly DownloadFormat[]) {
  return Object.entries(FORMAT_GROUPS)
    .map(([group, all]) => ({
      group: group as FormatGroup,
      formats: all.filter((format) => formats.includes(format)) as DownloadFormat[],
    }))
    .filter((one) => one.formats.length > 0);
}
