import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEIGHTS_PLAN } from '../../engine/scripts/prepare-models.ts';
import { MODEL_FILES } from '../../engine/src/depth/model-files.ts';
import { makeGraphs } from './make-graphs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framelift-graphs-'));
  await makeGraphs(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([...Object.values(MODEL_FILES.matte), WEIGHTS_PLAN])(
  '%s of the engine is what the script makes',
  async (name) => {
    const committed = await readFile(join(import.meta.dirname, '../../engine/models', name));
    expect(committed.equals(await readFile(join(folder, name)))).toBe(true);
  },
);
