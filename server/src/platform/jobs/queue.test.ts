import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestDatabase } from '../../testing/database.ts';
import type { Opened } from '../db/open.ts';
import { defineJob, type Handler, handle, type JobRun } from './job.ts';
import { openQueue, type Queue } from './queue.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

const log = pino({ level: 'silent' });
const context = { log };
type Own = typeof context;

const letter = defineJob('test.letter', z.strictObject({ text: z.string() }), { attempts: 3, retryDelay: 0 });

/** Longer than any test: a job that starts earlier was found by notification instead of polling. */
const NEVER = 3_600;

describe('the job queue', () => {
  let opened: Opened;
  const workers: Worker[] = [];
  const queues: Queue[] = [];
  beforeEach(async () => {
    opened = await openTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await Promise.all(queues.splice(0).map((queue) => queue.close()));
    await opened.close();
  });

  async function open(handlers: Handler<Own>[]) {
    const queue = await openQueue(opened, handlers, log);
    queues.push(queue);
    return queue;
  }
  async function work(handlers: Handler<Own>[], options: WorkerOptions = {}) {
    const queue = await open(handlers);
    const worker = await startWorker(queue, handlers, context, { pollSeconds: NEVER, patience: 0, ...options });
    workers.push(worker);
    return { queue, worker };
  }
  const send = (queue: Queue, text: string, id?: string) =>
    opened.db.transaction((tx) => queue.enqueue(tx, letter, { text }, id ? { id } : {}));
  const run = async (text: string) => (await opened.pool.query<Record<string, unknown>>(text)).rows;
  const states = async () =>
    (await run("select state from pgboss.job where name like 'test.%' order by id")).map(({ state }) => state);
  /** Simulates that no heartbeat was sent for a while. */
  const silence = () => run("update pgboss.job set heartbeat_on = now() - interval '31 seconds'");

  test('a job of a committed transaction starts at once, without a poll', async () => {
    const got: string[] = [];
    const { queue } = await work([handle(letter, { run: async (_context, { text }) => void got.push(text) })]);
    await send(queue, 'hello');
    await expect.poll(() => got).toEqual(['hello']);
    await expect.poll(states).toEqual(['completed']);
  });

  test('a job of a rolled-back transaction never existed', async () => {
    const got: string[] = [];
    const { queue } = await work([handle(letter, { run: async (_context, { text }) => void got.push(text) })]);
    const rolledBack = opened.db.transaction(async (tx) => {
      await queue.enqueue(tx, letter, { text: 'never' });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await send(queue, 'after');
    await expect.poll(() => got).toEqual(['after']);
    expect(await states()).toEqual(['completed']);
  });

  test('a job with the id of another is not made twice [A81]', async () => {
    const got: string[] = [];
    const { queue } = await work([handle(letter, { run: async (_context, { text }) => void got.push(text) })]);
    const id = 'b9f6ee7e-9c4e-4d5c-8a43-0f1f3f3f3f3f';
    await Promise.all([send(queue, 'one', id), send(queue, 'two', id)]);
    await send(queue, 'last');
    await expect.poll(() => got).toContain('last');
    expect(got).toHaveLength(2);
  });

  test('data that the job does not know are refused before they are stored', async () => {
    const { queue } = await work([handle(letter, { run: async () => {} })]);
    const wrong = { text: 'x', more: 1 };
    await expect(opened.db.transaction((tx) => queue.enqueue(tx, letter, wrong))).rejects.toThrow('more');
    const unknown = defineJob('test.unknown', z.strictObject({}));
    await expect(opened.db.transaction((tx) => queue.enqueue(tx, unknown, {}))).rejects.toThrow('Nobody handles');
  });

  test('a failing job is tried again, then it is dead and that is told once [A82]', async () => {
    const attempts: number[] = [];
    const dead: string[] = [];
    const poison = handle<Own, { text: string }>(letter, {
      run: async (_context, _data, { attempt }) => {
        attempts.push(attempt);
        throw new Error('poison');
      },
      dead: async (_context, { text }) => void dead.push(text),
    });
    const { queue } = await work([poison], { pollSeconds: 0.5 });
    await send(queue, 'poison');
    await expect.poll(() => dead).toEqual(['poison']);
    expect(attempts).toEqual([1, 2, 3]);
  });

  test('no more than its number of jobs run at one time', async () => {
    let running = 0;
    let most = 0;
    let ended = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const slow = handle<Own, { text: string }>(letter, {
      concurrency: 2,
      run: async () => {
        most = Math.max(most, ++running);
        await gate;
        running--;
        ended++;
      },
    });
    const { queue } = await work([slow]);
    for (const text of ['1', '2', '3', '4', '5']) await send(queue, text);
    await expect.poll(() => running).toBe(2);
    open();
    await expect.poll(() => ended).toBe(5);
    expect(most).toBe(2);
  });

  describe('shared by users', () => {
    /** Runs `texts`, of the user in their first letter, after a job that holds the only place until all are there. */
    const orderOf = async (texts: readonly string[], isGuest = (_user: string) => false) => {
      const order: string[] = [];
      let open = () => {};
      const gate = new Promise<void>((resolve) => (open = resolve));
      const handler = handle<Own, { text: string }>(letter, {
        run: async (_context, { text }) => {
          order.push(text);
          if (order.length === 1) await gate;
        },
      });
      const { queue } = await work([handler]);
      for (const text of texts) {
        const [id = ''] = text;
        const user = { id, isGuest: isGuest(id) };
        await opened.db.transaction((tx) => queue.enqueue(tx, letter, { text }, { user }));
        if (text === texts[0]) await expect.poll(() => order).toEqual([text]);
      }
      open();
      await expect.poll(() => order).toHaveLength(texts.length);
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      return order;
    };

    test('nobody waits for more than one job of another, however many those are [S4]', async () => {
      const order = await orderOf(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
      expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
      // The last turns are remembered: a came after b, and b after c.
      expect(await orderOf(['d1', 'a5', 'b3', 'c2'])).toEqual(['d1', 'c2', 'b3', 'a5']);
    });

    test('new guests come before who was served last, and not before everybody [S4]', async () => {
      await orderOf(['m1', 'n1']);
      const order = await orderOf(['a1', 'a2', 'g1', 'h1', 'm2', 'n2'], (user) => 'gh'.includes(user));
      expect(order).toEqual(['a1', 'm2', 'n2', 'g1', 'h1', 'a2']);
    });

    test('a job that is tried again waits with the others of its user [S4]', async () => {
      const order: string[] = [];
      const handler = handle<Own, { text: string }>(letter, {
        run: async (_context, { text }, { attempt }) => {
          order.push(`${text} ${attempt}`);
          if (attempt === 1 && text === 'a1') throw new Error('once');
        },
      });
      const queue = await open([handler]);
      for (const text of ['a1', 'a2', 'b1', 'b2']) {
        const user = { id: text[0] ?? '', isGuest: false };
        await opened.db.transaction((tx) => queue.enqueue(tx, letter, { text }, { user }));
      }
      await work([handler], { pollSeconds: 0.5 });
      await expect.poll(() => order).toEqual(['a1 1', 'b1 1', 'a1 2', 'b2 1', 'a2 1']);
    });
  });

  test('a database that goes away costs a job no try [S2]', async () => {
    const tries: number[] = [];
    const { queue } = await work([
      handle(letter, {
        run: async (_context, _data, { attempt }) => {
          if (tries.push(attempt) < 5) throw Object.assign(new Error('the database restarts'), { code: '57P01' });
        },
      }),
    ]);
    await send(queue, 'patient');
    await expect.poll(states).toEqual(['completed']);
    expect(tries).toEqual([1, 1, 1, 1, 1]);
  });

  test('trouble that passes costs a job no try, and a killed conversion process a tenth of one [S7]', async () => {
    const trouble = [
      Object.assign(new Error('full'), { code: 'ENOSPC' }),
      Object.assign(new Error('a conversion met a full disk'), { code: 'serverFull' }),
      new Error('read', { cause: Object.assign(new Error('no storage'), { code: 'EAI_AGAIN' }) }),
      Object.assign(new Error('the bucket is busy'), { $metadata: { httpStatusCode: 503 } }),
      ...Array.from({ length: 9 }, () => Object.assign(new Error('killed'), { code: 'conversionInterrupted' })),
    ];
    const tries: number[] = [];
    const { queue } = await work([
      handle(letter, {
        run: async (_context, _data, { attempt }) => {
          const error = trouble[tries.push(attempt) - 1];
          if (error) throw error;
        },
      }),
    ]);
    await send(queue, 'patient');
    await expect.poll(states, { timeout: 10_000 }).toEqual(['completed']);
    expect(tries).toEqual(Array.from({ length: trouble.length + 1 }, () => 1));
  });

  test('tries are spread over minutes, and trouble is looked at again soon [S7]', async () => {
    const spread = defineJob('test.letter', letter.data, { attempts: 4, retryDelay: 40, longestDelay: 100 });
    const errors = [new Error('1'), new Error('2'), new Error('3'), Object.assign(new Error(), { code: 'ENOSPC' })];
    let runs = 0;
    const handler = handle<Own, { text: string }>(spread, {
      run: async () => {
        throw errors[runs++] ?? new Error('the last');
      },
    });
    const { queue } = await work([handler], { pollSeconds: 0.5, patience: 1 });
    await send(queue, 'slow');
    const delays: number[] = [];
    for (const _ of errors) {
      const waiting = async () =>
        Number(
          (
            await run(
              "select extract(epoch from start_after - now()) as s from pgboss.job where name = 'test.letter' and state = 'created' and retry_limit <> 39",
            )
          )[0]?.['s'] ?? 0,
        );
      await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(1);
      delays.push(await waiting());
      await run("update pgboss.job set start_after = now() where name = 'test.letter'");
    }
    await expect.poll(states, { timeout: 10_000 }).toEqual(['failed']);
    for (const [index, seconds] of [40, 80, 100, 8].entries())
      expect(Math.abs((delays[index] ?? 0) - seconds), String(delays)).toBeLessThan(seconds / 2);
  });

  test('a stopping worker hands its jobs back, and that costs no try', async () => {
    const runs: JobRun[] = [];
    const patient = handle<Own, { text: string }>(letter, {
      run: async (_context, _data, run) => {
        runs.push(run);
        if (runs.length > 1) return;
        await new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    });
    const { queue, worker } = await work([patient]);
    await send(queue, 'long');
    await expect.poll(() => runs).toHaveLength(1);
    await worker.stop();
    expect(await states()).toEqual(['created']);
    await work([patient], { pollSeconds: 0.5 });
    await expect.poll(() => runs).toHaveLength(2);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
    await expect.poll(states).toEqual(['completed']);
  });

  test('a job that does not listen is handed back when the grace is over', async () => {
    let fail = (_error: Error) => {};
    const deaf = new Promise<void>((_, reject) => (fail = reject));
    const handler = handle<Own, { text: string }>(letter, { run: () => deaf });
    const { queue, worker } = await work([handler], { graceMs: 50 });
    await send(queue, 'deaf');
    await expect.poll(states).toEqual(['active']);
    await worker.stop();
    expect(await states()).toEqual(['created']);
    fail(new Error('too late'));
  });

  test('a regular job runs once in its stretch, however many workers ask [A81]', async () => {
    let runs = 0;
    const regular = defineJob('test.regular', z.strictObject({}), { every: 6 * 3600 });
    const handler = handle<Own, object>(regular, { run: async () => void runs++ });
    const { queue } = await work([handler], { pollSeconds: 0.5 });
    await work([handler], { pollSeconds: 0.5 });
    await Promise.all([1, 2, 3].map(() => queue.enqueueRegular(regular)));
    await expect.poll(() => runs).toBe(1);
    expect(await states()).toEqual(['completed']);
  });

  test('the claim of a silent worker ends, and another worker does the job [A79]', async () => {
    const runs: number[] = [];
    const handler = handle<Own, { text: string }>(letter, {
      run: async (_context, _data, { attempt }) => void runs.push(attempt),
    });
    opened = { ...opened, alone: false };
    const queue = await open([handler]);
    await send(queue, 'left behind');
    // As after the worker was killed: claimed, but without heartbeats since.
    await queue.boss.fetch(letter.name);
    await work([handler], { pollSeconds: 0.5 });
    await silence();
    await queue.boss.supervise(letter.name);
    // Being killed costs no whole try.
    await expect.poll(() => runs).toEqual([1]);
    await expect.poll(states).toEqual(['completed']);
  });

  test('a worker sends heartbeats, and lets go of a job that was taken from it', async () => {
    const runs: JobRun[] = [];
    let finish = () => {};
    const handler = handle<Own, { text: string }>(letter, {
      run: (_context, _data, run) => {
        runs.push(run);
        return new Promise((resolve) => (finish = resolve));
      },
    });
    const { queue } = await work([handler], { heartbeatSeconds: 0.01 });
    await send(queue, 'long');
    await expect.poll(() => runs).toHaveLength(1);
    const heartbeat = async () => (await run('select heartbeat_on from pgboss.job')).map((row) => row['heartbeat_on']);
    const before = await heartbeat();
    await expect.poll(heartbeat).not.toEqual(before);
    expect(runs[0]?.signal.aborted).toBe(false);
    // As if the claim had expired while this process was suspended, and another worker had begun the next attempt.
    await run('update pgboss.job set retry_count = retry_count + 1');
    await expect.poll(() => runs[0]?.signal.aborted).toBe(true);
    finish();
    await workers[0]?.stop();
    expect(await states()).toEqual(['active']);
  });

  test('the only process takes back at once what its predecessor left [A79]', async () => {
    const runs: number[] = [];
    const handler = handle<Own, { text: string }>(letter, {
      run: async (_context, _data, { attempt }) => void runs.push(attempt),
    });
    const queue = await open([handler]);
    await send(queue, 'left behind');
    await queue.boss.fetch(letter.name);
    expect(await states()).toEqual(['active']);
    await work([handler], { pollSeconds: 0.5 });
    await expect.poll(() => runs).toEqual([1]);
  });

  test('the death of every try by a killed process is a dead job as well', async () => {
    const dead: string[] = [];
    const once = defineJob('test.letter', letter.data, { attempts: 1, retryDelay: 0 });
    const handler = handle<Own, { text: string }>(once, {
      run: async () => {},
      dead: async (_context, { text }) => void dead.push(text),
    });
    const queue = await open([handler]);
    const killed = await queue.connect({ supervise: false, monitorIntervalSeconds: 1 }).start();
    await send(queue, 'killer');
    for (let kill = 1; kill <= 10; kill++) {
      const fetched = async () => {
        await killed.supervise(letter.name);
        return killed.fetch(letter.name);
      };
      await expect.poll(fetched, { timeout: 10_000, interval: 200 }).toHaveLength(1);
      await silence();
    }
    await expect
      .poll(
        async () => {
          await killed.supervise(letter.name);
          return states();
        },
        { timeout: 10_000, interval: 200 },
      )
      .toContain('failed');
    await killed.stop({ graceful: false });
    await work([handler], { pollSeconds: 0.5 });
    await expect.poll(() => dead).toEqual(['killer']);
  });
});

describe('a handler', () => {
  test('gets only data that its job knows', async () => {
    const handler = handle<Own, { text: string }>(letter, { run: async () => {} });
    expect(() => handler.run(context, { text: 1 }, {} as JobRun)).toThrow('text');
  });
});
