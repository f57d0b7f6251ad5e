import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { openTestDatabase } from '../testing/database.ts';
import { type ChangeFeed, createChangeFeed, openChangeFeed } from './change-feed.ts';

const log = pino({ level: 'silent' });
let changes: ChangeFeed;
afterEach(() => changes.close());

test('what this process changes is told at once, and only to those who watch it', () => {
  changes = createChangeFeed({ fingerprints: async () => new Map(), log, pollMs: 3_600_000 });
  const told: string[] = [];
  changes.watch('a', () => told.push('a1'));
  const stop = changes.watch('a', () => told.push('a2'));
  changes.watch('b', () => told.push('b'));
  changes.changed('a');
  stop();
  changes.changed('a');
  expect(told).toEqual(['a1', 'a2', 'a1']);
});

test('what another process changes is found by one question for all that are watched', async () => {
  const rows = new Map([
    ['a', '1'],
    ['b', '1'],
  ]);
  const asked: string[][] = [];
  changes = createChangeFeed({
    log,
    pollMs: 5,
    fingerprints: async (ids) => {
      asked.push([...ids]);
      return new Map(rows);
    },
  });
  let a = 0;
  let b = 0;
  const stopA = changes.watch('a', () => a++);
  const stopB = changes.watch('b', () => b++);
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  expect(asked[1]).toEqual(['a', 'b']);
  const before = a;
  rows.set('b', '2');
  const lastB = b;
  await expect.poll(() => b).toBe(lastB + 1);
  rows.delete('b');
  await expect.poll(() => b).toBe(lastB + 2);
  expect(a).toBe(before);
  stopA();
  stopB();
  changes.watch('c', () => {});
  await expect.poll(() => asked.at(-1)).toEqual(['c']);
});

test('a change back to what polling saw last is told too, although nobody tells of it [A91]', async () => {
  let asked = 0;
  let row = 'first';
  changes = createChangeFeed({
    log,
    pollMs: 5,
    fingerprints: async () => {
      asked++;
      return new Map([['a', row]]);
    },
  });
  let read = '';
  changes.watch('a', () => {
    read = row;
  });
  await expect.poll(() => asked).toBeGreaterThan(1);
  row = 'second';
  changes.changed('a');
  expect(read).toBe('second');
  row = 'first';
  await expect.poll(() => read).toBe('first');
});

test('a row that is gone before it was ever looked at is told once', async () => {
  let asked = 0;
  changes = createChangeFeed({
    log,
    pollMs: 5,
    fingerprints: async () => {
      asked++;
      return new Map();
    },
  });
  let told = 0;
  changes.watch('a', () => told++);
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect(told).toBe(1);
});

test('a database that fails for a while is asked again', async () => {
  let turn = 0;
  changes = createChangeFeed({
    log,
    pollMs: 5,
    fingerprints: async () => {
      if (++turn < 3) throw new Error('no connection');
      return new Map([['a', String(turn)]]);
    },
  });
  let told = 0;
  changes.watch('a', () => told++);
  await expect.poll(() => told).toBeGreaterThan(1);
});

test('what another process changes is told at once, without a look', async () => {
  const opened = await openTestDatabase();
  const options = { fingerprints: async () => new Map<string, string>(), log, pollMs: 3_600_000 };
  const feeds = await Promise.all([openChangeFeed(opened.pool, options), openChangeFeed(opened.pool, options)]);
  const told: string[] = [];
  for (const [index, feed] of feeds.entries()) feed.watch('a', () => told.push(`${index}`));
  feeds[0]?.changed('a');
  feeds[0]?.changed('b');
  await expect.poll(() => told).toEqual(['0', '1']);
  await Promise.all(feeds.map((feed) => feed.close()));
  await opened.close();
});
