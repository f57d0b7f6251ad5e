import { cropProblem } from '@framelift/engine/geometry';
import { describe, expect, it } from 'vitest';
import { cropRect, isLargeEnough, isSmall, parseRatio, shownSize } from './crop-rect.ts';

const WHOLE = { x: 0, y: 0, width: 100, height: 100 };

describe('the crop in source pixels', () => {
  it('[R-5.crop.3] [R-9.crop.3] [R-1.feature-upload.2] is 3:4 where the device type says nothing usable', () => {
    expect(parseRatio(undefined)).toEqual([3, 4]);
    expect(parseRatio('')).toEqual([3, 4]);
    expect(parseRatio('4,0')).toEqual([3, 4]);
  });

  it('[R-1.feature-upload.3] has the ratio of the device type', () => {
    expect(parseRatio('16,9')).toEqual([16, 9]);
  });

  it('cuts what the cropper shows, from a smaller copy as well', () => {
    // 25 % to 75 % of a 4000 × 3000 source, regardless of the displayed size.
    const area = { x: 31.25, y: 25, width: 28.125, height: 50 };
    expect(cropRect(area, { width: 4000, height: 3000 }, [3, 4])).toEqual({
      x: 1250,
      y: 750,
      width: 1125,
      height: 1500,
    });
  });

  it('[A26] stays inside the picture and within half a pixel of the ratio, for every size and ratio', () => {
    const sources = [
      { width: 4217, height: 2817 },
      { width: 2817, height: 4217 },
      { width: 257, height: 9001 },
      { width: 1000, height: 1000 },
      { width: 6001, height: 301 },
    ];
    const ratios = [
      [3, 4],
      [9, 16],
      [16, 9],
      [1, 1],
      [16, 10],
      [2.35, 1],
    ] as const;
    for (const source of sources)
      for (const ratio of ratios)
        for (const area of [
          WHOLE,
          { x: 90, y: 90, width: 10, height: 10 },
          { x: 33.3, y: 0.1, width: 50.7, height: 61.9 },
        ]) {
          const rect = cropRect(area, source, ratio);
          expect(cropProblem(rect, source)).not.toBe('cropOutsidePicture');
          const wanted = ratio[0] / ratio[1];
          const short = Math.min(rect.width / wanted, rect.height);
          expect(Math.abs(rect.width - rect.height * wanted)).toBeLessThanOrEqual(Math.max(0.5, 0.5 * wanted) + 1e-9);
          expect(short).toBeGreaterThan(0);
        }
  });

  it('keeps the middle of what was framed', () => {
    const rect = cropRect({ x: 20, y: 10, width: 30, height: 40 }, { width: 3000, height: 4000 }, [3, 4]);
    expect(rect.x + rect.width / 2).toBeCloseTo(1050, 0);
    expect(rect.y + rect.height / 2).toBeCloseTo(1200, 0);
  });

  it('[R-5.crop.1] [R-9.crop.2] is small below 256 px a side, and too small below 64 [T20]', () => {
    expect(isSmall({ width: 256, height: 341 })).toBe(false);
    expect(isSmall({ width: 255, height: 340 })).toBe(true);
    expect(isLargeEnough({ width: 64, height: 85 })).toBe(true);
    expect(isLargeEnough({ width: 63, height: 84 })).toBe(false);
  });
});

describe('the picture shown', () => {
  it('[A27] never has more than 16,777,216 pixels', () => {
    for (const source of [
      { width: 8064, height: 6048 },
      { width: 4097, height: 4096 },
      { width: 30_000, height: 3000 },
    ]) {
      const { width, height } = shownSize(source);
      expect(width * height).toBeLessThanOrEqual(4096 * 4096);
      expect(width / height).toBeCloseTo(source.width / source.height, 2);
    }
  });

  it('is as large as the source up to exactly that', () => {
    expect(shownSize({ width: 4096, height: 4096 })).toEqual({ width: 4096, height: 4096 });
  });
});
