import { PAIRING_CODE_LENGTH, PAIRING_LETTERS } from '@framelift/contract';

const COUNT = PAIRING_LETTERS.length;
/** Bytes from this value on are skipped, because they would make the first letters more likely. */
const FAIR = 256 - (256 % COUNT);

/**
 * Returns a code to read from a frame, like `WDJB-MJHT`; all codes are equally likely.
 * @param secret returns random bytes in base64url
 */
export function newPairingCode(secret: () => string): string {
  let letters = '';
  while (letters.length < PAIRING_CODE_LENGTH) {
    const fair = Buffer.from(secret(), 'base64url').filter((byte) => byte < FAIR);
    letters += Array.from(fair, (byte) => PAIRING_LETTERS[byte % COUNT]).join('');
  }
  return `${letters.slice(0, 4)}-${letters.slice(4, PAIRING_CODE_LENGTH)}`;
}
