import { type Client, LIMITS } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { friendships, mails, users } from '../../platform/db/schema.ts';
import { DAY_MS } from '../../platform/time.ts';
import { confirmationOf, registration, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';
import { accountJobs, removeAccounts } from '../account/account.jobs.ts';
import { friendJobs } from './friend.jobs.ts';
import { areFriends } from './friend.sql.ts';

interface Someone {
  readonly userId: string;
  readonly email: string;
  readonly client: Client;
}

describe('friends', () => {
  let app: TestApp;
  let people = 0;
  let an: Someone;
  let bo: Someone;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  async function someone(name: string, email = `${name.toLowerCase()}${++people}@example.com`): Promise<Someone> {
    const { token, userId } = await app.member(email);
    await app.context.db.update(users).set({ name }).where(eq(users.id, userId));
    return { userId, email, client: app.client({ token }) };
  }

  /** Returns a member with a new session: the old one ends after a month. */
  async function loggedIn(one: Someone): Promise<Someone> {
    const { token } = await app
      .client()
      .call('login', { input: { email: one.email, password: registration(one.email).password } });
    return { ...one, client: app.client({ token }) };
  }

  beforeEach(async () => {
    an = await someone('An');
    bo = await someone('Bo');
  });

  const add = (from: Someone, email: string) => from.client.call('addFriend', { input: { email } });
  const state = (from: Someone, email: string) => from.client.call('friend', { input: { email } });
  const list = async (of: Someone, name: 'received' | 'sent' | 'confirmed') =>
    (await of.client.call('friends', { input: { list: name } })).data;
  const byId = (of: Someone, call: 'confirmFriend' | 'refuseFriend' | 'deleteFriend' | 'restoreFriend', id: string) =>
    of.client.call(call, { input: { id } });
  const friends = (a: Someone, b: Someone) => areFriends(app.context.db, a.userId, b.userId);
  /** Returns the invitations to an address, once the jobs before them have run. */
  async function invitations(email: string, count: number): Promise<string[]> {
    const found = () => app.context.db.select().from(mails).where(eq(mails.addressKey, email.toLowerCase()));
    const of = async () =>
      (await found()).filter(({ template }) => template.startsWith('friend')).map(({ template }) => template);
    await expect.poll(of).toHaveLength(count);
    return of();
  }
  /** Waits for the invitation jobs: one that is asked for later has run. */
  async function settled(): Promise<void> {
    const marker = `marker${++people}@example.org`;
    await add(await someone('Marker'), marker);
    await invitations(marker, 1);
  }
  async function befriend(a: Someone, b: Someone): Promise<string> {
    const { id } = await add(a, b.email);
    await byId(b, 'confirmFriend', id ?? '');
    return id ?? '';
  }
  const runJob = async (handlers: typeof friendJobs, name: string) => {
    const job = handlers.find((handler) => handler.job.name === name) ?? expect.fail('no such job');
    await job.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
  };

  it('goes from none to sent to confirmed, and a name is shown only then [R-3.friend.1][R-4.friend.1][R-2.add-friend.1]', async () => {
    const none = { id: null, isSend: false, isConfirm: false, isReceived: false, date: null };
    expect(await state(an, bo.email)).toEqual({ ...none, target_user: { name: '', email: bo.email } });
    const sent = await add(an, bo.email.toUpperCase());
    expect(sent).toMatchObject({ isSend: true, isConfirm: false, target_user: { name: '' } });
    expect(await state(an, bo.email)).toEqual(sent);
    expect(await list(an, 'sent')).toEqual([sent]);
    const [received, ...more] = await list(bo, 'received');
    expect(more).toEqual([]);
    expect(received).toMatchObject({
      id: sent.id,
      target_user: { name: 'An', email: an.email },
      isSend: false,
      isConfirm: false,
      isReceived: true,
    });
    expect(await friends(an, bo)).toBe(false);
    const confirmed = await byId(bo, 'confirmFriend', sent.id ?? '');
    expect(confirmed).toMatchObject({ isSend: false, isConfirm: true, isReceived: false });
    expect(await byId(bo, 'confirmFriend', sent.id ?? '')).toEqual(confirmed);
    expect(await state(an, bo.email)).toMatchObject({
      isSend: true,
      isConfirm: true,
      target_user: { name: 'Bo', email: bo.email },
    });
    expect([await list(an, 'sent'), await list(bo, 'received')]).toEqual([[], []]);
    expect((await bo.client.call('friends', { input: {} })).data).toEqual([confirmed]);
    expect(await friends(bo, an)).toBe(true);
    await expect
      .poll(async () => (await an.client.call('notifications', { input: {} })).data)
      .toMatchObject([{ title: 'You have a new friend', content: 'Bo has accepted your friend request.' }]);
  });

  it('answers the same for a member and for a stranger, and writes to both', async () => {
    const stranger = `nobody${++people}@example.org`;
    const shape = ({ target_user, id, date, ...rest }: Awaited<ReturnType<typeof add>>) => ({
      ...rest,
      name: target_user.name,
      known: [id, date].every(Boolean),
    });
    expect(shape(await add(an, stranger))).toEqual(shape(await add(an, bo.email)));
    expect(shape(await state(an, stranger))).toEqual(shape(await state(an, bo.email)));
    expect(await invitations(stranger, 1)).toEqual(['friendInvitation']);
    expect(await invitations(bo.email, 1)).toEqual(['friendRequest']);
    const { text } = await app.mailTo(stranger);
    expect(text).toContain(`An (${an.email}) would like to be your friend`);
    expect(text).toMatch(/\/register\?redirect=%2Fmember%2Faddfriend/);
    expect((await bo.client.call('notifications', { input: {} })).data).toMatchObject([
      { title: 'You have a friend request', content: expect.stringContaining('An would like') },
    ]);
  });

  it('waits for a stranger who registers, and not for whoever only typed the address', async () => {
    const email = `later${++people}@example.org`;
    await add(an, email);
    await app.client().call('register', { input: registration(email) });
    const login = () => app.client().call('login', { input: { email, password: registration(email).password } });
    const before = app.client({ token: (await login()).token });
    expect((await refusal(before.call('friends', { input: { list: 'received' } }))).code).toBe('notAllowed');
    const mailed = (await app.mails()).filter(({ to, text }) => to.includes(email) && text.includes('/confirmation?'));
    const { code } = confirmationOf(mailed.at(-1) ?? expect.fail('no mail'));
    await app.client().call('confirmEmail', { input: { email, code } });
    const after = app.client({ token: (await login()).token });
    const { data } = await after.call('friends', { input: { list: 'received' } });
    expect(data).toMatchObject([{ target_user: { name: 'An', email: an.email } }]);
  });

  it('makes friends of two who ask each other, also in the same moment, and keeps one row', async () => {
    await add(an, bo.email);
    expect(await add(bo, an.email)).toMatchObject({ isConfirm: true, target_user: { name: 'An' } });
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await someone('A'), await someone('B')];
      await Promise.all([add(a, b.email), add(b, a.email), add(a, b.email)]);
      expect(await friends(a, b)).toBe(true);
      expect([await list(a, 'sent'), await list(b, 'received'), await list(b, 'sent')]).toEqual([[], [], []]);
      expect(await list(a, 'confirmed')).toHaveLength(1);
    }
  });

  it('refuses the own address, and a repeated request is one request and one invitation', async () => {
    expect((await refusal(add(an, an.email.toUpperCase()))).code).toBe('friendIsYourself');
    const first = await add(an, bo.email);
    expect(await add(an, bo.email)).toEqual(first);
    await byId(an, 'deleteFriend', first.id ?? '');
    expect((await add(an, bo.email)).id).toBe(first.id);
    await settled();
    await invitations(bo.email, 1);
    expect((await bo.client.call('notifications', { input: {} })).data).toHaveLength(1);
  });

  it('can be cancelled by the sender alone, and the cancelling undone for a day [R-2.add-friend.2]', async () => {
    const id = (await add(an, bo.email)).id ?? '';
    expect((await refusal(byId(bo, 'deleteFriend', id))).code).toBe('friendNotFound');
    await byId(an, 'deleteFriend', id);
    expect(await byId(an, 'deleteFriend', id)).toEqual({ id });
    expect([await list(an, 'sent'), await list(bo, 'received')]).toEqual([[], []]);
    expect((await refusal(byId(bo, 'confirmFriend', id))).code).toBe('friendNotFound');
    expect((await refusal(byId(bo, 'restoreFriend', id))).code).toBe('friendNotFound');
    expect(await byId(an, 'restoreFriend', id)).toMatchObject({ isSend: true, isConfirm: false });
    expect(await list(bo, 'received')).toHaveLength(1);
    await byId(an, 'deleteFriend', id);
    app.clock.advance(DAY_MS + 1000);
    expect((await refusal(byId(an, 'restoreFriend', id))).code).toBe('friendNotFound');
  });

  it('ends at once for both, with whatever refers to it, and undoing brings back the friend [R-2.add-friend.3]', async () => {
    const id = await befriend(an, bo);
    expect((await refusal(byId(await someone('Cy'), 'deleteFriend', id))).code).toBe('friendNotFound');
    const undo = (await byId(bo, 'deleteFriend', id)).id ?? '';
    expect(await friends(an, bo)).toBe(false);
    // The row of the friendship is gone: a foreign key on it cascades.
    expect(await app.context.db.$count(friendships, eq(friendships.id, id))).toBe(0);
    expect([await list(an, 'confirmed'), await list(an, 'sent')]).toEqual([[], []]);
    expect((await refusal(byId(an, 'restoreFriend', undo))).code).toBe('friendNotFound');
    expect(await byId(bo, 'restoreFriend', undo)).toMatchObject({ isConfirm: true, target_user: { name: 'An' } });
    expect(await friends(an, bo)).toBe(true);
    // An ended friend can be asked again.
    await byId(an, 'deleteFriend', undo);
    expect(await add(bo, an.email)).toMatchObject({ isSend: true, isConfirm: false });
  });

  it('does not reach a member again who has declined, not under a new address either, until some time has passed', async () => {
    const id = (await add(an, bo.email)).id ?? '';
    await invitations(bo.email, 1);
    await byId(bo, 'refuseFriend', id);
    await byId(bo, 'refuseFriend', id);
    expect(await list(bo, 'received')).toEqual([]);
    // The sender is not told.
    expect(await state(an, bo.email)).toMatchObject({ isSend: true, isConfirm: false });
    await byId(an, 'deleteFriend', id);
    app.clock.advance(8 * DAY_MS);
    await add(an, bo.email);
    const moved = `moved${++people}@example.com`;
    await app.context.db.update(users).set({ email: moved, emailLower: moved }).where(eq(users.id, bo.userId));
    await add(an, moved);
    await settled();
    expect(await list(bo, 'received')).toEqual([]);
    await invitations(bo.email, 1);
    await invitations(moved, 0);
    await runJob(friendJobs, 'friend.cleanUp');
    expect(await app.context.db.$count(friendships, eq(friendships.targetId, bo.userId))).toBe(2);
    // The one who declined may still ask, which makes both friends.
    expect(await add({ ...bo, email: moved }, an.email)).toMatchObject({ isConfirm: true });

    const cy = await someone('Cy');
    const other = (await add(cy, an.email)).id ?? '';
    await byId(an, 'refuseFriend', other);
    app.clock.advance(LIMITS.friends.requestDays * DAY_MS + 1000);
    await runJob(friendJobs, 'friend.cleanUp');
    expect((await add(await loggedIn(cy), an.email)).id).not.toBe(other);
    expect(await list(await loggedIn(an), 'received')).toHaveLength(1);
  });

  it('lets a refusal be undone', async () => {
    const id = (await add(an, bo.email)).id ?? '';
    await byId(bo, 'refuseFriend', id);
    expect(await byId(bo, 'restoreFriend', id)).toMatchObject({ isReceived: true });
    expect(await list(bo, 'received')).toHaveLength(1);
  });

  it('has limits: requests and friends per member, and emails to one address, which take none from its account', async () => {
    const victim = await someone('Vi');
    const senders = await Promise.all([1, 2, 3, 4].map((n) => someone(`S${n}`)));
    for (const sender of senders) await add(sender, victim.email);
    await settled();
    await invitations(victim.email, LIMITS.friends.invitationsPerDay);
    expect(await list(victim, 'received')).toHaveLength(4);

    const rows = Array.from({ length: LIMITS.friends.count }, (_, n) => ({
      id: app.context.ids.uuid(),
      requesterId: an.userId,
      targetEmail: `x${n}@example.org`,
      targetEmailLower: `x${n}@example.org`,
      createdAt: app.clock.now(),
    }));
    const id = (await add(bo, an.email)).id ?? '';
    await app.context.db.insert(friendships).values(rows);
    expect((await refusal(add(an, 'one-more@example.org'))).code).toBe('tooManyFriends');
    expect((await refusal(byId(an, 'confirmFriend', id))).code).toBe('tooManyFriends');
    const first = await an.client.call('friends', { input: { list: 'sent' } });
    expect([first.data.length, first.total, first.hasNext]).toEqual([LIMITS.pageSize, LIMITS.friends.count, true]);
  });

  it('goes with either account, and requests follow the address, not the member', async () => {
    const first = await befriend(an, bo);
    const second = (await add(await someone('Di'), bo.email)).id ?? '';
    const moved = `moved${++people}@example.com`;
    await app.context.db.update(users).set({ email: moved, emailLower: moved }).where(eq(users.id, bo.userId));
    expect(await list(an, 'confirmed')).toMatchObject([{ id: first, target_user: { email: moved } }]);
    expect(await list(bo, 'received')).toEqual([]);
    expect((await refusal(byId(bo, 'confirmFriend', second))).code).toBe('friendNotFound');
    const past = new Date(app.clock.now().getTime() - 1000);
    await app.context.db.update(users).set({ deletionAt: past }).where(eq(users.id, bo.userId));
    await runJob(accountJobs, removeAccounts.name);
    expect(await list(an, 'confirmed')).toEqual([]);
    expect(await app.context.db.$count(friendships, eq(friendships.id, first))).toBe(0);
  });
});
