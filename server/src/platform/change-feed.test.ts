import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { openTestDatabase } from '../testing/database.ts';
import { type ChangeFeed, createChangeFeed, openChangeFeed } from './change-feed.ts';

const log = pino({ level: 'silent' });
let changes: ChangeFeed;
afterEach(() => changes.close());

test('what this process changes is told at once, and only to those who watch it', async () => {
  changes = createChangeFeed({ fingerprints: async () => new Map(), log, pollMs: 3_600_000 });
  const told: string[] = [];
  const tell = (who: string) => async () => void told.push(who);
  changes.watch('a', tell('a1'));
  const stop = changes.watch('a', tell('a2'));
  changes.watch('b', tell('b'));
  await expect.poll(() => told.splice(0)).toEqual(['a1', 'a2', 'b']);
  changes.changed('a');
  await expect.poll(() => told.splice(0)).toEqual(['a1', 'a2']);
  stop();
  changes.changed('a');
  await expect.poll(() => told.splice(0)).toEqual(['a1']);
});

test('changes during a look are followed by one more look, which sees them all', async () => {
  changes = createChangeFeed({ fingerprints: async () => new Map(), log, pollMs: 3_600_000 });
  const looks: (() => void)[] = [];
  changes.watch('a', () => new Promise((resolve) => looks.push(() => resolve(undefined))));
  changes.changed('a');
  changes.changed('a');
  expect(looks).toHaveLength(1);
  looks[0]?.();
  await expect.poll(() => looks.length).toBe(2);
  looks[1]?.();
  changes.changed('a');
  await expect.poll(() => looks.length).toBe(3);
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
  const stopA = changes.watch('a', async () => {
    a++;
    return rows.get('a');
  });
  const stopB = changes.watch('b', async () => {
    b++;
    return rows.get('b');
  });
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
  changes.watch('c', async () => undefined);
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
  changes.watch('a', async () => {
    read = row;
    return row;
  });
  await expect.poll(() => asked).toBeGreaterThan(1);
  row = 'second';
  changes.changed('a');
  expect(read).toBe('second');
  row = 'first';
  await expect.poll(() => read).toBe('first');
});

test('a change back to what polling saw last is told too, after a look that saw what polling did not [A91]', async () => {
  let row = 'first';
  const states: string[] = [];
  changes = createChangeFeed({
    log,
    pollMs: 5,
    fingerprints: async () => {
      const found = new Map([['a', row]]);
      // Changes after polling has read it, and before the watcher does.
      if (row === 'second' && !states.includes('third')) row = 'third';
      return found;
    },
  });
  changes.watch('a', async () => {
    const read = row;
    states.push(read);
    // Changes back before polling looks again.
    if (read === 'third') row = 'second';
    return read;
  });
  row = 'second';
  await expect.poll(() => states).toEqual(['first', 'third', 'second']);
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
  changes.watch('a', async () => void told++);
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
  changes.watch('a', async () => void told++);
  await expect.poll(() => told).toBeGreaterThan(1);
});

test('what another process changes is told at once, without a look', async () => {
  const opened = await openTestDatabase();
  const options = { fingerprints: async () => new Map<string, string>(), log, pollMs: 3_600_000 };
  const feeds = await Promise.all([openChangeFeed(opened.pool, options), openChangeFeed(opened.pool, options)]);
  const told: string[] = [];
  for (const [index, feed] of feeds.entries()) feed.watch('a', async () => void told.push(`${index}`));
  await expect.poll(() => told.splice(0)).toEqual(['0', '1']);
  feeds[0]?.changed('a');
  feeds[0]?.changed('b');
  await expect.poll(() => told).toEqual(['0', '1']);
  await Promise.all(feeds.map((feed) => feed.close()));
  await opened.close();
});
