import { expect, test } from 'vitest';
import { clockFor, RisingTimes } from './timestamps.ts';

function place(times: readonly number[], step: number): number[] {
  const rising = new RisingTimes<number>(step);
  const placed = times.flatMap((time, i) => rising.add(i, time));
  const all = [...placed, ...rising.end()];
  expect(all.map(({ one }) => one)).toEqual(times.map((_, i) => i));
  return all.map(({ time }) => time);
}

test('times that rise are kept as they are, even or not', () => {
  expect(place([0, 10, 20, 30], 10)).toEqual([0, 10, 20, 30]);
  expect(place([5, 6, 60, 61, 300], 10)).toEqual([5, 6, 60, 61, 300]);
});

test('[V11] an equal time followed by a doubled gap becomes two even ones', () => {
  expect(place([0, 10, 20, 20, 40, 50], 10)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(place([0, 10, 20, 20, 20, 50, 60], 10)).toEqual([0, 10, 20, 30, 40, 50, 60]);
});

test('equal times are spread within what there is, so that later frames keep theirs', () => {
  expect(place([0, 10, 20, 20, 26, 36], 10)).toEqual([0, 10, 20, 23, 26, 36]);
  expect(place([0, 5, 5, 5, 8, 100], 10)).toEqual([0, 5, 6, 7, 8, 100]);
});

test('[V11] times that fall or never move still come out rising', () => {
  for (const times of [
    [0, 20, 10, 30],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [50, 40, 30, 20, 10, 0],
    [0, 100, 1, 2, 3, 200],
  ]) {
    const placed = place(times, 10);
    for (const [i, time] of placed.entries()) if (i > 0) expect(time).toBeGreaterThan(placed[i - 1] as number);
  }
});

test('a video that ends in equal times ends evenly', () => {
  expect(place([0, 10, 20, 20], 10)).toEqual([0, 10, 20, 30]);
});

test('the clock holds the times of every usual source exactly', () => {
  for (const den of [24, 25, 30, 50, 60, 600, 1000, 12_800, 15_360, 24_000, 30_000, 60_000, 90_000])
    expect(clockFor({ num: 1, den }) % den).toBe(0);
  expect(clockFor({ num: 1, den: 1_000_000_000 })).toBe(90_000);
});
