import { expect, it } from 'vitest';
import { retryHelps } from './media.ts';

it('offers another try only where it can help', () => {
  const failed = (code: string) => ({ failure: { code, message: '' } });
  expect(retryHelps(failed('conversionCancelled'))).toBe(true);
  expect(retryHelps(failed('conversionTimedOut'))).toBe(true);
  expect(retryHelps(failed('pictureDamaged'))).toBe(false);
  expect(retryHelps(failed('a code of a later version'))).toBe(true);
});
