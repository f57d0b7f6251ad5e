import { FORMAT_NAMES, isSwappable, mimeType } from '@framelift/contract/formats';
import { describe, expect, test } from 'vitest';
import { archiveName, DEVICES, fileName, parseCalibration, safeStem } from './index.ts';

const device = (slug: string) => {
  const found = DEVICES.find((one) => one.slug === slug);
  if (!found) throw new Error(`no device ${slug}`);
  return found;
};

describe('file names', () => {
  test('say what players and Looking Glass software read from them', () => {
    const portrait = device('looking-glass-portrait');
    expect(Object.fromEntries(FORMAT_NAMES.map((format) => [format, fileName('shop', format, portrait)]))).toEqual({
      quilt: 'shop_qs8x6a0.75.jpg',
      native: 'shop_native.png',
      sbs: 'shop_LRF_Full_SBS.jpg',
      hsbs: 'shop_LR.jpg',
      tb: 'shop_TBF_fulltb.jpg',
      htb: 'shop_TB.jpg',
      cross: 'shop_RLF_cross.jpg',
      '2x1': 'shop_2x1.jpg',
      anaglyph: 'shop_redcyan.jpg',
      mpo: 'shop.mpo',
      jps: 'shop.jps',
      spatial: 'shop_spatial.heic',
      vr180: 'shop_180x180_LR.jpg',
      rgbd: 'shop_RGBD.png',
      depth: 'shop_depth16.png',
      wiggle: 'shop_wiggle.webp',
      wiggle_gif: 'shop_wiggle.gif',
      wiggle_mp4: 'shop_wiggle.mp4',
      left: 'shop_left.jpg',
      right: 'shop_right.jpg',
      flat: 'shop_flat.jpg',
    });
    expect(fileName('shop', 'quilt', device('looking-glass-go'))).toBe('shop_qs11x6a0.5625.jpg');
    expect(fileName('shop', 'quilt', device('looking-glass-32-landscape'))).toBe('shop_qs7x7a1.77778.jpg');
    expect(fileName('shop', 'quilt', device('looking-glass-8.9'))).toBe('shop_qs5x9a1.6.jpg');
    expect(fileName('shop', '2x1', device('leia-2x1'))).toBe('shop_2x1.jpg');
    expect(archiveName('a/b')).toBe('ab.zip');
  });

  test('[V39] say which eye comes first when the eyes are exchanged, and never pass for a plain file', () => {
    const tv = device('3d-tv');
    const swapped = FORMAT_NAMES.filter(isSwappable).map((format) => fileName('shop', format, tv, { swapEyes: true }));
    expect(swapped).toEqual([
      'shop_RLF_Full_SBS.jpg',
      'shop_RLF_Half_SBS.jpg',
      'shop_RLF_Full_TB.jpg',
      'shop_RLF_Half_TB.jpg',
      'shop_LRF_parallel.jpg',
      'shop_RLF_2x1.jpg',
      'shop_RLF_redcyan.jpg',
      'shop_RLF.jps',
    ]);
    const plain = FORMAT_NAMES.map((format) => fileName('shop', format, tv));
    expect(swapped.filter((name) => plain.includes(name))).toEqual([]);
    const others = FORMAT_NAMES.filter((format) => !isSwappable(format));
    for (const format of others) expect(plain).toContain(fileName('shop', format, tv, { swapEyes: true }));
  });

  test('tell the kind of an anaglyph, and the one display of a native picture', () => {
    const portrait = device('looking-glass-portrait');
    expect(fileName('shop', 'anaglyph', portrait, { anaglyph: 'grey' })).toBe('shop_redcyan_grey.jpg');
    expect(fileName('shop', 'anaglyph', portrait, { anaglyph: 'half-colour' })).toBe('shop_redcyan_half.jpg');
    const calibration = parseCalibration(
      '{"serial":"LKG-P19930","pitch":{"value":52},"slope":{"value":-7},"center":{"value":0.5},"DPI":{"value":324},"screenW":{"value":1536},"screenH":{"value":2048}}',
    );
    expect(fileName('shop', 'native', portrait, { calibration })).toBe('shop_native_LKG-P19930.png');
  });

  test('have the MIME type of their ending', () => {
    expect(mimeType('quilt')).toBe('image/jpeg');
    expect(mimeType('depth')).toBe('image/png');
    expect(mimeType('wiggle')).toBe('image/webp');
    expect(mimeType('wiggle_mp4')).toBe('video/mp4');
    expect(mimeType('mpo')).toBe('image/mpo');
    expect(mimeType('jps')).toBe('image/jpeg');
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
    for (const format of FORMAT_NAMES) {
      const name = fileName('写'.repeat(400), format, device('looking-glass-32-landscape'));
      expect(Buffer.byteLength(name)).toBeLessThan(255);
    }
  });

  test('lose an older quilt’s mark, which would mislead the display', () => {
    expect(safeStem('shop_qs5x9a1.6')).toBe('shop');
  });
});
