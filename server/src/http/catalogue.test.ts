import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@framelift/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { users } from '../platform/db/schema.ts';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { put, refusal, requestFor, smallJpeg } from '../testing/uploads.ts';
import { smallVideo, videoSettings } from '../testing/videos.ts';

describe('the errors of the catalogue, where people meet them [X7]', () => {
  let app: TestApp;
  let me: Client;
  let member: Awaited<ReturnType<TestApp['member']>>;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => log.push(line) });
    member = await app.member();
    me = app.client({ token: member.token });
  });
  afterAll(() => app.close());

  it('uploadImageFailed and uploadVideoFailed: the file arrived and cannot be stored; a second try succeeds [R-8.catalogue.9][R-8.catalogue.10]', async () => {
    await app.context.db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, member.userId));
    const video = await smallVideo();
    const settings = await videoSettings(me, 'a.mp4', { size: video.length, effect: 0 });
    const jpeg = await smallJpeg();
    // A file where the folder of originals belongs.
    const blocked = join(app.dataDir, 'objects', 'originals');
    for (const [bytes, given, code] of [
      [jpeg, { effect_param_id: 0 }, 'uploadImageFailed'],
      [video, settings, 'uploadVideoFailed'],
    ] as const) {
      await rm(blocked, { recursive: true, force: true });
      await writeFile(blocked, '');
      const link = await me.call('requestUploadMedia', { input: await requestFor(me, bytes, given) });
      expect((await put(app, link, bytes)).ok).toBe(true);
      const finish = () => me.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
      log.length = 0;
      expect(await refusal(finish())).toMatchObject({ code, status: 502 });
      // The operator sees why.
      expect(log.join('\n')).toMatch(/ENOTDIR|EEXIST/);
      await rm(blocked);
      expect((await finish()).id).toBe(link.media_id);
    }
  });

  it('updateUsernameFailed and updateUserDataFailed: the database does not take the change [R-8.catalogue.12][R-8.catalogue.13]', async () => {
    const { db } = app.context;
    await db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
    await db.execute(sql`create trigger refuse before update of name, phone on users execute function refuse()`);
    const update = (input: object) => me.call('userUpdate', { input });
    expect(await refusal(update({ name: 'Zoë' }))).toMatchObject({ code: 'updateUsernameFailed', status: 500 });
    expect(await refusal(update({ name: 'Zoë', phone: '02 1234 5678' }))).toMatchObject({
      code: 'updateUserDataFailed',
      status: 500,
    });
    await db.execute(sql`drop trigger refuse on users`);
    expect(await me.call('user')).toMatchObject({ name: 'Mia', phone: '' });
    expect(await update({ name: 'Zoë' })).toMatchObject({ name: 'Zoë' });
  });

  it('emailSendingFailed: an address was mailed too often today, and its member is not told that another is on its way [R-8.catalogue.16]', async () => {
    const email = 'flooded@example.com';
    for (let time = 0; time < 10; time++) await app.client().call('register', { input: registration(email) });
    const input = { email, password: member.password };
    expect(await refusal(me.call('changeEmail', { input }))).toMatchObject({ code: 'emailSendingFailed', status: 502 });
    const next = { ...input, email: 'quiet@example.com' };
    expect(await me.call('changeEmail', { input: next })).toEqual({ email: 'quiet@example.com' });
  });
});
