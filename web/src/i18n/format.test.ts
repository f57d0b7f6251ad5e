import { expect, it } from 'vitest';
import { formatDuration, formatSeconds } from './format.ts';

it('durations have a space before their unit, but not in Japanese', () => {
  expect(['en', 'zh', 'ja'].map((language) => formatSeconds(4, language as 'en'))).toEqual(['4 sec', '4 秒', '4秒']);
  expect(['en', 'zh', 'ja'].map((language) => formatDuration(7200, language as 'en'))).toEqual([
    '2 hours',
    '2 小時',
    '2時間',
  ]);
});
