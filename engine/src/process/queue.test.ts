import { expect, test } from 'vitest';
import { createQueue } from './queue.ts';

/** Returns work that ends on request. */
function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done, finish };
}

test('one thing is used by one at a time, first come first served', async () => {
  const queue = createQueue(['only']);
  const order: string[] = [];
  const first = work();
  const runs = [
    queue.run(async () => {
      order.push('a begins');
      await first.done;
      order.push('a ends');
    }),
    queue.run(async () => order.push('b')),
    queue.run(async () => order.push('c')),
  ];
  await Promise.resolve();
  expect(order).toEqual(['a begins']);
  first.finish();
  await Promise.all(runs);
  expect(order).toEqual(['a begins', 'a ends', 'b', 'c']);
});

test('a free thing goes to the user who was served least recently, in the order of their own calls [S4]', async () => {
  const queue = createQueue(['only']);
  const first = work();
  const order: string[] = [];
  const call = (name: string, until?: Promise<void>) =>
    queue.run(
      async () => {
        order.push(name);
        await until;
      },
      { user: name[0] },
    );
  const calls = [call('a1', first.done), call('a2'), call('a3'), call('b1'), call('b2'), call('c1')];
  first.finish();
  await Promise.all(calls);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  // Who comes back is remembered: `c` was served before `a`.
  const second = work();
  const later = [call('b3', second.done), call('a4'), call('c2')];
  second.finish();
  await Promise.all(later);
  expect(order.slice(6)).toEqual(['b3', 'c2', 'a4']);
});

test('the thing used last is given out first: it is warm', async () => {
  const queue = createQueue(['cold', 'warm']);
  expect(await queue.run(async (one) => one)).toBe('warm');
  expect(await queue.run(async (one) => one)).toBe('warm');
});

test('work that fails gives its thing back', async () => {
  const queue = createQueue(['only']);
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run(async (one) => one)).toBe('only');
});

test('who cancels while waiting leaves the queue, and the others keep their places', async () => {
  const queue = createQueue(['only']);
  const first = work();
  const cancel = new AbortController();
  const running = queue.run(() => first.done);
  const cancelled = queue.run(async () => 'never', { signal: cancel.signal });
  const next = queue.run(async () => 'next');
  cancel.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'conversionCancelled' });
  first.finish();
  await running;
  expect(await next).toBe('next');
  await expect(queue.run(async () => 'never', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'conversionCancelled',
  });
});

test('a closed queue refuses who waits and who comes, and waits for the work in progress', async () => {
  const queue = createQueue(['only']);
  const first = work();
  const running = queue.run(() => first.done.then(() => 'ended'));
  const waiting = queue.run(async () => 'never');
  let closed = false;
  const closing = queue.close().then(() => {
    closed = true;
  });
  await expect(waiting).rejects.toMatchObject({ code: 'conversionCancelled' });
  await expect(queue.run(async () => 'never')).rejects.toMatchObject({ code: 'conversionCancelled' });
  expect(closed).toBe(false);
  first.finish();
  await closing;
  expect(await running).toBe('ended');
});
