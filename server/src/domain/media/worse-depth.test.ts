import { MEDIA_STATUS, MEDIA_TYPE } from '@framelift/contract';
import { expect, test } from 'vitest';
import type { MediaRow } from './media.sql.ts';
import { hasWorseDepth } from './worse-depth.ts';

const row = (more: Partial<MediaRow>) =>
  ({
    status: MEDIA_STATUS.finished,
    mediaType: MEDIA_TYPE.video,
    effect: 100,
    depthSource: 'basic',
    ...more,
  }) as MediaRow;

test('better depth is offered for videos where they would get it: estimated ones of the tier best, with a model in use', () => {
  const inUse = 'model:depth-anything-v2-small';
  expect(hasWorseDepth(row({}), inUse, 'best')).toBe(true);
  expect(hasWorseDepth(row({}), inUse, 'fast')).toBe(false);
  expect(hasWorseDepth(row({ mediaType: MEDIA_TYPE.picture }), inUse, 'fast')).toBe(true);
  expect(hasWorseDepth(row({}), 'basic', 'best')).toBe(false);
  expect(hasWorseDepth(row({ depthSource: inUse }), inUse, 'best')).toBe(false);
  // Both eyes were photographed.
  expect(hasWorseDepth(row({ depthSource: 'embedded' }), inUse, 'best')).toBe(false);
  expect(hasWorseDepth(row({ effect: 0 }), inUse, 'best')).toBe(false);
});
