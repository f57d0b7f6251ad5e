import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of an id and of its code. Nobody guesses 128 bits over a network. */
const ID_BYTES = 16;
const CODE_BYTES = 16;

/**
 * Tokens of public links. A token is an id and an HMAC of it, so that it can be shown again to its owner although
 * nothing secret is stored. Whether the thing still exists is for the caller to look up.
 */
export interface Capabilities {
  /** Returns the token of the thing with this UUID: 43 characters of base64url. */
  tokenOf(purpose: string, id: string): string;
  /** Returns the UUID of a token; null unless it was made here, for this purpose, in exactly this spelling. */
  idOf(purpose: string, token: string): string | null;
}

export function createCapabilities(secret: Buffer): Capabilities {
  const tokenOf = (purpose: string, id: string) => {
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    const code = createHmac('sha256', secret)
      .update(JSON.stringify([purpose, bytes.toString('hex')]))
      .digest();
    return Buffer.concat([bytes, code.subarray(0, CODE_BYTES)]).toString('base64url');
  };
  return {
    tokenOf,
    idOf(purpose, token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== ID_BYTES + CODE_BYTES) return null;
      const id = bytes
        .subarray(0, ID_BYTES)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      // The text is compared, because several spellings decode to the same bytes.
      const [right, given] = [Buffer.from(tokenOf(purpose, id)), Buffer.from(token)];
      return right.length === given.length && timingSafeEqual(right, given) ? id : null;
    },
  };
}
