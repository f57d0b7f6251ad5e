import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MEDIA_STATUS } from '@framelift/contract';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { guestClient, uploadJpeg, waitForMedia } from './support/api.ts';
import { madePhoto, sharedPhoto } from './support/photos.ts';
import { startServer } from './support/server.ts';

test('a conversion that a kill -9 interrupts finishes by itself after the next start, exactly once [A79]', async () => {
  test.setTimeout(240_000);
  // The guest of this test is a program.
  const server = await startServer({ CAPTCHA: 'off' });
  try {
    const guestId = randomUUID();
    const client = await guestClient(server.url, guestId);
    const photo = sharedPhoto('japanese_shop.jpg');
    const bytes = photo ? await readFile(photo) : await madePhoto(7, 3000, 4000);
    const id = await uploadJpeg(server.url, client, bytes, 'interrupted.jpg');
    await waitForMedia(client, id, ({ status, progress }) => status === MEDIA_STATUS.processing && progress > 5);
    await server.kill();

    await server.start();
    const again = await guestClient(server.url, guestId);
    expect((await again.call('media', { params: { id } })).status).toBe(MEDIA_STATUS.processing);
    const finished = await waitForMedia(again, id, ({ status }) => status !== MEDIA_STATUS.processing, 150_000);
    expect(finished.failure).toBeNull();
    expect(finished.status).toBe(MEDIA_STATUS.finished);
    expect(await again.call('getMediaLink', { input: { id } })).toHaveLength(1);
    const database = new pg.Client({ host: join(server.dataDir, 'postgres'), user: 'framelift', database: 'postgres' });
    await database.connect();
    const conversions = await database.query('select state from conversions where media_id = $1', [id]);
    const files = await database.query(
      "select variant from media_assets where media_id = $1 and role = 'file' order by variant",
      [id],
    );
    await database.end();
    expect(await server.stop()).toBe(0);

    expect(conversions.rows).toEqual([{ state: 'done' }]);
    expect(files.rows).toEqual([{ variant: 'quilt' }]);
  } finally {
    await server.remove();
  }
});
