import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, MediaDetail } from '@framelift/contract';
import { encodeAnimation } from '@framelift/engine/testing/animations';
import { colourAt, decoded } from '@framelift/engine/testing/pictures';
import { ffprobe, tool } from '@framelift/engine/testing/tools';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { users } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { ended, refusal, requestFor, storedKeys, upload } from '../../../testing/uploads.ts';
import { videoSettings } from '../../../testing/videos.ts';

const SIZE = { width: 160, height: 120 };

/** Draws one frame: a square on nothing, further right in each. */
function frameOf(i: number): Buffer {
  const { width, height } = SIZE;
  const data = Buffer.alloc(width * height * 4);
  for (let y = 40; y < 80; y++)
    for (let x = 30 + 20 * i; x < 70 + 20 * i; x++) data.set([220, 60, 40, 255], 4 * (y * width + x));
  return data;
}

const FRAMES = [0, 1, 2, 3].map(frameOf);
const moving = (type: 'gif' | 'webp' | 'png') => encodeAnimation(type, SIZE, FRAMES, [200, 300, 300, 200]);

describe('animations of a VIP', () => {
  let app: TestApp;
  let client: Client;
  let token: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    const member = await app.member();
    token = member.token;
    await app.context.db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, member.userId));
    client = app.client({ token });
  });
  afterAll(() => app.close());

  const send = async (bytes: Buffer, name: string, more: { effect?: number; ground?: `#${string}` } = {}) => {
    const { effect = 100, ...rest } = more;
    return upload(app, client, bytes, {
      ...(await videoSettings(client, name, { size: bytes.length, effect })),
      ...rest,
    });
  };
  const bytesOf = async (address: string | null | undefined) => {
    const answer = await fetch(new URL(address ?? '', app.url), { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const fileOf = async ({ id }: MediaDetail) => {
    const [link] = await client.call('getMediaLink', { input: { id } });
    const path = join(app.dataDir, `${id}.mp4`);
    await writeFile(path, await bytesOf(link?.url));
    return path;
  };

  test('become videos, on the chosen ground, with a preview that browsers play [T11]', async () => {
    const gif = await moving('gif');
    const sent = await send(gif, 'party.gif', { ground: '#204080' });
    expect(sent).toMatchObject({ media_type: 0, name: 'party.gif', source: SIZE });
    const done = await ended(client, sent.id);
    expect(done).toMatchObject({ status: 1, film: { frames: 12, notes: [] } });
    const cover = await decoded(await bytesOf(done.cover));
    for (const [channel, value] of colourAt(cover, 0.05, 0.05).entries())
      expect(Math.abs(value - ([0x20, 0x40, 0x80][channel] as number))).toBeLessThan(8);
    expect((await bytesOf(done.film?.preview)).subarray(4, 8).toString()).toBe('ftyp');
    const [original] = await client.call('getMediaLink', { input: { id: sent.id, format: 'original' } });
    expect((await bytesOf(original?.url)).equals(gif)).toBe(true);
  });

  test.runIf(tool('ffprobe') !== null)(
    'of every type are played frame by frame, as long as they are shown [T11]',
    async () => {
      for (const type of ['webp', 'png', 'gif'] as const) {
        const sent = await send(await moving(type), `moving.${type}`, { effect: 0 });
        const done = await ended(client, sent.id);
        expect(done).toMatchObject({ status: 1, name: `moving.${type}`, film: { frames: 12 } });
        const { streams, format } = ffprobe(await fileOf(done));
        expect(streams).toMatchObject([{ codec_name: 'h264', nb_frames: '12' }]);
        expect(Number(format.duration)).toBeCloseTo(3, 1);
      }
    },
  );

  test('are told by their bytes: a still is no video, whatever it is called, nor is an endless one [T11]', async () => {
    for (const type of ['gif', 'webp', 'png'] as const) {
      const still = await encodeAnimation(type, SIZE, FRAMES.slice(0, 1), [100]);
      expect((await refusal(send(still, `still.${type}`))).code).toBe('pictureAsFilm');
    }
    const many = Array.from({ length: 20 }, (_, i) => frameOf(i % 4));
    const long = await encodeAnimation('gif', SIZE, many, Array(20).fill(65_000));
    expect((await refusal(send(long, 'long.gif'))).code).toBe('filmTooLong');
    // Its name says video and its content too.
    const renamed = await send(await moving('gif'), 'party.mp4', { effect: 0 });
    expect(renamed.name).toBe('party.gif');
    expect(await storedKeys(app, 'uploads/')).toEqual([]);
  });

  test('are videos for those who may convert videos alone; the others get a still [T11]', async () => {
    const gif = await moving('gif');
    const { token: other } = await app.member();
    const own = app.client({ token: other });
    const input = await requestFor(own, gif, await videoSettings(own, 'party.gif', { size: gif.length }));
    expect((await refusal(own.call('requestUploadMedia', { input }))).code).toBe('not_VIP');
    const asPicture = {
      originalDetails: { name: 'party.gif', size: gif.length, type: 'image/gif' },
      effect_param_id: 0,
    };
    expect(await upload(app, own, gif, asPicture)).toMatchObject({
      status: 1,
      notes: expect.arrayContaining(['firstFrame']),
    });
  });
});
