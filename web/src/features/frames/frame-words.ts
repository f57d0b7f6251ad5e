import type { FrameScreen } from '@framelift/contract';
import { isCallError } from '../../api/client.ts';
import { formatSeconds } from '../../i18n/format.ts';
import { currentLanguage, i18next } from '../../i18n/index.ts';

/** Formats a screen size as usual for screens, without digit grouping: `1920 × 1080` */
export const screenSize = ({ width, height }: FrameScreen) => `${width} \u00d7 ${height}`;

/** Returns the description of a frame in one line. */
export const kindOf = (kind: string) => kind || i18next.t('frames:unknownKind');

/**
 * Returns the message of a failed call. After too many wrong codes it names the waiting time, up to most of an hour.
 */
export function sentenceOf(error: unknown): string {
  if (!isCallError(error)) return i18next.t('networkError');
  if (error.status === 429 && error.retryAfter !== undefined) {
    return i18next.t('frames:scan.tooMany', { duration: formatSeconds(error.retryAfter, currentLanguage()) });
  }
  return error.message;
}
