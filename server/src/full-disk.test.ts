import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@framelift/contract';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createTestDatabase } from './testing/database.ts';
import { endPrograms, freePort, start } from './testing/program.ts';
import { canMount, onSmallDisk } from './testing/small-disk.ts';
import { put, refusal, requestFor, smallJpeg } from './testing/uploads.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-full-'));
afterEach(endPrograms);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SENTENCE = 'The server has no room left; nothing was lost, try again later.';

it.runIf(canMount)('a full disk loses nothing: the same upload arrives once there is room [W25][S8]', async () => {
  const database = await createTestDatabase('template0');
  const through = onSmallDisk(folder, '16m');
  const settings = { DATA_DIR: folder, PORT: await freePort(), DATABASE_URL: database.url, DISK_RESERVE_MB: '2' };
  const server = start(settings, { through });
  await server.says('"msg":"ready"');
  const [, email = '', password = ''] = /Admin +(\S+@\S+) +password (\S+)/.exec(server.output()) ?? [];
  const { token } = await createClient({ base: `${server.url}/api` }).call('login', { input: { email, password } });
  const client = createClient({ base: `${server.url}/api`, token: () => token });
  const jpeg = await smallJpeg();
  const input = await requestFor(client, jpeg, { effect_param_id: 0 });
  const link = await client.call('requestUploadMedia', { input });

  // Only the server sees its disk.
  const ballast = `/proc/${server.child.pid}/root${folder}/ballast`;
  const fill = () => {
    for (const chunk of [1024 ** 2, 4096])
      for (;;)
        try {
          writeFileSync(ballast, Buffer.alloc(chunk), { flag: 'a' });
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
          break;
        }
  };
  fill();
  const answer = await put(server, link, jpeg);
  expect([answer.status, await answer.json()]).toEqual([
    507,
    { success: false, code: 'serverFull', message: SENTENCE, errors: [] },
  ]);
  expect(await refusal(client.call('requestUploadMedia', { input }))).toMatchObject({
    code: 'serverFull',
    status: 507,
  });
  await expect
    .poll(async () => (await client.call('siteStatus')).room)
    .toEqual({ freeBytes: 0, reserveBytes: 2 * 1024 ** 2, failedAt: expect.any(String) });
  const { data } = await client.call('notifications', { input: {} });
  expect(data).toMatchObject([{ kind: 'warning', title: 'Server storage is almost full' }]);

  rmSync(ballast);
  expect((await put(server, link, jpeg)).status).toBe(204);
  const media = await client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
  expect(media.id).toBe(link.media_id);
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  await database.drop();
});
