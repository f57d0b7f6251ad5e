import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets of others that must be stored as they are, such as the token of a card. */
export interface Encryption {
  /** Returns the text encrypted for the record with this id, in base64url. */
  encrypt(text: string, recordId: string): string;
  /**
   * Returns the text.
   * @throws Error if it was changed, belongs to another record, or was encrypted with another secret
   */
  decrypt(encrypted: string, recordId: string): string;
}

/**
 * AES-256-GCM with a key derived from the server's secret. The id of the record is authenticated with the text: what is
 * copied into another row cannot be decrypted there. `purpose` separates the keys of different kinds of secrets.
 * @param repeatable whether the same text for the same record is encrypted to the same result, for links that must not
 *   change from one reading to the next; whoever sees two of them learns whether they are equal
 */
export function createEncryption(secret: Buffer, purpose: string, { repeatable = false } = {}): Encryption {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `${use}:${purpose}`, 32));
  const [key, nonceKey] = [derive('encryption'), derive('nonce')];
  // Derived from the text and its record, a nonce never comes twice with different ones.
  const nonceOf = (text: string, recordId: string) =>
    createHmac('sha256', nonceKey)
      .update(JSON.stringify([recordId, text]))
      .digest()
      .subarray(0, NONCE_BYTES);
  return {
    encrypt(text, recordId) {
      const nonce = repeatable ? nonceOf(text, recordId) : randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(recordId));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt(encrypted, recordId) {
      const bytes = Buffer.from(encrypted, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('This is no encrypted text');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(recordId))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
