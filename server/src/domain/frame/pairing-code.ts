import { PAIRING_CODE_LENGTH, PAIRING_LETTERS } from '@framelift/contract';

const COUNT = PAIRING_LETTERS.length;
/** Bytes from here on would make the first letters likelier than the others. */
const FAIR = 256 - (256 % COUNT);

/**
 * A code for people to read off a frame, `WDJB-MJHT`, every one as likely as any other.
 * @param secret gives random bytes in base64url
 */
export function newPairingCode(secret: () => string): string {
  let letters = '';
  while (letters.length < PAIRING_CODE_LENGTH) {
    const fair = Buffer.from(secret(), 'base64url').filter((byte) => byte < FAIR);
    letters += Array.from(fair, (byte) => PAIRING_LETTERS[byte % COUNT]).join('');
  }
  return `${letters.slice(0, 4)}-${letters.slice(4, PAIRING_CODE_LENGTH)}`;
}
