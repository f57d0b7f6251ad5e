// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useSlideshow } from './use-slideshow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const picture = { begins: true, shown: 'a', isVideo: false, waits: false };
const start = (first: typeof picture) => {
  const onNext = vi.fn();
  return { onNext, ...renderHook((now: typeof picture) => useSlideshow({ ...now, onNext }), { initialProps: first }) };
};
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

it('goes on after the time of a picture, and where the next one is not loaded yet as soon as it is', async () => {
  const { onNext, rerender } = start(picture);
  await pass(6);
  expect(onNext).toHaveBeenCalledTimes(1);
  rerender({ ...picture, shown: 'b', waits: true });
  await pass(60);
  expect(onNext).toHaveBeenCalledTimes(1);
  rerender({ ...picture, shown: 'b' });
  await pass(6);
  expect(onNext).toHaveBeenCalledTimes(2);
});

it('goes on after the end of a video, which may come before the next one is loaded', async () => {
  const video = { ...picture, isVideo: true };
  const { onNext, result, rerender } = start({ ...video, waits: true });
  await pass(60);
  act(() => result.current.videoEnded());
  await pass(1);
  expect(onNext).not.toHaveBeenCalled();
  rerender(video);
  await pass(1);
  expect(onNext).toHaveBeenCalledTimes(1);
  // Shown again, it plays to its end again.
  rerender({ ...picture, shown: 'b' });
  rerender(video);
  await pass(60);
  expect(onNext).toHaveBeenCalledTimes(1);
});

it('keeps the screen on again after the page was hidden, and not after its end', async () => {
  const locks: { released: boolean; release(): Promise<void> }[] = [];
  const request = async () => {
    const lock = {
      released: false,
      async release() {
        lock.released = true;
      },
    };
    locks.push(lock);
    return lock;
  };
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const turn = async (state: 'hidden' | 'visible') => {
    visibility.mockReturnValue(state);
    if (state === 'hidden') for (const lock of locks) await lock.release();
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
  };
  const { result } = start(picture);
  await pass(0);
  await turn('hidden');
  expect(locks).toMatchObject([{ released: true }]);
  await turn('visible');
  expect(locks).toMatchObject([{ released: true }, { released: false }]);
  act(() => result.current.toggle());
  await turn('visible');
  expect(locks).toMatchObject([{ released: true }, { released: true }]);
});
