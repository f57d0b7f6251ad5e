import { expect, it } from 'vitest';
import { frameStart, PAIRING_LETTERS, pairingCode } from './frames.ts';

it('takes the code of a frame as people type it, and makes one of all its spellings', () => {
  for (const typed of [
    'WDJB-MJHT',
    'wdjbmjht',
    ' WDJB MJHT ',
    'wdjb\u2013mjht',
    'ｗｄｊｂ－ｍｊｈｔ',
    'ＷＤＪＢーＭＪＨＴ',
  ])
    expect(pairingCode.parse(typed), typed).toBe('WDJB-MJHT');
});

it('takes nothing else for a code [A84]', () => {
  for (const typed of [
    '',
    'WDJB-MJH',
    'WDJB-MJHT-W',
    // Codes contain no vowels, digits or letters that look like digits.
    'AEIO-UYAE',
    'WDJB-MJH0',
    'WDJB-MJH1',
    // Cyrillic letters that look like Latin ones.
    'ＷＤＪВ-МЈНТ',
    "WDJB-MJHT' or 1=1",
    'https://frames.example/menu/qrcode?device=WDJB-MJHT',
    'W'.repeat(100_000),
  ])
    expect(pairingCode.safeParse(typed).success, typed.slice(0, 60)).toBe(false);
  for (const letter of 'AEIOUY0123456789') expect(PAIRING_LETTERS).not.toContain(letter);
});

it('takes what a screen says of itself within bounds', () => {
  const screen = { width: 1920, height: 1080, pixelRatio: 1.5 };
  expect(frameStart.parse({ screen })).toEqual({ screen, kind: '' });
  for (const wrong of [
    { width: 0 },
    { width: 1.5 },
    { height: 40_000 },
    { pixelRatio: 0 },
    { pixelRatio: Number.NaN },
    { pixelRatio: 1e9 },
  ])
    expect(frameStart.safeParse({ screen: { ...screen, ...wrong } }).success).toBe(false);
  expect(frameStart.safeParse({ screen, kind: 'x'.repeat(31) }).success).toBe(false);
  expect(frameStart.safeParse({ screen, kind: 'a\nb' }).success).toBe(false);
});
