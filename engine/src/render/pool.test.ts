import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sharedBytes, sharedShorts } from '../depth/layers/layers.ts';
import { requireBuilt } from '../testing/built.ts';
import type { DrawViews } from './draw.ts';
import { createPool, type Pool } from './pool.ts';

beforeAll(requireBuilt);

const folder = mkdtempSync(join(tmpdir(), 'framelift-pool-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pools: Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function pool(threads: number, workerFile?: string): Pool {
  const made = createPool(threads, workerFile);
  pools.push(made);
  return made;
}

/** Returns a worker file for the test: real threads that fail on purpose. */
function workerThat(source: string): string {
  const file = join(folder, `${pools.length}-${source.length}.mjs`);
  writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${source}`);
  return file;
}

function task(width: number, height: number): DrawViews {
  const colour = sharedBytes(3 * width * height);
  const depth = sharedShorts(width * height);
  for (let i = 0; i < width * height; i++) {
    colour.fill((i * 37) % 251, 3 * i, 3 * i + 3);
    depth[i] = ((i * 7919) % 65536) & (Math.floor(i / 50) % 2 ? 0xffff : 0xff);
  }
  const layer = { width, height, colour, depth };
  return {
    kind: 'views',
    layer,
    background: layer,
    convergence: 0.4,
    reaches: Float32Array.from([-9, -2, 5.5]),
    corners: Int32Array.from([0, 0, width, 0, 2 * width, 0]),
    inset: 1.5,
    fade: 0.2,
    packed: sharedBytes(9 * width * height),
    packedWidth: 3 * width,
  };
}

describe('the pool', () => {
  test('gives the same bytes on this thread, on one, on two and on three', async () => {
    const results = [];
    for (const threads of [0, 1, 2, 3]) {
      const kernel = task(97, 61);
      await pool(threads).run(kernel, 61);
      results.push(Buffer.from(kernel.packed).toString('base64'));
    }
    expect(results[0]?.length).toBeGreaterThan(1000);
    expect(new Set(results).size).toBe(1);
  });

  test('reports progress that rises to 1, and takes one run after another and at once', async () => {
    const two = pool(2);
    const told: number[] = [];
    await two.run(task(40, 50), 50, { onProgress: (fraction) => told.push(fraction) });
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
    await Promise.all([two.run(task(40, 50), 50), two.run(task(30, 20), 20), two.run(task(20, 1), 1)]);
  });

  test.each([0, 2])('stops when it is cancelled (%i threads), and can be used again', async (threads) => {
    const used = pool(threads);
    const abort = new AbortController();
    const run = used.run(task(200, 300), 300, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(run).rejects.toMatchObject({ code: 'conversionCancelled' });
    await expect(used.run(task(20, 20), 20, { signal: abort.signal })).rejects.toMatchObject({
      code: 'conversionCancelled',
    });
    await used.run(task(20, 20), 20);
  });

  test.each([
    ['throws in a share', "parentPort.on('message', () => parentPort.postMessage('boom'));", /boom/],
    ['crashes', "parentPort.on('message', () => { throw new Error('crash'); });", /crash/],
    ['ends', "parentPort.on('message', () => process.exit(3));", /code 3/],
    ['cannot start', 'import "./not-there.mjs";', /not-there/],
  ])('rejects when a worker %s', async (_, source, message) => {
    const broken = pool(2, workerThat(source));
    await expect(broken.run(task(20, 20), 20)).rejects.toMatchObject({
      code: 'conversionFailed',
      message: expect.stringMatching(message),
    });
  });

  test('rejects what is in progress when it is closed, and takes nothing more', async () => {
    const closing = pool(1, workerThat("parentPort.on('message', () => {});"));
    const run = expect(closing.run(task(20, 20), 20)).rejects.toMatchObject({ code: 'conversionFailed' });
    await closing.close();
    await run;
    await expect(closing.run(task(20, 20), 20)).rejects.toMatchObject({ code: 'conversionFailed' });
  });
});
