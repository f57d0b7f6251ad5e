import { expect, test } from 'vitest';
import { centredCrop, cropOfLeftEye, cropProblem, cutSize, cutSizeOfVideo, fitCrop, placeInPair } from './index.ts';

test('the centred crop is the largest rectangle of the ratio', () => {
  expect(centredCrop({ width: 4000, height: 3000 }, [3, 4])).toEqual({ x: 875, y: 0, width: 2250, height: 3000 });
  expect(centredCrop({ width: 3000, height: 4000 }, [3, 4])).toEqual({ x: 0, y: 0, width: 3000, height: 4000 });
  expect(centredCrop({ width: 1080, height: 1920 }, [16, 9])).toEqual({ x: 0, y: 656, width: 1080, height: 608 });
});

test('a crop that a browser rounded is fitted to the ratio inside itself', () => {
  expect(fitCrop({ x: 10, y: 20, width: 301, height: 400 }, [3, 4])).toEqual({ x: 10, y: 20, width: 300, height: 400 });
  expect(() => fitCrop({ x: 0, y: 0, width: 9, height: 9 }, [0, 4])).toThrow(RangeError);
});

test('a crop has whole pixels, lies inside the picture and is at least 64 px each way', () => {
  const size = { width: 1000, height: 800 };
  expect(cropProblem({ x: 0, y: 0, width: 1000, height: 800 }, size)).toBeNull();
  expect(cropProblem({ x: 744, y: 544, width: 256, height: 256 }, size)).toBeNull();
  expect(cropProblem({ x: 745, y: 544, width: 256, height: 256 }, size)).toBe('cropOutsidePicture');
  expect(cropProblem({ x: -1, y: 0, width: 300, height: 300 }, size)).toBe('cropOutsidePicture');
  expect(cropProblem({ x: 0.5, y: 0, width: 300, height: 300 }, size)).toBe('cropOutsidePicture');
  expect(cropProblem({ x: 0, y: 0, width: Number.NaN, height: 300 }, size)).toBe('cropOutsidePicture');
  expect(cropProblem({ x: 0, y: 0, width: 64, height: 600 }, size)).toBeNull();
  expect(cropProblem({ x: 0, y: 0, width: 63, height: 600 }, size)).toBe('cropTooSmall');
});

test('a crop above 4096 px is scaled down as a whole', () => {
  expect(cutSize({ width: 4096, height: 3000 })).toEqual({ width: 4096, height: 3000 });
  expect(cutSize({ width: 6000, height: 8000 })).toEqual({ width: 3072, height: 4096 });
});

test('a crop below 256 px is scaled up in proportion, that of a video is not [R-5.crop.1][T20]', () => {
  expect(cutSize({ width: 230, height: 307 })).toEqual({ width: 256, height: 342 });
  expect(cutSize({ width: 112, height: 63 })).toEqual({ width: 455, height: 256 });
  expect(cutSize({ width: 64, height: 2000 })).toEqual({ width: 131, height: 4096 });
  expect(cutSizeOfVideo({ width: 230, height: 307 })).toEqual({ width: 230, height: 307 });
});

test('a crop of a pair is moved into its left eye, wherever that is [T2]', () => {
  const pair = {
    left: { x: 0, y: 0, width: 1000, height: 800 },
    // The right half of an odd width starts one column later.
    right: { x: 1001, y: 0, width: 1000, height: 800 },
    shown: { width: 1000, height: 800 },
  };
  const crop = { x: 100, y: 50, width: 300, height: 400 };
  expect(cropOfLeftEye(crop, pair, [3, 4])).toEqual(crop);
  expect(cropOfLeftEye({ ...crop, x: 1601 }, pair, [3, 4])).toEqual({ ...crop, x: 600 });
  expect(cropOfLeftEye({ ...crop, x: 1701 }, pair, [3, 4])).toEqual({ ...crop, x: 700 });
  // Only squeezing changes a ratio: another one than the display's was wanted.
  expect(cropOfLeftEye(crop, pair, [16, 9])).toEqual(crop);
  expect(cropOfLeftEye({ ...crop, x: 850 }, pair, [3, 4])).toEqual({ ...crop, x: 350 });
  expect(cropOfLeftEye({ x: 0, y: 100, width: 1600, height: 600 }, pair, [8, 3])).toEqual({
    x: 0,
    y: 212,
    width: 1000,
    height: 375,
  });

  const squeezed = {
    left: { x: 500, y: 0, width: 500, height: 800 },
    right: { x: 0, y: 0, width: 500, height: 800 },
    shown: { width: 1000, height: 800 },
  };
  const stretched = cropOfLeftEye(crop, squeezed, [3, 4]);
  expect(stretched).toEqual({ x: 350, y: 50, width: 300, height: 400 });
  expect(placeInPair(stretched, squeezed)).toEqual({ x: 675, y: 50, width: 150, height: 400 });
  expect(cropOfLeftEye(placeInPair(stretched, squeezed), squeezed, [3, 4])).toEqual(stretched);

  const stacked = {
    left: { x: 0, y: 0, width: 900, height: 600 },
    right: { x: 0, y: 600, width: 900, height: 600 },
    shown: { width: 900, height: 600 },
  };
  expect(cropOfLeftEye({ x: 30, y: 400, width: 300, height: 400 }, stacked, [3, 4])).toEqual({
    x: 30,
    y: 100,
    width: 300,
    height: 400,
  });
});
