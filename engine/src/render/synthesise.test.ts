import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireBuilt } from '../testing/built.ts';
import { sharedData } from '../testing/shared-data.ts';
import { synthesiseRight } from './synthesise.ts';

beforeAll(requireBuilt);

const pairs = sharedData('stereo-eval');
const folder = mkdtempSync(join(tmpdir(), 'framelift-stereo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROOT = join(import.meta.dirname, '../../..');

function evaluate(mode: '--prepare' | '--score'): void {
  const tool = join(pairs as string, '../../tools/stereo-eval.mjs');
  execFileSync(process.execPath, [tool, mode, folder], { cwd: ROOT });
}

async function synthesise(id: string): Promise<void> {
  const { data, info } = await sharp(join(folder, `${id}.left.png`))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const values = await sharp(join(folder, `${id}.disparity.png`))
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer();
  const sixtyFourths = new Uint16Array(values.buffer, values.byteOffset, width * height);
  const right = synthesiseRight(
    { data, width, height },
    Float32Array.from(sixtyFourths, (value) => value / 64),
  );
  await sharp(right.data, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(join(folder, `${id}.png`));
}

interface Scores {
  readonly mean: { readonly ours: readonly number[] };
  readonly rows: readonly {
    readonly id: string;
    readonly ours: readonly number[];
    readonly plain: readonly number[];
  }[];
}

test.skipIf(pairs === null)(
  'right views made from the left and true disparity: at least 29.0 / 25.2 / 21.1 dB, and no scene below the plain warp',
  async () => {
    evaluate('--prepare');
    const ids = readdirSync(folder).flatMap((name) => /^(.+)\.left\.png$/.exec(name)?.slice(1) ?? []);
    expect(ids).toHaveLength(11);
    for (const id of ids) await synthesise(id);
    evaluate('--score');
    const { mean, rows } = JSON.parse(readFileSync(join(folder, 'scores.json'), 'utf8')) as Scores;
    const [all, edges, disoccluded] = mean.ours;
    expect(all).toBeGreaterThan(29.0);
    expect(edges).toBeGreaterThan(25.2);
    expect(disoccluded).toBeGreaterThan(21.1);
    for (const { id, ours, plain } of rows) {
      for (const part of [0, 1, 2]) expect([id, ours[part]]).toEqual([id, Math.max(ours[part] ?? 0, plain[part] ?? 0)]);
    }
  },
);
