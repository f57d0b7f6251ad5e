// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DatedVideo } from './angle-stream.ts';
import { useAngles } from './use-angles.ts';

/** A comparison of the programme dates takes place four times a second. */
const TICK_MS = 250;
/** States of a video, which happy-dom does not name. */
const STATES = { HAVE_METADATA: 1, HAVE_CURRENT_DATA: 2, HAVE_FUTURE_DATA: 3, HAVE_ENOUGH_DATA: 4 };
Object.assign(HTMLMediaElement, STATES);

/** A video that plays since the epoch, ahead of it by some seconds. */
const aVideo = (ahead: number, readyState = STATES.HAVE_ENOUGH_DATA) =>
  ({
    currentTime: 100 + ahead,
    readyState,
    seeking: false,
    paused: false,
    playbackRate: 1,
    seekable: { length: 1, start: () => 0, end: () => 1000 },
    getStartDate: () => new Date(0),
  }) as unknown as DatedVideo & { readyState: number; seeking: boolean };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch(videos: Record<string, DatedVideo>) {
  const hook = renderHook(() => useAngles('left'));
  for (const [id, video] of Object.entries(videos)) hook.result.current.setVideo(id, video);
  return {
    now: () => hook.result.current,
    choose: (id: string) => act(() => hook.result.current.choose(id)),
    wait: (ticks: number) => act(() => vi.advanceTimersByTimeAsync(ticks * TICK_MS)),
  };
}

it('an angle that plays the same moment takes over at once', () => {
  const { now, choose } = watch({ left: aVideo(0), right: aVideo(0.1) });
  choose('right');
  expect(now()).toMatchObject({ main: 'right', next: null });
});

it('the watched angle stays until the picture of the other one is there, and of the same moment', async () => {
  const right = aVideo(0, STATES.HAVE_METADATA);
  const { now, choose, wait } = watch({ left: aVideo(0), right });
  choose('right');
  await wait(2);
  expect(now()).toMatchObject({ main: 'left', next: 'right' });
  right.currentTime = 100.4;
  right.readyState = STATES.HAVE_ENOUGH_DATA;
  await wait(1);
  expect(now().main).toBe('left');
  expect(right.playbackRate).toBe(0.75);
  right.currentTime = 100.14;
  await wait(1);
  expect(now()).toMatchObject({ main: 'right', next: null });
  expect(right.playbackRate).toBe(1);
});

it('an angle takes over at any moment from one that has stopped, and pressing the watched one takes the wish back', async () => {
  const left = aVideo(0);
  const { now, choose, wait } = watch({ left, right: aVideo(-8) });
  choose('right');
  choose('left');
  expect(now()).toMatchObject({ main: 'left', next: null });
  left.readyState = STATES.HAVE_CURRENT_DATA;
  await wait(1);
  expect(now().isWaiting).toBe(true);
  choose('right');
  expect(now().main).toBe('right');
});

it('an angle that is far away jumps to the watched one, then plays for a while, and aims further ahead the next time', async () => {
  const right = aVideo(-30);
  const { wait } = watch({ left: aVideo(0), right });
  await wait(1);
  expect(right.currentTime).toBe(100);
  // The jump took more than a second, in which the watched angle went on.
  right.currentTime = 98.5;
  await wait(4);
  expect(right.currentTime).toBe(98.5);
  expect(right.playbackRate).toBe(1.25);
  await wait(8);
  expect(right.currentTime).toBeCloseTo(101.5);
});
