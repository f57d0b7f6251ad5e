import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { media } from '../../platform/db/schema.ts';
import { openRoom } from '../../platform/room.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal, requestFor, smallJpeg } from '../../testing/uploads.ts';
import { reportFullServer, watchRoom } from './room-watch.ts';

/** More than any disk has, so that this one has too little. */
const RESERVE = Number.MAX_SAFE_INTEGER;

let app: TestApp;
let admin: ReturnType<TestApp['client']>;
beforeAll(async () => {
  app = await startTestApp(await openTestDatabase(), { room: openRoom([tmpdir()], RESERVE) });
  admin = (await app.admin()).client;
});
afterAll(() => app.close());

it('an upload that would touch the reserve is refused before anything is changed [W25]', async () => {
  const member = app.client({ token: (await app.member()).token });
  const error = await refusal(
    member.call('requestUploadMedia', { input: await requestFor(member, await smallJpeg()) }),
  );
  expect(error).toMatchObject({
    code: 'serverFull',
    status: 507,
    message: 'The server has no room left; nothing was lost, try again later.',
  });
  expect(await app.context.db.$count(media)).toBe(0);
});

it('administrators are told once that room is short, and see it with the last failure [W25]', async () => {
  const told = async () =>
    (await admin.call('notifications', { input: {} })).data.filter(({ kind }) => kind === 'warning');
  // By several processes at once, and again and again.
  await Promise.all([watchRoom(app.context), watchRoom(app.context), watchRoom(app.context)]);
  await watchRoom(app.context);
  expect(await told()).toMatchObject([{ title: 'Server storage is almost full' }]);
  expect((await admin.call('siteStatus')).room).toEqual({
    freeBytes: expect.any(Number),
    reserveBytes: RESERVE,
    failedAt: null,
  });

  reportFullServer(app.context);
  await expect.poll(async () => (await admin.call('siteStatus')).room.failedAt).not.toBeNull();
  expect(await told()).toHaveLength(1);
  app.clock.advance(2 * HOUR_MS);
  await watchRoom(app.context);
  expect(await told()).toHaveLength(2);
  app.clock.advance(24 * HOUR_MS);
  expect((await admin.call('siteStatus')).room.failedAt).toBeNull();
});
