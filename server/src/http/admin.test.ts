import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversions, users } from '../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { refusal, requestFor, smallJpeg } from '../testing/uploads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(await openTestDatabase());
});
afterAll(() => app.close());

test('an administrator sees which engine converts, its licence, its self-test and the queue', async () => {
  const { client } = await app.admin();
  const { db, ids, clock } = app.context;
  const { media_id: mediaId } = await client.call('requestUploadMedia', {
    input: await requestFor(client, await smallJpeg()),
  });
  await db.insert(conversions).values({ id: ids.uuid(), mediaId, createdAt: clock.now() });
  const status = await client.call('engineStatus');
  expect(status).toMatchObject({
    version: '0.0.0-test',
    depth: { source: 'basic', selfTest: 'ok' },
    warnings: [],
    queue: { waiting: 1, running: 0 },
  });
  expect(status.depth.licence).not.toBe('');
  expect(status.versions).toMatchObject({ node: expect.any(String), sharp: expect.any(String) });
});

test('an administrator sees whether everything runs, what waits and which services are built in', async () => {
  const { client } = await app.admin();
  await app.guest();
  const status = await client.call('siteStatus');
  expect(status).toMatchObject({
    version: '0.0.0-test',
    isMaintenance: false,
    services: { database: 'builtin', files: 'builtin', mail: 'builtin', captcha: 'off' },
    people: { members: 2, unconfirmed: 0, fresh: 2, admins: 2, guests: 1 },
    conversions: { done: 0, failed: 0 },
    mails: { waitingSince: null, failed: 0, lastError: null },
  });
  expect(Date.parse(status.conversions.waitingSince ?? '')).toBeLessThanOrEqual(app.clock.now().getTime());

  // Counts of whole tables are cached for a minute.
  await app.guest();
  const guests = async () => (await client.call('siteStatus')).people.guests;
  expect(await guests()).toBe(1);
  app.clock.advance(60_001);
  expect(await guests()).toBe(2);
});

test('nobody else does', async () => {
  const vip = await app.member();
  await app.context.db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, vip.userId));
  for (const { token } of [await app.member(), await app.guest(), vip])
    expect(await refusal(app.client({ token }).call('engineStatus'))).toMatchObject({
      code: 'notAllowed',
      status: 403,
    });
  expect(await refusal(app.client().call('engineStatus'))).toMatchObject({ code: 'tokenExpired', status: 401 });
});
