import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  privateEncrypt,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Fields, fromSendTime, readKey, seal, toSendTime, unseal } from './envelope.ts';

/** The key in the published examples. */
const SECRET = 'D2AE96E5528531CFCDE90591695F973D23846ABD01A639AB1D3E0322D56E0ED9';
const sunpay = generateKeyPairSync('rsa', { modulusLength: 1024 });
const keys = { publicKey: sunpay.publicKey, secret: SECRET };
const WEB = 'MC31793850';
const SENT_AT = new Date('2023-10-19T17:46:58.597+08:00');

/** What SunPay reads: decrypts each block of 128 bytes with its private key. */
function decrypted(rsamsg: string, privateKey: KeyObject = sunpay.privateKey): string {
  const bytes = Buffer.from(rsamsg, 'base64');
  expect(bytes.length % 128).toBe(0);
  const blocks = Array.from({ length: bytes.length / 128 }, (_, index) =>
    bytes.subarray(index * 128, (index + 1) * 128),
  );
  const padding = constants.RSA_PKCS1_PADDING;
  return Buffer.concat(blocks.map((block) => privateDecrypt({ key: privateKey, padding }, block))).toString();
}

/** What SunPay sends: blocks of 117 bytes, encrypted with its private key. */
function sent(encoded: string, changes: object = {}) {
  const bytes = Buffer.from(encoded);
  const blocks = Array.from({ length: Math.ceil(bytes.length / 117) }, (_, index) =>
    privateEncrypt(
      { key: sunpay.privateKey, padding: constants.RSA_PKCS1_PADDING },
      bytes.subarray(index * 117, (index + 1) * 117),
    ),
  );
  return {
    web: WEB,
    send_time: toSendTime(SENT_AT),
    rsamsg: Buffer.concat(blocks).toString('base64'),
    check_value: createHash('sha256')
      .update(encoded + SECRET)
      .digest('hex'),
    ...changes,
  };
}
const plainOf = (body: unknown) => JSON.stringify({ body, head: { send_time: toSendTime(SENT_AT), web: WEB } });
const opened = (envelope: ReturnType<typeof sent>, secret = SECRET) =>
  unseal(envelope, { callbackKey: sunpay.publicKey, secret });

describe('the time of a message', () => {
  it('is written backwards, in Taipei, as in the published example', () => {
    expect(toSendTime(SENT_AT)).toBe('59758461720231019');
    expect(toSendTime(new Date('2026-02-28T16:30:00.007Z'))).toBe('00700300020260301');
    expect(fromSendTime('59758461720231019')).toEqual(SENT_AT);
  });

  it.each([
    '',
    '5975846172023101',
    '597584617202310199',
    '59758461720231332',
    '00000000020260231',
    '5975846x720231019',
  ])('is not read from "%s"', (text) => expect(fromSendTime(text)).toBeNull());
});

describe('a message to SunPay', () => {
  it.each([
    [
      '3df3acb3c4c3de1cb352a31bea3df6341e7c24b53aec8c695c32e3aa417cad26',
      '2023-09-27T16:21:34.585+08:00',
      { td: 'TT1695802894', mn: '200', country_type: 'cht' },
    ],
    [
      '152c3234ee7422af6e8f2fe1132a2391b99a552bac6070549d727a67e5b213fc',
      '2023-10-19T17:46:58.597+08:00',
      {
        td: 'TT1697708818',
        sna: 'test',
        sdt: '0911123123',
        save_card_token: 'test',
        order_info: 'test',
        mn: '10',
        email: 'test@esafe.com.tw',
      },
    ],
  ])('has the published check value %s [R-7.card.6]', (value, time, body) => {
    for (const encoding of ['rfc3986', 'php'] as const)
      expect(seal({ web: WEB, sentAt: new Date(time), body }, keys, encoding).check_value).toBe(value);
  });

  it('is encrypted in chunks of 117 bytes, of which SunPay decrypts each by itself [R-7.card.5]', () => {
    for (const length of [1, 20, 116, 117, 118, 400]) {
      const { rsamsg } = seal({ web: WEB, sentAt: SENT_AT, body: { note1: 'x'.repeat(length) } }, keys, 'rfc3986');
      const encoded = decrypted(rsamsg);
      expect(Buffer.from(rsamsg, 'base64').length).toBe(Math.ceil(encoded.length / 117) * 128);
      expect(JSON.parse(decodeURIComponent(encoded)).body.note1).toHaveLength(length);
    }
  });

  it('sorts its keys, leaves out what is not set, and keeps slashes and texts of any language', () => {
    const body = { td: 'A1', note1: 'a/b', email: undefined, Zeta: '1' };
    const { rsamsg } = seal({ web: WEB, sentAt: SENT_AT, body }, keys, 'rfc3986');
    expect(decodeURIComponent(decrypted(rsamsg))).toBe(
      `{"body":{"Zeta":"1","note1":"a/b","td":"A1"},"head":{"send_time":"${toSendTime(SENT_AT)}","web":"${WEB}"}}`,
    );
  });

  it('encodes signs as the manual of its call does', () => {
    const encoded = (encoding: 'rfc3986' | 'php') =>
      decrypted(seal({ web: WEB, sentAt: SENT_AT, body: { a: " +~!*'()" } }, keys, encoding).rsamsg);
    expect(encoded('rfc3986')).toContain('%20%2B~%21%2A%27%28%29');
    expect(encoded('php')).toContain('+%2B%7E%21%2A%27%28%29');
  });
});

describe('a message from SunPay', () => {
  it.each([
    ['RFC 3986', (text: string) => encodeURIComponent(text)],
    ['PHP', (text: string) => encodeURIComponent(text).replaceAll('%20', '+')],
  ])('is read in the encoding of %s', (_, encode) => {
    const body = { td: 'A1', note1: '每月 方案 + 50%', sna: '山田 太郎' };
    expect(opened(sent(encode(plainOf(body))))).toMatchObject({ web: WEB, body });
  });

  it('is refused with any other check value, secret, head or ciphertext', () => {
    const encoded = encodeURIComponent(plainOf({ td: 'A1' }));
    const right = sent(encoded);
    expect(opened({ ...right, check_value: right.check_value.replace(/^./, (a) => (a === '0' ? '1' : '0')) })).toBe(
      'badCheckValue',
    );
    expect(opened({ ...right, check_value: '' })).toBe('badCheckValue');
    expect(opened(right, 'another secret')).toBe('badCheckValue');
    expect(opened({ ...right, web: 'MC00000000' })).toBe('headDiffers');
    expect(opened({ ...right, send_time: toSendTime(new Date()) })).toBe('headDiffers');
    for (const rsamsg of ['', 'AAAA', `${right.rsamsg.slice(0, -8)}AAAAAAA=`, Buffer.alloc(128, 1).toString('base64')])
      expect(opened({ ...right, rsamsg })).toBe('unreadable');
    for (const text of ['%', 'null', '{}', encodeURIComponent('{"body":{}}')])
      expect(opened(sent(text))).toBe('unreadable');
  });

  it('is decrypted with our own private key where the contract says so', () => {
    const ours = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const sealed = seal(
      { web: WEB, sentAt: SENT_AT, body: { td: 'A1' } },
      { ...keys, publicKey: ours.publicKey },
      'php',
    );
    expect(unseal(sealed, { callbackKey: ours.privateKey, secret: SECRET })).toMatchObject({ body: { td: 'A1' } });
  });
});

/** Numbers from 0 to 1 that a failing run repeats. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

it('every text of every language survives both directions, wherever the borders of the chunks fall [R-7.card.5]', () => {
  const random = randomFrom(20_261_129);
  const alphabet = [...'aZ09 +%&=/\\"{}~!*()_-.\n臺灣每月方案五十元あいウエ全角＋😀🏳️‍🌈é'];
  for (let round = 0; round < 200; round += 1) {
    const text = () =>
      Array.from({ length: Math.floor(random() * 60) }, () => alphabet[Math.floor(random() * alphabet.length)]).join(
        '',
      );
    const body: Fields = { td: `T${round}`, order_info: text(), sna: text(), note1: text() };
    for (const encoding of ['rfc3986', 'php'] as const) {
      const sealed = seal({ web: WEB, sentAt: SENT_AT, body }, keys, encoding);
      // The same bytes, on the way back.
      expect(opened({ ...sealed, ...sent(decrypted(sealed.rsamsg)) })).toMatchObject({ body });
    }
  }
});

it('a key may stand on one line, as in a file of settings', () => {
  const pem = sunpay.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(readKey(pem.replaceAll('\n', '\\n'), 'public').equals(sunpay.publicKey)).toBe(true);
  expect(() => readKey('MIGf', 'public')).toThrow();
});
