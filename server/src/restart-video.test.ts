import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@framelift/contract';
import { afterAll, expect, test } from 'vitest';
import { openEmbedded } from './platform/db/open.ts';
import { conversions } from './platform/db/schema.ts';
import { createLog } from './platform/log.ts';
import { endPrograms, freePort, type Running, start } from './testing/program.ts';
import { ended, upload } from './testing/uploads.ts';
import { smallVideo, videoSettings } from './testing/videos.ts';

/** Half a minute: a segment is finished after ten seconds of video. */
const FRAMES = 300;
const folder = mkdtempSync(join(tmpdir(), 'framelift-restart-video-'));
const videos = join(folder, 'videos');

afterAll(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

test('a video goes on where a killed server left it, and where a stopped one did [V36][V37]', {
  timeout: 300_000,
}, async () => {
  const settings = { DATA_DIR: folder, PORT: await freePort(), VIDEO_TIER: 'fast' };
  let token = '';
  const open = async (): Promise<{ server: Running; client: Client }> => {
    const server = start(settings);
    await server.says('"msg":"ready"');
    return { server, client: createClient({ base: `${server.url}/api`, token: () => token }) };
  };
  let { server, client } = await open();
  const ends = (signal: 'SIGKILL' | 'SIGTERM') => {
    server.child.kill(signal);
    return server.exited;
  };
  /** Returns the names of finished segments of the only video. */
  const parts = () => {
    const [name = ''] = readdirSync(videos);
    const files = name === '' ? [] : readdirSync(join(videos, name, 'segments'));
    return files.filter((file) => file.endsWith('.json')).map((file) => join(videos, name, 'segments', file));
  };
  const finishedParts = (count: number) =>
    expect.poll(() => parts().length, { timeout: 90_000, interval: 50 }).toBeGreaterThanOrEqual(count);

  // Of the accounts that exist at the first start, only the administrator may upload videos.
  const [, email = '', password = ''] = /Admin +(\S+) +password (\S+)/.exec(server.output()) ?? [];
  ({ token } = await client.call('login', { input: { email, password } }));
  const bytes = await smallVideo('mp4', { frames: FRAMES, fps: 10 });
  const input = await videoSettings(client, 'long.mp4', { size: bytes.length });
  const { id } = await upload(server, client, bytes, input);

  await finishedParts(1);
  const [first = ''] = parts();
  const made = statSync(first).mtimeMs;
  await ends('SIGKILL');
  ({ server, client } = await open());
  await finishedParts(2);
  // A restarted conversion would have written the first segment again.
  expect(statSync(first).mtimeMs).toBe(made);
  expect(await ends('SIGTERM')).toBe(0);
  ({ server, client } = await open());
  const done = await ended(client, id, 120_000);
  expect(done).toMatchObject({ status: 1, film: { frames: FRAMES, seconds: FRAMES / 10, ready: ['hsbs'] } });
  expect(await ends('SIGTERM')).toBe(0);
  expect(readdirSync(videos)).toEqual([]);
  expect(readdirSync(join(folder, 'work'))).toEqual([]);

  const left = await openEmbedded(join(folder, 'postgres'), createLog('error'));
  const rows = await left.db.select().from(conversions);
  expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([['done', 3]]);
  await left.close();
});
