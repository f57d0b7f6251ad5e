import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { EngineError } from '../errors.ts';
import { isDiskFull } from './disk-full.ts';

const picture = () =>
  sharp({
    create: {
      width: 512,
      height: 512,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

it.runIf(process.platform === 'linux')('a full disk is known, whoever writes to it [W25]', async () => {
  const failed = (writing: Promise<unknown>) =>
    writing.then(
      () => null,
      (error: unknown) => error,
    );
  for (const error of [
    await failed(writeFile('/dev/full', Buffer.alloc(8192))),
    await failed(picture().jpeg({ quality: 100 }).toFile('/dev/full')),
    await failed(picture().png().toFile('/dev/full')),
  ]) {
    expect(error).toBeInstanceOf(Error);
    expect(isDiskFull(error), String(error)).toBe(true);
    expect(isDiskFull(new EngineError('conversionFailed', 'quilt', { cause: error }))).toBe(true);
  }
});

it('no other error is taken for it', () => {
  for (const error of [null, 'ENOSPC', new Error('x'), new EngineError('filmDamaged', 'Invalid data found')])
    expect(isDiskFull(error)).toBe(false);
});
