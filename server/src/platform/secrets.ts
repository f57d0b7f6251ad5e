import { createHash } from 'node:crypto';

/** How tokens, codes and guest ids are kept: 32 random bytes need no slow hash, and equal secrets find their row. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
