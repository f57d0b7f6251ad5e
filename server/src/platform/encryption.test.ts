import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEncryption } from './encryption.ts';

const secret = randomBytes(32);
const cards = createEncryption(secret, 'card');

describe('an encrypted secret', () => {
  it('is read again by every process with the same secret, in any language', () => {
    for (const text of ['', 'TK0123456789', '令牌・トークン'])
      expect(createEncryption(secret, 'card').decrypt(cards.encrypt(text, 'row-1'), 'row-1')).toBe(text);
  });

  it('does not contain the text, and never looks the same twice', () => {
    const [first, second] = [cards.encrypt('TK0123456789', 'row-1'), cards.encrypt('TK0123456789', 'row-1')];
    expect(first).not.toBe(second);
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('TK0123456789');
  });

  it('cannot be read in another record, for another purpose, with another secret, or when a bit of it differs', () => {
    const encrypted = cards.encrypt('TK0123456789', 'row-1');
    expect(() => cards.decrypt(encrypted, 'row-2')).toThrow();
    expect(() => createEncryption(secret, 'other').decrypt(encrypted, 'row-1')).toThrow();
    expect(() => createEncryption(randomBytes(32), 'card').decrypt(encrypted, 'row-1')).toThrow();
    const bytes = Buffer.from(encrypted, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => cards.decrypt(changed.toString('base64url'), 'row-1')).toThrow();
    }
    for (const text of ['', 'abc', encrypted.slice(0, 20)]) expect(() => cards.decrypt(text, 'row-1')).toThrow();
  });
});
