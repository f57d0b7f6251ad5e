import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../errors.ts';
import { DEVICES } from '../formats/index.ts';
import type { PictureRequest, PictureResult } from '../types.ts';
import { throughStaging } from './staging.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-staging-'));
afterAll(() => rmSync(folder, { recursive: true }));

let request: PictureRequest;
beforeEach(() => {
  const device = DEVICES[0] as (typeof DEVICES)[number];
  request = {
    kind: 'picture',
    input: 'photo.jpg',
    device,
    effect: 0,
    outDir: mkdtempSync(join(folder, 'out-')),
    name: 'photo',
  };
});

function resultIn(dir: string): PictureResult {
  const at = (name: string) => join(dir, name);
  writeFileSync(at('photo_flat.jpg'), 'flat');
  writeFileSync(at('depth-map.png'), 'depth');
  return {
    files: [
      {
        format: 'flat',
        name: 'photo_flat.jpg',
        path: at('photo_flat.jpg'),
        type: 'image/jpeg',
        bytes: 4,
        width: 1,
        height: 1,
      },
    ],
    notes: [],
    archive: null,
    depthFile: at('depth-map.png'),
    preview: null,
    depthSource: 'basic',
    comfort: null,
    source: { width: 1, height: 1 },
    pair: null,
    crop: { x: 0, y: 0, width: 1, height: 1 },
    times: {},
    peakRssMb: 1,
  };
}

test('files appear in the folder only when all are made, and the result names them there', async () => {
  const result = await throughStaging(request, async ({ outDir }) => {
    const made = resultIn(outDir);
    expect(existsSync(join(request.outDir, 'photo_flat.jpg'))).toBe(false);
    return made;
  });
  expect(readdirSync(request.outDir).sort()).toEqual(['depth-map.png', 'photo_flat.jpg']);
  expect(result.files[0]?.path).toBe(join(request.outDir, 'photo_flat.jpg'));
  expect(result.depthFile).toBe(join(request.outDir, 'depth-map.png'));
});

test('a failure leaves what was in the folder, and nothing else', async () => {
  writeFileSync(join(request.outDir, 'other.txt'), 'not ours');
  const failing = throughStaging(request, async ({ outDir }) => {
    resultIn(outDir);
    throw new EngineError('pictureDamaged', 'broken');
  });
  await expect(failing).rejects.toMatchObject({ code: 'pictureDamaged' });
  expect(readdirSync(request.outDir)).toEqual(['other.txt']);
});

test('when one file cannot be moved, those that were are taken back', async () => {
  // A file cannot replace a folder; the other file, first by name, was already moved.
  mkdirSync(join(request.outDir, 'photo_flat.jpg'));
  const failing = throughStaging(request, async ({ outDir }) => resultIn(outDir));
  await expect(failing).rejects.toMatchObject({ code: 'conversionFailed' });
  expect(readdirSync(request.outDir)).toEqual(['photo_flat.jpg']);
});

test('a folder that is not there is a failed conversion', async () => {
  const failing = throughStaging({ ...request, outDir: join(folder, 'absent') }, async ({ outDir }) =>
    resultIn(outDir),
  );
  await expect(failing).rejects.toMatchObject({ name: 'EngineError', code: 'conversionFailed' });
});
