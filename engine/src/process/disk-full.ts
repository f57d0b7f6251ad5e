/** What the system, libvips and FFmpeg call it; the latter two report no codes. */
const WORDS = /\bENOSPC\b|\bEDQUOT\b|No space left on device|Disk quota exceeded/i;

/** Returns whether an error means that the disk has no room left, or that the quota of this user is used up. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (code === 'ENOSPC' || code === 'EDQUOT' || WORDS.test(cause.message)) return true;
  }
  return false;
}
