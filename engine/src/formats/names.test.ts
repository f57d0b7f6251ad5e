import { describe, expect, test } from 'vitest';
import { FORMATS } from '../types.ts';
import { DEVICES, fileName, mimeType, safeStem } from './index.ts';

const device = (slug: string) => {
  const found = DEVICES.find((one) => one.slug === slug);
  if (!found) throw new Error(`no device ${slug}`);
  return found;
};

describe('file names', () => {
  test('say what players and Looking Glass software read from them', () => {
    const portrait = device('looking-glass-portrait');
    expect(FORMATS.map((format) => fileName('shop', format, portrait))).toEqual([
      'shop_qs8x6a0.75.jpg',
      'shop_LRF_Full_SBS.jpg',
      'shop_LR.jpg',
      'shop_redcyan.jpg',
      'shop_RGBD.png',
      'shop_depth16.png',
      'shop_wiggle.webp',
      'shop_flat.jpg',
    ]);
    expect(fileName('shop', 'quilt', device('looking-glass-go'))).toBe('shop_qs11x6a0.5625.jpg');
    expect(fileName('shop', 'quilt', device('looking-glass-32-landscape'))).toBe('shop_qs7x7a1.77778.jpg');
    expect(fileName('shop', 'sbs', device('leia-2x1'))).toBe('shop_2x1.jpg');
  });

  test('have the MIME type of their ending', () => {
    expect(mimeType('quilt')).toBe('image/jpeg');
    expect(mimeType('depth')).toBe('image/png');
    expect(mimeType('wiggle')).toBe('image/webp');
  });
});

describe('stems', () => {
  test('lose what file systems reserve, and whatever could leave the folder', () => {
    expect(safeStem('a\\b/c:d*e?f"g<h>i|j')).toBe('abcdefghij');
    expect(safeStem('../../etc/passwd')).toBe('etcpasswd');
    expect(safeStem('.hidden. ')).toBe('hidden');
    expect(safeStem('line\nbreak\u0000\u007f')).toBe('linebreak');
    expect(safeStem('gpj.\u202etxt')).toBe('gpj.txt');
    expect(safeStem('two   spaces')).toBe('two spaces');
  });

  test('are never empty and never a device of Windows', () => {
    for (const name of ['', '   ', '...', '///', '\ud800']) expect(safeStem(name)).toBe('picture');
    expect(safeStem('con')).toBe('_con');
    expect(safeStem('LPT1.photo')).toBe('_LPT1.photo');
    expect(safeStem('console')).toBe('console');
  });

  test('keep every script, composed', () => {
    expect(safeStem('店の写真 日本')).toBe('店の写真 日本');
    expect(safeStem('e\u0301te\u0301')).toBe('\u00e9t\u00e9');
    expect(safeStem('👨‍👩‍👧')).toBe('👨‍👩‍👧');
  });

  test('are limited in bytes without cutting a character in two', () => {
    const long = safeStem('写'.repeat(400));
    expect(Buffer.byteLength(long)).toBe(150);
    expect(new Set(long)).toEqual(new Set('写'));
    const family = safeStem('👨‍👩‍👧'.repeat(40));
    expect(family).toBe('👨‍👩‍👧'.repeat(8));
    for (const format of FORMATS) {
      const name = fileName('写'.repeat(400), format, device('looking-glass-32-landscape'));
      expect(Buffer.byteLength(name)).toBeLessThan(255);
    }
  });

  test('lose an older quilt’s mark, which would mislead the display', () => {
    expect(safeStem('shop_qs5x9a1.6')).toBe('shop');
  });
});
