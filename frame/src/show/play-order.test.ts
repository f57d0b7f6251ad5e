import { expect, it } from 'vitest';
import { createPlayOrder, type PlayOrder } from './play-order.ts';

/** Repeatable numbers 0 … 1. */
function seeded(): () => number {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
const take = (order: PlayOrder, count: number) => Array.from({ length: count }, () => order.next());
const ids = (count: number) => Array.from({ length: count }, (_, i) => `item ${i}`);

it('plays in the order of the owner, round after round, and back', () => {
  const order = createPlayOrder(seeded());
  order.set(['a', 'b', 'c'], false);
  expect(take(order, 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
  expect([order.previous(), order.previous()]).toEqual(['a', 'c']);
  expect(take(order, 3)).toEqual(['a', 'b', 'c']);
  expect(order.upcoming(2)).toEqual(['a', 'b']);
  expect(order.upcoming(9)).toEqual(['a', 'b', 'c']);
});

it('goes on where it was when items come, go and move, also if the present one is gone', () => {
  const order = createPlayOrder(seeded());
  order.set(['a', 'b', 'c', 'd'], false);
  take(order, 2);
  order.set(['b', 'new', 'd', 'a'], false);
  expect(take(order, 3)).toEqual(['new', 'd', 'a']);
  order.set(['b', 'new', 'd'], false);
  expect(take(order, 2)).toEqual(['b', 'new']);
  order.set(['b', 'd'], false);
  expect(order.next()).toBe('d');
  order.set([], false);
  expect([order.next(), order.previous(), order.upcoming(3)]).toEqual([null, null, []]);
});

it('shows each item once in a shuffled round, never one twice in a row, and differs from round to round', () => {
  const order = createPlayOrder(seeded());
  order.set(ids(6), true);
  const rounds = Array.from({ length: 40 }, () => take(order, 6));
  for (const round of rounds) expect([...round].sort()).toEqual(ids(6));
  const shown = rounds.flat();
  expect(shown.some((id, i) => id === shown[i + 1])).toBe(false);
  expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(20);
});

it('shuffles what comes during a round into its rest, and tells what follows before it comes', () => {
  const order = createPlayOrder(seeded());
  order.set(ids(5), true);
  const begun = take(order, 2);
  order.set([...ids(5).filter((id) => id !== begun[0]), 'new'], true);
  const rest = order.upcoming(4);
  expect(take(order, 4)).toEqual(rest);
  expect([...rest, begun[1]].sort()).toEqual([...ids(5).filter((id) => id !== begun[0]), 'new'].sort());
});
