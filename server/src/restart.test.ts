import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbedded } from './platform/db/open.ts';
import { conversions, media, mediaAssets, objects } from './platform/db/schema.ts';
import { createLog } from './platform/log.ts';
import { openDiskStorage } from './platform/storage/disk.ts';
import { openTestDatabase, type TestDatabase } from './testing/database.ts';
import { endPrograms, freePort, type Running, start } from './testing/program.ts';
import { ended, smallJpeg, upload } from './testing/uploads.ts';

describe.each(['built-in', 'DATABASE_URL'])(
  'a server that ends in the middle of a conversion (%s)',
  { timeout: 300_000 },
  (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'framelift-restart-'));
    const settings: Record<string, string> = { DATA_DIR: folder, SANDBOX: 'on' };
    let database: TestDatabase | undefined;
    let picture: Buffer;
    let server: Running;
    let client: Client;

    beforeAll(async () => {
      settings['PORT'] = await freePort();
      picture = await smallJpeg(0, 1500, 2000);
      if (kind === 'built-in') return;
      database = await openTestDatabase();
      settings['DATABASE_URL'] = database.url;
    });
    afterAll(async () => {
      endPrograms();
      await database?.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    });

    async function open(): Promise<void> {
      server = start(settings);
      await server.says('"msg":"ready"');
      const guest = createClient({ base: `${server.url}/api` });
      const { token } = await guest.call('guestLogin', { input: { guestId: 'the guest of this test' } });
      client = createClient({ base: `${server.url}/api`, token: () => token });
    }
    /** Starts a conversion and waits until it has begun but is far from done. */
    async function begin(): Promise<string> {
      const { id } = await upload(server, client, picture);
      await expect
        .poll(async () => (await client.call('media', { params: { id } })).progress, { interval: 20, timeout: 60_000 })
        .toBeGreaterThan(0);
      expect((await client.call('media', { params: { id } })).status).toBe(0);
      return id;
    }
    const ends = (signal: 'SIGKILL' | 'SIGTERM') => {
      server.child.kill(signal);
      return server.exited;
    };

    test('finishes it by itself after the next start, exactly once [A79]', async () => {
      await open();
      const killed = await begin();
      await ends('SIGKILL');
      await open();
      expect(await ended(client, killed, 120_000)).toMatchObject({ status: 1, progress: 100 });

      const stopped = await begin();
      expect(await ends('SIGTERM')).toBe(0);
      await open();
      expect(await ended(client, stopped, 120_000)).toMatchObject({ status: 1, progress: 100 });
      expect(await ends('SIGTERM')).toBe(0);

      const left = database ?? (await openEmbedded(join(folder, 'postgres'), createLog('error')));
      const rows = await left.db.select().from(conversions);
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
        ['done', 2],
        ['done', 2],
      ]);
      expect((await left.db.select().from(media)).map(({ status }) => status)).toEqual([1, 1]);
      expect(await left.db.$count(mediaAssets, eq(mediaAssets.role, 'file'))).toBe(2);
      const named = (await left.db.select().from(objects)).map(({ key }) => key).sort();
      if (!database) await left.close();
      const storage = await openDiskStorage({
        root: join(folder, 'objects'),
        secret: Buffer.alloc(32),
        now: () => new Date(),
      });
      const stored: string[] = [];
      for await (const { key } of storage.list('')) stored.push(key);
      expect(stored.sort()).toEqual(named);
      expect(readdirSync(join(folder, 'work'))).toEqual([]);
    });
  },
);
