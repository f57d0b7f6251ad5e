import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import {
  mailCodes,
  mails,
  media,
  objects,
  pinCodeBatches,
  pinCodes,
  sessions,
  users,
} from '../../platform/db/schema.ts';
import { registration, resetOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { assetKey, ended, refusal, requestFor, smallJpeg, storedKeys, upload } from '../../testing/uploads.ts';
import { accountJobs, removeAccounts } from './account.jobs.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('leaving', () => {
  let app: TestApp;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => log.push(line) });
  });
  afterAll(() => app.close());

  let people = 0;
  let email: string;
  let password: string;
  let userId: string;
  let token: string;
  let me: ReturnType<TestApp['client']>;
  beforeEach(async () => {
    email = `leaver${++people}@example.com`;
    ({ password, userId, token } = await app.member(email));
    me = app.client({ token });
  });

  const leave = (typed = password) => me.call('deleteAccount', { input: { password: typed } });
  const login = (typed = password) => app.client().call('login', { input: { email, password: typed } });
  const runJob = () => {
    const handler = accountJobs.find(({ job }) => job.name === removeAccounts.name) ?? expect.fail('no handler');
    return handler.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
  };

  it('needs the password, ends every session, is told by mail, and can be undone for 14 days', async () => {
    const elsewhere = app.client({ token: (await login()).token });
    expect(await refusal(leave('Wrong-Horse-1'))).toMatchObject({ code: 'passwordIncorrect', status: 422 });
    const { deletion_at } = await leave();
    expect(Date.parse(deletion_at) - app.clock.now().getTime()).toBeGreaterThan(14 * DAY_MS - MINUTE_MS);
    for (const client of [me, elsewhere]) expect((await refusal(client.call('user'))).code).toBe('tokenExpired');
    expect((await app.mailTo(email, 2)).subject).toBe('Your account will be deleted in 14 days');

    app.clock.advance(13.9 * DAY_MS);
    await runJob();
    const again = await login();
    expect(again.user.deletionAt).toBe(deletion_at);
    const client = app.client({ token: again.token });
    expect((await client.call('keepAccount')).deletionAt).toBeNull();
    app.clock.advance(DAY_MS);
    await runJob();
    expect((await client.call('user')).id).toBe(userId);
  });

  it('takes the account and every file of it along when the grace is over, and nothing of anybody else', async () => {
    const { db } = app.context;
    const other = await app.member(`stayer${people}@example.com`);
    const theirs = app.client({ token: other.token });
    const kept = await upload(app, theirs, await smallJpeg(people), { effect_param_id: 0 });
    const before = await storedKeys(app, '');

    const asked = `asked${people}@example.com`;
    await me.call('changeEmail', { input: { email: asked, password } });
    await app.mailTo(asked);

    const converted = await upload(app, me, await smallJpeg(people));
    expect((await ended(me, converted.id)).status).toBe(1);
    const deleted = await upload(app, me, await smallJpeg(people + 100), { effect_param_id: 0 });
    await me.call('deleteMedia', { input: { id: deleted.id } });
    const pending = await me.call('requestUploadMedia', { input: await requestFor(me, await smallJpeg()) });
    expect(pending.media_id).not.toBe('');
    expect((await storedKeys(app, '')).length).toBeGreaterThan(before.length + 5);

    await leave();
    const late = app.client({ token: (await login()).token });
    app.clock.advance(14 * DAY_MS + MINUTE_MS);
    // The deadline applies even before the job has run.
    expect((await refusal(login())).code).toBe('loginFailed');
    expect((await refusal(late.call('keepAccount'))).code).toBe('tokenExpired');
    await runJob();
    expect(await storedKeys(app, '')).toEqual(before);
    expect(await db.$count(media, eq(media.ownerId, userId))).toBe(0);
    expect(await db.$count(objects, eq(objects.ownerId, userId))).toBe(0);
    expect(await db.$count(users, eq(users.id, userId))).toBe(0);
    expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
    expect(await db.$count(mailCodes, eq(mailCodes.userId, userId))).toBe(0);
    expect(await db.$count(mails, inArray(mails.toAddress, [email, asked]))).toBe(0);
    // The mailbox of this machine keeps nothing either, and all of the others' mails [S15].
    expect((await app.mails()).filter(({ to }) => to === email || to === asked)).toEqual([]);
    expect((await app.mails()).filter(({ to }) => to === other.email)).toHaveLength(1);
    const input = { email: other.email, password: other.password };
    const stays = app.client({ token: (await app.client().call('login', { input })).token });
    expect((await stays.call('media', { params: { id: kept.id } })).status).toBe(1);
    // The address is available again.
    await app.client().call('register', { input: registration(email) });
    expect((await app.mailTo(email)).subject).toBe('Please confirm your e-mail address');
  });

  it('of an account that cannot go keeps no other here, and is tried again', async () => {
    const { db } = app.context;
    const stuck = userId;
    await leave();
    ({ password, userId, token } = await app.member(`unstuck${people}@example.com`));
    await app.client({ token }).call('deleteAccount', { input: { password } });
    await db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'stays'; end $$`);
    await db.execute(
      sql`create trigger stuck before delete on users for each row when (old.id = ${sql.raw(`'${stuck}'`)}) execute function refuse()`,
    );
    app.clock.advance(14 * DAY_MS + MINUTE_MS);
    log.length = 0;
    await runJob();
    expect(await db.$count(users, eq(users.id, userId))).toBe(0);
    expect(await db.$count(users, eq(users.id, stuck))).toBe(1);
    expect(log.filter((line) => line.includes('could not be removed') && line.includes(stuck))).toHaveLength(1);
    await db.execute(sql`drop trigger stuck on users`);
    await db.execute(sql`drop function refuse`);
    await runJob();
    expect(await db.$count(users, eq(users.id, stuck))).toBe(0);
  });

  it('takes along why an administrator did something to the account; that it was done stays', async () => {
    const { client: admin, userId: adminId } = await app.admin(`boss${people}@example.com`);
    const reason = 'Shared with the Chens';
    await admin.call('setUserRestricted', { input: { id: userId, restricted: true, reason } });
    await admin.call('setUserRestricted', { input: { id: userId, restricted: false } });
    me = app.client({ token: (await login()).token });
    await leave();
    const log = async () => (await admin.call('auditLog', { input: { action: 'user.restricted', by: adminId } })).data;
    await runJob();
    expect((await log()).map(({ after }) => after)).toEqual([{ restricted: false }, { restricted: true, reason }]);
    app.clock.advance(14 * DAY_MS + MINUTE_MS);
    await runJob();
    expect((await log()).map(({ after, subject }) => [after, subject])).toEqual([
      [{ restricted: false }, null],
      [{ restricted: true }, null],
    ]);
  });

  it('leaves a redeemed serial code redeemed', async () => {
    const batchId = app.context.ids.uuid();
    const now = app.clock.now();
    await app.context.db.insert(pinCodeBatches).values({ id: batchId, name: '', createdAt: now });
    const [code] = await app.context.db
      .insert(pinCodes)
      .values({ codeHash: `x${people}${userId}`, batchId, redeemedAt: now, redeemedBy: userId })
      .returning();
    await leave();
    app.clock.advance(14 * DAY_MS + MINUTE_MS);
    await runJob();
    const [row] = await app.context.db
      .select()
      .from(pinCodes)
      .where(eq(pinCodes.codeHash, code?.codeHash ?? ''));
    expect(row).toMatchObject({ redeemedBy: null });
    expect(row?.redeemedAt).not.toBeNull();
  });

  it('does not stop a forgotten password from being replaced within the grace', async () => {
    await leave();
    await app.client().call('forgetPassword', { input: { email } });
    const reset = resetOf(await app.mailTo(email, 3));
    const newPassword = 'Brand-New-Horse-1';
    await app.client().call('changePassword', { input: { token: reset.token, email, newPassword } });
    expect((await login(newPassword)).user.deletionAt).not.toBeNull();
  });

  it('may take everything along as a ZIP that others open: the data as JSON and the files as they were sent', async () => {
    const bytes = await smallJpeg(people);
    const picture = await upload(app, me, bytes, {
      effect_param_id: 0,
      originalDetails: { name: '美香 & "co"/../x.jpg', size: bytes.length, type: 'image/jpeg' },
    });
    expect((await refusal(me.call('exportAccount', { input: { password: 'Wrong-Horse-1' } }))).code).toBe(
      'passwordIncorrect',
    );
    const { url, size } = await me.call('exportAccount', { input: { password } });
    expect(size).toBe(bytes.length);
    const fetchAs = (bearer: string) =>
      fetch(new URL(url, app.url), { headers: { authorization: `Bearer ${bearer}` } });
    const response = await fetchAs(token);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="framelift-\d{4}-\d\d-\d\d\.zip"/,
    );

    const files = new Map<string, Buffer>();
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
    for await (const entry of zip.eachEntry())
      files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
    const account = JSON.parse(files.get('account.json')?.toString() ?? '');
    expect(account.user).toMatchObject({ id: userId, email, name: 'Mia' });
    expect(account.sessions).toHaveLength(1);
    expect(account.media).toEqual([expect.objectContaining({ id: picture.id, name: 'x.jpg', effect: 0 })]);
    expect(account.orders).toEqual([expect.objectContaining({ id: account.media[0].orderId, name: 'x.jpg', type: 0 })]);
    const sum = (data: Buffer | undefined) =>
      createHash('sha256')
        .update(data ?? '')
        .digest('hex');
    expect(sum(files.get(account.media[0].file))).toBe(sum(bytes));
    expect([...files.keys()].sort()).toEqual(['account.json', `originals/${picture.id}/x.jpg`].sort());
    const secrets = files.get('account.json')?.toString() ?? '';
    for (const word of ['argon2', 'tokenHash', 'passwordHash', token]) expect(secrets).not.toContain(word);

    // Another member's session cannot open it either, and the link expires.
    const stranger = await app.member(`stranger${people}@example.com`);
    expect((await fetchAs(stranger.token)).status).toBe(410);
    expect((await fetch(new URL(url, app.url))).status).toBe(401);
    app.clock.advance(16 * MINUTE_MS);
    expect((await fetchAs(token)).status).toBe(410);
    const code = new URL(url, app.url).searchParams.get('code') ?? '';
    expect(code.length).toBeGreaterThan(40);
    expect(log.join('')).not.toContain(code);
  });

  it('goes on after a file of an export is missing: the download breaks off, the server does not', async () => {
    const picture = await upload(app, me, await smallJpeg(people), { effect_param_id: 0 });
    await app.context.storage.delete(await assetKey(app, picture.id, 'original'));
    const { url } = await me.call('exportAccount', { input: { password } });
    const response = await fetch(new URL(url, app.url), { headers: { authorization: `Bearer ${token}` } });
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await me.call('user')).id).toBe(userId);
  });
});
