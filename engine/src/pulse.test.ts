import { expect, test } from 'vitest';
import { watchMainThread } from './pulse.ts';

test('a main thread that stands still is told from one that moves or runs a model [S6]', () => {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const isMoving = watchMainThread(state);
  expect(isMoving()).toBe(true);
  expect(isMoving()).toBe(false);
  Atomics.add(state, 0, 1);
  expect([isMoving(), isMoving()]).toEqual([true, false]);
  Atomics.add(state, 1, 1);
  expect([isMoving(), isMoving()]).toEqual([true, true]);
  Atomics.sub(state, 1, 1);
  expect(isMoving()).toBe(false);
});
