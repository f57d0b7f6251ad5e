import { readdir } from 'node:fs/promises';
import { type Client, LIMITS } from '@framelift/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { objects } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal, smallJpeg, storedKeys } from '../../testing/uploads.ts';

describe('the depth of a picture that is not uploaded yet', () => {
  let app: TestApp;
  let client: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    client = app.client({ token: (await app.member()).token });
  });
  afterAll(() => app.close());

  const ask = (bytes: Uint8Array, signal?: AbortSignal) =>
    client.call('previewDepth', {
      file: new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }),
      ...(signal && { signal }),
    });
  const pixels = (url: string) => sharp(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));

  test('is shown in layers of the size of the copy, near and far, and nothing of it is stored', async () => {
    const layers = await ask(await smallJpeg(1, 480, 640));
    expect(Object.keys(layers).sort()).toEqual(['background', 'backgroundDepth', 'colour', 'depth']);
    for (const url of Object.values(layers))
      expect(await pixels(url).metadata()).toMatchObject({ width: 480, height: 640 });
    const { channels } = await pixels(layers.depth).stats();
    expect((channels[0]?.max ?? 0) - (channels[0]?.min ?? 0)).toBeGreaterThan(100);
    expect(await app.context.db.$count(objects)).toBe(0);
    expect(await storedKeys(app, '')).toEqual([]);
  }, 60_000);

  test('is refused for what is no small picture, and says why', async () => {
    const large = await smallJpeg(1, LIMITS.depthPreview.longestPx + 8, 800);
    expect((await refusal(ask(large))).code).toBe('pictureTooLarge');
    expect((await refusal(ask(Buffer.alloc(LIMITS.depthPreview.bytes + 1)))).code).toBe('pictureTooLarge');
    expect((await refusal(ask(Buffer.from('no picture at all')))).code).toBe('notAPicture');
    expect((await refusal(ask(Buffer.alloc(0)))).code).toBe('fileEmpty');
    expect((await refusal(ask(await smallJpeg(1, 40, 40)))).code).toBe('cropTooSmall');
  });

  test('ends with the caller who hangs up, and leaves no file behind', async () => {
    const convert = vi.spyOn(app.context.converter, 'convert');
    const stop = new AbortController();
    const asked = ask(await smallJpeg(2, 960, 1024), stop.signal).catch(() => 'stopped');
    await vi.waitFor(() => expect(convert).toHaveBeenCalled(), { timeout: 30_000 });
    stop.abort();
    expect(await asked).toBe('stopped');
    await expect(convert.mock.results[0]?.value).rejects.toMatchObject({ code: 'conversionCancelled' });
    const left = async () => (await readdir(app.dataDir, { recursive: true })).filter((name) => /sent$/.test(name));
    await vi.waitFor(async () => expect(await left()).toEqual([]));
  }, 60_000);
});
