import { PAIRING_LETTERS, pairingCode } from '@framelift/contract';
import { expect, it } from 'vitest';
import { systemIds } from '../../platform/system.ts';
import { newPairingCode } from './pairing-code.ts';

it('makes codes of eight letters of which none is taken for another or for a digit [A84]', () => {
  const codes = Array.from({ length: 200 }, () => newPairingCode(systemIds.secret));
  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(new Set(codes).size).toBe(codes.length);
  // The API accepts generated codes unchanged.
  expect(codes.map((code) => pairingCode.parse(code))).toEqual(codes);
});

it('makes no letter likelier than another', () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  let given = 0;
  /** Returns eight bytes per call, each value exactly once overall. */
  const secret = () => {
    given += 8;
    return every.subarray(given - 8, given).toString('base64url');
  };
  const counts = new Map<string, number>();
  for (let n = 0; n < 30; n++) {
    for (const letter of newPairingCode(secret).replace('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect([...counts.keys()].sort().join('')).toBe(PAIRING_LETTERS);
  expect(new Set(counts.values())).toEqual(new Set([12]));
  // The 16 remaining byte values would make the first letters more likely, so they are skipped.
  expect(given).toBe(240);
  const rest = [every.subarray(240), Buffer.alloc(8)];
  expect(newPairingCode(() => rest.shift()?.toString('base64url') ?? '')).toBe('BBBB-BBBB');
});
