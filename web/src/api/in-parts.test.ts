import { LIMITS } from '@framelift/contract';
import { expect, it } from 'vitest';
import { inParts } from './in-parts.ts';

const ids = Array.from({ length: 2 * LIMITS.mediaAtOnce + 1 }, (_, index) => String(index));

it('more pictures than a call takes go in parts, and what was done before a refusal is told with its reason', async () => {
  const sizes: number[] = [];
  const refusing = (part: number) => (some: string[]) => {
    sizes.push(some.length);
    return sizes.length === part ? Promise.reject(new Error('albumInProduct')) : Promise.resolve();
  };
  expect(await inParts(ids, refusing(0))).toEqual({ done: ids, refusal: null });
  expect(sizes.splice(0)).toEqual([LIMITS.mediaAtOnce, LIMITS.mediaAtOnce, 1]);
  expect(await inParts(ids, refusing(2))).toMatchObject({
    done: ids.slice(0, LIMITS.mediaAtOnce),
    refusal: { message: 'albumInProduct' },
  });
  sizes.length = 0;
  await expect(inParts(ids, refusing(1))).rejects.toThrow('albumInProduct');
});
