import { createHash } from 'node:crypto';

/** Hashes tokens, codes and guest ids for storage. 32 random bytes need no slow or salted hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
