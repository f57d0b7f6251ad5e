import { LIMITS } from '@framelift/contract';
import { MINUTE_MS } from '../../../platform/time.ts';

/** Returns the upload key of the key of a part; any other key is returned unchanged. */
export function uploadKeyOf(key: string): string {
  return key.replace(/\.\d+$/, '');
}

/** Returns how long a link to send this many bytes to is valid: until they have arrived over a slow line. */
export function linkLifetimeMs(bytes: number): number {
  return LIMITS.uploadLinkMinutes * MINUTE_MS + (bytes / LIMITS.uploadLinkBytesPerSecond) * 1000;
}
