import { afterEach, expect, it, vi } from 'vitest';
import { decodePixels } from './load-parts.ts';

afterEach(() => vi.unstubAllGlobals());

it('decodes without a conversion of colours, and as it can where the browser knows no options [W28]', async () => {
  const file = new Blob(['a picture']);
  const modern = vi.fn(async () => 'pixels');
  vi.stubGlobal('createImageBitmap', modern);
  expect(await decodePixels(file)).toBe('pixels');
  expect(modern.mock.calls).toEqual([[file, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }]]);

  // Firefox before 98.
  const old = async (...given: unknown[]) => {
    if (given.length > 1) throw new TypeError('1 is not a valid argument count for any overload.');
    return 'pixels';
  };
  vi.stubGlobal('createImageBitmap', old);
  expect(await decodePixels(file)).toBe('pixels');

  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('The file is damaged')));
  await expect(decodePixels(file)).rejects.toThrow('The file is damaged');
});
