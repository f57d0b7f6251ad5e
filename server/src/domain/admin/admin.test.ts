import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, conversions, users } from '../../platform/db/schema.ts';
import { confirmationOf, registration, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal, requestFor, smallJpeg } from '../../testing/uploads.ts';
import { deleteExpired } from '../user/user.sql.ts';

const DAY_MS = 86_400_000;
type Client = ReturnType<TestApp['client']>;

describe('what administrators do to accounts', () => {
  let app: TestApp;
  let boss: Awaited<ReturnType<TestApp['admin']>>;
  let admin: Client;
  const setAdmin = (id: string) => app.context.db.update(users).set({ isAdmin: true }).where(eq(users.id, id));
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    boss = await app.admin('boss@example.com');
    admin = boss.client;
  });
  afterAll(() => app.close());

  let mia: Awaited<ReturnType<TestApp['member']>>;
  let me: Client;
  beforeEach(async () => {
    mia = await app.member();
    me = app.client({ token: mia.token });
  });

  const login = () => app.client().call('login', { input: { email: mia.email, password: mia.password } });
  const lines = async (id = mia.userId) => (await admin.call('auditLog', { input: { subject: id } })).data;

  it('find members by name, by address and by id, without a hash of anything [R-6.roles.4]', async () => {
    await app.context.db.update(users).set({ name: '100%_Café 小白' }).where(eq(users.id, mia.userId));
    const ids = async (q: string) => (await admin.call('users', { input: { q } })).data.map(({ id }) => id);
    expect(await ids('%_café')).toEqual([mia.userId]);
    expect(await ids('小白')).toEqual([mia.userId]);
    expect(await ids(mia.email.toUpperCase())).toEqual([mia.userId]);
    expect(await ids(mia.userId)).toEqual([mia.userId]);
    expect(await ids('nobody at all')).toEqual([]);
    const detail = await admin.call('userDetail', { params: { id: mia.userId } });
    expect(detail).toMatchObject({ email: mia.email, isConfirmed: true, VIP: false, isAdmin: false, storedBytes: 0 });
    expect(detail.sessions).toHaveLength(1);
    expect(detail.lastSeenAt).not.toBeNull();
    const [row] = await app.context.db.select().from(users).where(eq(users.id, mia.userId));
    expect(JSON.stringify(detail)).not.toContain(row?.passwordHash);
    expect(JSON.stringify(detail)).not.toMatch(/hash|argon/i);
    expect(await refusal(admin.call('userDetail', { params: { id: app.context.ids.uuid() } }))).toMatchObject({
      code: 'userNotFound',
      status: 404,
    });
  });

  it('list members newest first in pages, without guests, and filter them by every mark', async () => {
    await app.client().call('register', { input: registration(`late${mia.email}`) });
    const guest = await app.guest();
    await admin.call('setUserVip', { input: { id: mia.userId, vip: true } });
    await me.call('deleteAccount', { input: { password: mia.password } });
    const found = async (filter: object) =>
      (await admin.call('users', { input: { q: mia.email, ...filter } })).data.map(({ email }) => email);
    const both = [`late${mia.email}`, mia.email];
    expect(await found({})).toEqual(both);
    expect(await found({ confirmed: 'no' })).toEqual([both[0]]);
    expect(await found({ confirmed: 'yes', vip: 'yes', deleting: 'yes' })).toEqual([mia.email]);
    expect(await found({ vip: 'no' })).toEqual([both[0]]);
    expect(await found({ deleting: 'no' })).toEqual([both[0]]);
    expect(await found({ admin: 'yes' })).toEqual([]);
    expect(await found({ restricted: 'yes' })).toEqual([]);
    expect((await admin.call('users', { input: { q: guest.userId } })).data).toEqual([]);

    const many = Array.from({ length: 60 }, (_, number) => ({
      id: app.context.ids.uuid(),
      kind: 'member' as const,
      name: `page ${number}`,
      language: 'en' as const,
      email: `p${number}@x.org`,
      emailLower: `p${number}@x.org`,
      passwordHash: '-',
      createdAt: app.clock.now(),
    }));
    await app.context.db.insert(users).values(many);
    const first = await admin.call('users', { input: { q: 'page ' } });
    expect([first.data.length, first.hasNext]).toEqual([50, true]);
    const page = new URL(first.next ?? '', 'http://x').searchParams.get('page') ?? '';
    const second = await admin.call('users', { input: { q: 'page ', page } });
    expect(second.hasNext).toBe(false);
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(60);
    expect((await refusal(admin.call('users', { input: { page: 'nonsense' } }))).code).toBe('invalidInput');
    await app.context.db.delete(users).where(eq(users.passwordHash, '-'));
  });

  it('hand members out as a CSV in which no name is a formula, and that is written down', async () => {
    await app.context.db.update(users).set({ name: '=HYPERLINK("x"),"y"' }).where(eq(users.id, mia.userId));
    const ask = (token: string) =>
      fetch(`${app.url}/api/usersCsv?q=${encodeURIComponent(mia.email)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    const answer = await ask(boss.token);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('framelift-users.csv');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const [head, line, end] = bytes.toString().split('\r\n');
    expect(head).toMatch(/^\uFEFFid,name,email,/);
    expect(line).toContain(`${mia.userId},"'=HYPERLINK(""x""),""y""",${mia.email},`);
    expect(end).toBe('');
    const [entry] = (await admin.call('auditLog', { input: { action: 'users.exported' } })).data;
    expect(entry).toMatchObject({ by: { id: boss.userId }, after: { searched: true } });
    expect((await ask(mia.token)).status).toBe(403);
  });

  it('restrict a member: sessions end, work stops, a login is refused in words, files stay; and undo it', async () => {
    const { db, ids, clock } = app.context;
    const { media_id: mediaId } = await me.call('requestUploadMedia', {
      input: await requestFor(me, await smallJpeg()),
    });
    await db.insert(conversions).values({ id: ids.uuid(), mediaId, createdAt: clock.now() });
    const restrict = (restricted: boolean, client = admin) =>
      client.call('setUserRestricted', { input: { id: mia.userId, restricted, reason: 'shared with a class' } });
    expect(await refusal(restrict(true, me))).toMatchObject({ code: 'notAllowed', status: 403 });

    const before = await admin.call('userDetail', { params: { id: mia.userId } });
    expect(before.uploads.converting).toBe(1);
    const after = await restrict(true);
    expect(after).toMatchObject({ isRestricted: true, sessions: [], uploads: { converting: 0 } });
    expect(await refusal(me.call('user'))).toMatchObject({ code: 'tokenExpired', status: 401 });
    expect(await refusal(login())).toMatchObject({
      code: 'accountRestricted',
      status: 403,
      message: 'This account has been restricted. Please contact the operator.',
    });
    const wrong = app.client().call('login', { input: { email: mia.email, password: 'Wrong-Horse-7' } });
    expect((await refusal(wrong)).code).toBe('loginFailed');
    const [work] = await db.select().from(conversions).where(eq(conversions.mediaId, mediaId));
    expect(work).toMatchObject({ state: 'cancelled', failureCode: 'conversionCancelled' });

    // Repeating has no further effect.
    await restrict(true);
    expect((await restrict(false)).isRestricted).toBe(false);
    const back = app.client({ token: (await login()).token });
    expect((await back.call('user')).id).toBe(mia.userId);
    expect(await lines()).toMatchObject([
      { action: 'user.restricted', before: { restricted: true }, after: { restricted: false } },
      {
        action: 'user.restricted',
        before: { restricted: false },
        after: { restricted: true, reason: 'shared with a class' },
        by: { id: boss.userId, name: 'Mia' },
        subject: { id: mia.userId, email: mia.email },
        address: expect.stringMatching(/127\.0\.0\.1$/),
      },
    ]);
  });

  it('tell a restricted member in each language', async () => {
    await admin.call('setUserRestricted', { input: { id: mia.userId, restricted: true } });
    const input = { email: mia.email, password: mia.password };
    const said = async (language: string) => (await refusal(app.client({ language }).call('login', { input }))).message;
    expect([await said('zh'), await said('ja')]).toEqual([
      expect.stringContaining('限制'),
      expect.stringContaining('制限'),
    ]);
  });

  it('confirm an address without its mail, and take it back [R-6.roles.4]', async () => {
    const email = `new${mia.email}`;
    await app.client().call('register', { input: registration(email) });
    const { token, user } = await app
      .client()
      .call('login', { input: { email, password: registration(email).password } });
    const theirs = app.client({ token });
    expect((await refusal(theirs.call('sessions'))).code).toBe('notAllowed');
    const set = (confirmed: boolean) => admin.call('setUserConfirmed', { input: { id: user.id, confirmed } });
    expect((await set(true)).isConfirmed).toBe(true);
    expect(await theirs.call('sessions')).toHaveLength(1);
    expect((await set(false)).isConfirmed).toBe(false);
    expect((await refusal(theirs.call('sessions'))).code).toBe('notAllowed');
    expect((await lines(user.id)).map(({ after }) => after)).toEqual([{ confirmed: false }, { confirmed: true }]);
  });

  it('take a confirmation back without opening the account to who registers its address again', async () => {
    await admin.call('setUserConfirmed', { input: { id: mia.userId, confirmed: false } });
    const thief = { name: 'Eve', password: 'Thiefs-Horse-1', password_confirmation: 'Thiefs-Horse-1' };
    await app.client().call('register', { input: { ...registration(mia.email), ...thief } });
    const { code } = confirmationOf(await app.mailTo(mia.email, 2));
    const answer = await app.client().call('confirmEmail', { input: { email: mia.email, code } });
    expect(answer).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
    const asThief = app.client().call('login', { input: { email: mia.email, password: thief.password } });
    expect((await refusal(asThief)).code).toBe('loginFailed');
    expect((await login()).user).toMatchObject({ id: mia.userId, name: 'Mia', isConfirmed: true });

    // Nor is the account cleaned up like an unconfirmed registration.
    await admin.call('setUserConfirmed', { input: { id: mia.userId, confirmed: false } });
    await admin.call('signOutUser', { input: { id: mia.userId } });
    const now = app.clock.now();
    await deleteExpired(app.context.db, now, new Date(now.getTime() + 60 * DAY_MS));
    expect(await app.context.db.$count(users, eq(users.id, mia.userId))).toBe(1);
  });

  it('make a VIP until a time or without an end, and undo it', async () => {
    const set = (vip: boolean, until: string | null = null) =>
      admin.call('setUserVip', { input: { id: mia.userId, vip, until } });
    const until = new Date(app.clock.now().getTime() + DAY_MS).toISOString();
    expect(await set(true, until)).toMatchObject({ VIP: true, vipUntil: until });
    expect((await me.call('user')).VIP).toBe(true);
    expect(await set(true)).toMatchObject({ VIP: true, vipUntil: null });
    expect(await set(false)).toMatchObject({ VIP: false, vipUntil: null });
    expect((await me.call('user')).VIP).toBe(false);
    expect((await lines()).map(({ before, after }) => [before, after])).toEqual([
      [
        { vip: true, until: null },
        { vip: false, until: null },
      ],
      [
        { vip: true, until },
        { vip: true, until: null },
      ],
      [
        { vip: false, until: null },
        { vip: true, until },
      ],
    ]);
  });

  it('alone decide on VIP, points and rights: a member who sends them changes nothing [R-5.server-rules.3]', async () => {
    const before = await me.call('user');
    const asked = [{ VIP: true }, { points: 999 }, { freePoints: 999 }, { isAdmin: true }, { adsTimes: 0 }];
    for (const wish of asked)
      expect((await refusal(me.call('userUpdate', { input: { name: 'Mia', ...wish } }))).code).toBe('invalidInput');
    expect((await refusal(me.call('setUserVip', { input: { id: mia.userId, vip: true } }))).code).toBe('notAllowed');
    const input = { id: mia.userId, admin: true, password: mia.password };
    expect((await refusal(me.call('setUserAdmin', { input }))).code).toBe('notAllowed');
    // Prices in an upload request are ignored.
    const upload = await requestFor(me, await smallJpeg(), { points: -100, free_points: -100 });
    await me.call('requestUploadMedia', { input: upload });
    expect(await me.call('user')).toEqual(before);
    expect(await lines()).toEqual([]);
  });

  it('make an administrator with their own password, never of themselves, never of somebody who could not log in', async () => {
    const set = (id: string, to: boolean, password = boss.password, client = admin) =>
      client.call('setUserAdmin', { input: { id, admin: to, password } });
    expect((await refusal(set(mia.userId, true, 'Wrong-Horse-7'))).code).toBe('passwordIncorrect');
    expect((await refusal(set(boss.userId, false))).code).toBe('notYourself');
    expect((await refusal(set(app.context.ids.uuid(), true))).code).toBe('userNotFound');
    await admin.call('setUserRestricted', { input: { id: mia.userId, restricted: true } });
    expect((await refusal(set(mia.userId, true))).code).toBe('accountNotReady');
    await admin.call('setUserRestricted', { input: { id: mia.userId, restricted: false } });

    expect((await set(mia.userId, true)).isAdmin).toBe(true);
    const other = app.client({ token: (await login()).token });
    expect((await other.call('users', { input: {} })).data.length).toBeGreaterThan(1);
    // Other actions cannot restrict or unconfirm an administrator either.
    const input = { id: mia.userId };
    expect((await refusal(admin.call('setUserRestricted', { input: { ...input, restricted: true } }))).code).toBe(
      'adminProtected',
    );
    expect((await refusal(admin.call('setUserConfirmed', { input: { ...input, confirmed: false } }))).code).toBe(
      'adminProtected',
    );
    expect((await set(mia.userId, false)).isAdmin).toBe(false);
    expect((await refusal(other.call('users', { input: {} }))).code).toBe('notAllowed');
    expect(JSON.stringify(await lines())).not.toContain(boss.password);
  });

  it('stay at least one when two take it from each other at the same moment', async () => {
    await setAdmin(mia.userId);
    const input = { id: boss.userId, admin: false, password: mia.password };
    const results = await Promise.allSettled([
      admin.call('setUserAdmin', { input: { id: mia.userId, admin: false, password: boss.password } }),
      me.call('setUserAdmin', { input }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = await app.context.db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
    expect(left).toHaveLength(1);
    await app.context.db.update(users).set({ isAdmin: false }).where(eq(users.id, mia.userId));
    await setAdmin(boss.userId);
  });

  it('sign a member out everywhere, and themselves everywhere else', async () => {
    const second = app.client({ token: (await login()).token });
    expect(await admin.call('signOutUser', { input: { id: mia.userId } })).toEqual({ ended: 2 });
    for (const client of [me, second]) expect((await refusal(client.call('user'))).code).toBe('tokenExpired');
    expect((await lines())[0]).toMatchObject({ action: 'user.signedOut', after: { ended: 2 } });
    await admin.call('signOutUser', { input: { id: boss.userId } });
    expect((await admin.call('user')).isAdmin).toBe(true);
  });

  it('leave a log that can be filtered, paged and taken along, and that forgets people who are gone', async () => {
    const from = app.clock.now().toISOString();
    app.clock.advance(1000);
    await admin.call('setUserVip', { input: { id: mia.userId, vip: true } });
    app.clock.advance(1000);
    const to = app.clock.now().toISOString();
    await admin.call('signOutUser', { input: { id: mia.userId } });
    const log = async (filter: object) => (await admin.call('auditLog', { input: filter })).data;
    expect((await log({ from, to })).map(({ action }) => action)).toEqual(['user.vip']);
    expect((await log({ from, action: 'user.signedOut' })).length).toBe(1);
    expect((await log({ by: mia.userId })).length).toBe(0);
    const csv = await fetch(`${app.url}/api/auditLogCsv?subject=${mia.userId}`, {
      headers: { authorization: `Bearer ${boss.token}` },
    });
    const text = await csv.text();
    expect(text.trim().split('\r\n')).toHaveLength(3);
    expect(text).toContain(`user.vip,Mia,${mia.email},,"{""vip"":false,""until"":null}"`);

    await app.context.db.delete(users).where(eq(users.id, mia.userId));
    const kept = await app.context.db.select().from(auditLog).where(eq(auditLog.action, 'user.vip'));
    expect(JSON.stringify(kept)).not.toContain(mia.email);
    expect((await log({ from, to }))[0]).toMatchObject({ action: 'user.vip', subject: null });
  });

  it('revoke what is left of a batch of serial codes, and give it back', async () => {
    const input = { count: 2, name: '=fair', days: 30 };
    const { batch, codes, csv } = await admin.call('createPinCodes', { input });
    expect(batch).toMatchObject({ name: '=fair', days: 30, count: 2, redeemed: 0, madeBy: 'Mia', revokedAt: null });
    expect(csv).toBe(`\uFEFFcode,batch,days,expires_at\r\n${codes.map((code) => `${code},'=fair,30,\r\n`).join('')}`);
    const redeem = (client: Client, pin_code = '') => client.call('setVIP', { input: { pin_code } });
    await redeem(me, codes[0]);
    const revoke = (revoked: boolean) => admin.call('setPinCodesRevoked', { input: { id: batch.id, revoked } });
    expect(await revoke(true)).toMatchObject({ redeemed: 1, revokedAt: expect.any(String) });
    const other = app.client({ token: (await app.member()).token });
    expect((await refusal(redeem(other, codes[1]))).code).toBe('pinCodeIncorrect');
    expect((await me.call('user')).VIP).toBe(true);
    expect((await revoke(false)).revokedAt).toBeNull();
    expect((await redeem(other, codes[1])).VIP).toBe(true);
    const [first] = (await admin.call('pinCodeBatches', { input: {} })).data;
    expect(first).toMatchObject({ id: batch.id, redeemed: 2 });
    const revocations = (await admin.call('auditLog', { input: { action: 'pinCodes.revoked' } })).data;
    expect(revocations).toMatchObject([{ after: { revoked: false } }, { target: '=fair', after: { revoked: true } }]);
    const log = JSON.stringify((await admin.call('auditLog', { input: {} })).data);
    for (const code of codes) expect(log).not.toContain(code);
    const unknown = { id: app.context.ids.uuid(), revoked: true };
    expect((await refusal(admin.call('setPinCodesRevoked', { input: unknown }))).code).toBe('batchNotFound');
  });
});
