import { expect, it } from 'vitest';
import { cursorOf, retryHelps } from './media.ts';

it('finds the keyset position in the address of the next page', () => {
  expect(cursorOf('/api/videos?page=MjAy%3D%3D&type=all')).toBe('MjAy==');
  expect(cursorOf('?type=0&page=abc')).toBe('abc');
  expect(cursorOf(null)).toBeNull();
});

it('offers another try only where it can help', () => {
  const failed = (code: string) => ({ failure: { code, message: '' } });
  expect(retryHelps(failed('conversionCancelled'))).toBe(true);
  expect(retryHelps(failed('conversionTimedOut'))).toBe(true);
  expect(retryHelps(failed('pictureDamaged'))).toBe(false);
  expect(retryHelps(failed('a code of a later version'))).toBe(true);
});
