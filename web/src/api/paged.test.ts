import { expect, it } from 'vitest';
import { cursorOf } from './paged.ts';

it('finds the keyset position in the address of the next page', () => {
  expect(cursorOf('/api/videos?page=MjAy%3D%3D&type=all')).toBe('MjAy==');
  expect(cursorOf('?type=0&page=abc')).toBe('abc');
  expect(cursorOf(null)).toBeNull();
});
