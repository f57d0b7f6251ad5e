import { isConnectionLost } from './db/connection-lost.ts';
import { isServerFull } from './server-full.ts';

/** Of the network, and of disks and file tables that an operator must look after. */
const SYSTEM_CODES = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EIO',
  'EROFS',
  'ESTALE',
  'EMFILE',
  'ENFILE',
];
/** How S3 clients and stores say that they gave up for now, next to statuses from 500. */
const STORE_NAMES = ['TimeoutError', 'SlowDown'];

/**
 * Returns whether an error comes from a full disk or a database or storage that does not answer. Whoever asked for the
 * work is not at fault, and the same work succeeds once the trouble is gone.
 */
export function isPassingTrouble(error: unknown): boolean {
  if (isConnectionLost(error) || isServerFull(error)) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, $metadata } = cause as { code?: unknown; $metadata?: { readonly httpStatusCode?: number } };
    if (SYSTEM_CODES.includes(String(code)) || STORE_NAMES.includes(cause.name)) return true;
    if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  }
  return false;
}

/**
 * Returns whether a conversion process was killed or hung. The system kills it when the memory of the machine runs out,
 * which may be the fault of the file or not.
 */
export function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'conversionInterrupted';
}
