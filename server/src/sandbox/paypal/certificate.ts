import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A key with its own certificate, both PEM. */
export interface SigningIdentity {
  readonly privateKey: string;
  readonly certificate: string;
}

/** Kinds of DER values. */
const TAG = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31, version: 0xa0 };
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const NULL = Buffer.from([0x05, 0x00]);

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = [
    ...length
      .toString(16)
      .padStart(length > 0xff ? 4 : 2, '0')
      .matchAll(/../g),
  ].map(([hex]) => parseInt(hex, 16));
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : [0x80 + bytes.length, ...bytes])]), content]);
}

/** Creates an RSA key and an X.509 certificate that it signs itself, valid for ten years. Takes a fraction of a second. */
export function createSigningIdentity(commonName: string, now: Date): SigningIdentity {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = der(TAG.sequence, der(TAG.oid, SHA256_WITH_RSA), NULL);
  const subject = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from(commonName)))),
  );
  const time = (years: number) => {
    const text = new Date(Date.UTC(now.getUTCFullYear() + years, 0, 1)).toISOString().replace(/[-:T]|\.\d+/g, '');
    return der(TAG.time, Buffer.from(text));
  };
  // The first bit of a serial number says that it is negative.
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  const content = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    algorithm,
    subject,
    der(TAG.sequence, time(-1), time(10)),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign('RSA-SHA256', content, privateKey));
  const base64 = der(TAG.sequence, content, algorithm, signature).toString('base64');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  };
}
