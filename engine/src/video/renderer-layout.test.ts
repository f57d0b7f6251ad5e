import { VIDEO_FORMATS } from '@framelift/contract/formats';
import { expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { videoLayout } from './renderer-layout.ts';

const device = (slug: string) => {
  const found = DEVICES.find((one) => one.slug === slug);
  if (!found) throw new Error(`no device ${slug}`);
  return found;
};
const INPUT = { width: 1280, height: 720 };

test('[V43] videos for passive televisions lie one above the other, the left eye on top, within the panel', () => {
  const { width, height, cells } = videoLayout('htb', device('3d-tv-passive'), INPUT);
  expect({ width, height }).toEqual({ width: 1280, height: 720 });
  expect(cells).toEqual([
    { position: -1, x: 0, y: 0 },
    { position: 1, x: 0, y: 360 },
  ]);
});

test('crossed videos have the right eye on the left, those for Leia-class panels the left one', () => {
  const eyes = (format: 'cross' | '2x1' | 'tb') =>
    videoLayout(format, device('leia-2x1'), INPUT).cells.map(({ position }) => position);
  expect(eyes('cross')).toEqual([1, -1]);
  expect(eyes('2x1')).toEqual([-1, 1]);
  expect(eyes('tb')).toEqual([-1, 1]);
});

test('every layout of a video has even sides', () => {
  for (const format of VIDEO_FORMATS) {
    for (const { slug } of DEVICES) {
      const { width, height } = videoLayout(format, device(slug), { width: 405, height: 721 });
      expect([format, slug, width % 2, height % 2]).toEqual([format, slug, 0, 0]);
    }
  }
});
