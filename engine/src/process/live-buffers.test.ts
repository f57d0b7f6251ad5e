import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireBuilt } from '../testing/built.ts';
import { drawScene, encoder } from '../testing/pictures.ts';
import type { DeviceProfile } from '../types.ts';
import { createEngine } from './engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-live-buffers-'));
// Without worker threads: what they hold is not counted in this one.
const engine = createEngine({ threads: 0 });
beforeAll(requireBuilt);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const device: DeviceProfile = {
  slug: 'panel',
  name: 'Panel',
  ratio: [16, 9],
  resolution: { width: 640, height: 360 },
  format: 'hsbs',
  disparityBudget: 3,
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the bytes that objects of JavaScript hold outside the heap. */
async function liveBytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().external;
}

test('thirty conversions leave no more buffers alive than five [T14]', { timeout: 120_000 }, async () => {
  const input = join(folder, 'photo.jpg');
  writeFileSync(input, await encoder(drawScene(640, 360)).jpeg().toBuffer());
  const request = { kind: 'picture', input, device, effect: 100, name: 'photo', preview: true } as const;
  const once = (more: object) => engine.convert({ ...request, ...more, outDir: mkdtempSync(join(folder, 'out-')) });
  const path = (await once({})).depthFile as string;
  const held: number[] = [];
  for (let i = 1; i <= 30; i++) {
    // One of them estimates its depth again.
    await once(i === 10 ? {} : { depth: { path, source: 'basic' } });
    if (i === 5 || i === 30) held.push(await liveBytes());
  }
  const [early, late] = held as [number, number];
  // A picture of this size has 691,200 bytes.
  expect(late - early).toBeLessThan(500_000);
});
