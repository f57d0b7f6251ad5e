import { MEDIA_STATUS } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { media, objects, users } from '../../platform/db/schema.ts';
import { confirmationOf, registration, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase, untilOneWaits } from '../../testing/database.ts';
import { assetKey, ended, put, refusal, requestFor, smallJpeg, storedKeys, upload } from '../../testing/uploads.ts';
import { accountJobs, cleanUpAccounts } from './account.jobs.ts';

const DAY_MS = 86_400_000;

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
}

describe('what a guest has sent', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  let people = 0;
  let email: string;
  let guest: { token: string; userId: string };
  let asGuest: ReturnType<TestApp['client']>;
  beforeEach(async () => {
    email = `visitor${++people}@example.com`;
    guest = await app.guest();
    asGuest = app.client({ token: guest.token });
  });

  const { password } = registration('');
  const login = async (client = app.client(), address = email) =>
    app.client({ token: (await client.call('login', { input: { email: address, password } })).token });
  const register = (client = asGuest) => client.call('register', { input: registration(email) });
  const confirm = async (count = 1) => {
    const { code } = confirmationOf(await app.mailTo(email, count));
    return app.client().call('confirmEmail', { input: { email, code } });
  };
  const list = async (client: typeof asGuest) => (await client.call('videos', { input: {} })).data.map(({ id }) => id);

  it('belongs to the new member when the address is confirmed, on whatever device, and does not expire any more [A55]', async () => {
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    await register();
    // The guest continues as before until the address is confirmed.
    const second = await upload(app, asGuest, await smallJpeg(people + 1000), { effect_param_id: 0 });
    await confirm();
    const me = await login();
    expect(await list(me)).toEqual([second.id, picture.id]);
    expect(await list(asGuest)).toEqual([]);
    expect((await refusal(asGuest.call('media', { params: { id: picture.id } }))).code).toBe('mediaNotFound');
    const { url } = (await me.call('getMediaLink', { input: { id: picture.id, format: 'original' } }))[0] ?? {
      url: '',
    };
    expect((await fetch(new URL(url, app.url))).status).toBe(200);
    const owners = await app.context.db.select().from(objects).where(eq(objects.ownerId, guest.userId));
    expect(owners).toEqual([]);
  });

  it('belongs to an old member after the login out of the guest session [A55]', async () => {
    await app.member(email);
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    expect((await refusal(asGuest.call('login', { input: { email, password: 'Wrong-Horse-1' } }))).code).toBe(
      'loginFailed',
    );
    // A failed login has transferred nothing and ended nothing.
    expect(await list(asGuest)).toEqual([picture.id]);
    expect(await list(await login(asGuest))).toEqual([picture.id]);
  });

  it('moves by a registration that is mailed in the language of the form, though guests read English [A55]', async () => {
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    await register(app.client({ token: guest.token, language: 'ja' }));
    expect((await app.mailTo(email)).subject).toMatch(/\p{Script=Hiragana}|\p{Script=Katakana}/u);
    await confirm();
    expect(await list(await login())).toEqual([picture.id]);
  });

  it('stays with the guest while a link fails [A55]', async () => {
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    await register();
    const wrong = asGuest.call('confirmEmail', { input: { email, code: 'wrong' } });
    expect((await refusal(wrong)).code).toBe('incorrectVerificationCode');
    expect(await list(asGuest)).toEqual([picture.id]);
  });

  it('comes along with an unconfirmed login out of the guest session too', async () => {
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    await register(app.client());
    const me = await login(asGuest);
    expect((await refusal(me.call('videos', { input: {} }))).code).toBe('notAllowed');
    await confirm();
    expect(await list(me)).toEqual([picture.id]);
  });

  it('is not slipped under an address by a stranger: of two registrations nothing comes along', async () => {
    await register(app.client());
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    const other = { password: 'Other-Horse-8', password_confirmation: 'Other-Horse-8' };
    await asGuest.call('register', { input: { ...registration(email), ...other } });
    expect((await confirm(2)).passwordNeeded).toBe(true);
    expect(await list(asGuest)).toEqual([picture.id]);
  });

  it('that the member has too is kept once', async () => {
    await app.member(email);
    const me = await login();
    const bytes = await smallJpeg(people);
    const mine = await upload(app, me, bytes, { effect_param_id: 0 });
    const theirs = await upload(app, asGuest, bytes, { effect_param_id: 0 });
    const before = (await storedKeys(app, 'originals/')).length;
    const both = await login(asGuest);
    expect((await list(both)).sort()).toEqual([mine.id, theirs.id].sort());
    expect((await storedKeys(app, 'originals/')).length).toBe(before - 1);
    for (const id of [mine.id, theirs.id]) {
      const [link] = await both.call('getMediaLink', { input: { id, format: 'original' } });
      expect(Buffer.from(await (await fetch(new URL(link?.url ?? '', app.url))).arrayBuffer())).toEqual(bytes);
    }
  });

  it('and is on its way or being converted arrives at the member', async () => {
    await app.member(email);
    const converting = await upload(app, asGuest, await smallJpeg(people));
    const bytes = await smallJpeg(people + 2000);
    const link = await asGuest.call('requestUploadMedia', {
      input: { ...(await requestFor(asGuest, bytes)), effect_param_id: 0 },
    });
    const me = await login(asGuest);
    expect((await put(app, link, bytes)).ok).toBe(true);
    await me.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
    expect((await ended(me, link.media_id)).status).toBe(1);
    expect((await ended(me, converting.id)).status).toBe(1);
  });

  it('and has just arrived belongs to the member, though the login came before it was looked at [A55]', async () => {
    const { userId } = await app.member(email);
    const { storage } = app.context;
    const putFile = storage.putFile.bind(storage);
    const login = signal();
    const looking = signal();
    vi.spyOn(storage, 'putFile').mockImplementationOnce(async (...file) => {
      looking.give();
      await login.given;
      return putFile(...file);
    });
    const sent = upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 }).catch((error: unknown) => error);
    await looking.given;
    const { token } = await asGuest.call('login', { input: { email, password } });
    login.give();
    // The guest's session no longer sees it: it belongs to the member.
    expect(await sent).toMatchObject({ code: 'mediaNotFound' });
    const [picture] = (await app.client({ token }).call('videos', { input: {} })).data;
    expect(picture).toMatchObject({ name: 'shop.jpg' });
    expect((await ended(app.client({ token }), picture?.id ?? '')).status).toBe(MEDIA_STATUS.finished);
    const owners = await app.context.db.selectDistinct({ id: objects.ownerId }).from(objects);
    expect(owners.map(({ id }) => id)).toContain(userId);
    expect(owners.map(({ id }) => id)).not.toContain(guest.userId);
  });

  it('and is just being recorded neither locks up with the login nor stays behind', async () => {
    const { userId } = await app.member(email);
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    const { db } = app.context;
    const key = `results/${app.context.ids.uuid()}/x`;
    let login: Promise<unknown> = Promise.resolve();
    // In the order of every conversion: the media is locked first, then its results.
    await db.transaction(async (tx) => {
      await tx.select().from(media).where(eq(media.id, picture.id)).for('update');
      login = asGuest.call('login', { input: { email, password } });
      login.catch(() => {});
      await untilOneWaits(db);
      const object = { key, sha256: 'x', size: 1, type: 'image/png', createdAt: app.clock.now() } as const;
      await tx.insert(objects).values({ ...object, ownerId: guest.userId, purpose: 'result' });
    });
    await login;
    expect(await db.select().from(objects).where(eq(objects.key, key))).toMatchObject([{ ownerId: userId }]);
    expect(await db.select().from(objects).where(eq(objects.ownerId, guest.userId))).toEqual([]);
  });

  it('that has no room stays with the guest, is told once, and comes along later when there is room [S5]', async () => {
    const { userId } = await app.member(email);
    const mine = await upload(app, await login(), await smallJpeg(people), { effect_param_id: 0 });
    const theirs = await upload(app, asGuest, await smallJpeg(people + 3000), { effect_param_id: 0 });
    const sizeOf = async (id: string) => {
      const [row] = await app.context.db
        .select({ size: objects.size })
        .from(objects)
        .where(eq(objects.key, await assetKey(app, id, 'original')));
      return row?.size ?? 0;
    };
    const whole = (await sizeOf(mine.id)) + (await sizeOf(theirs.id));
    const { storageBytes } = app.context.settings;
    const limit = (bytes: number) => Object.assign(app.context.settings, { storageBytes: bytes });
    const told = async (me: typeof asGuest) =>
      (await me.call('notifications', { input: {} })).data.filter(({ title }) => /guest/.test(title));
    limit(whole - 1);
    const full = await login(asGuest);
    expect(await list(full)).toEqual([mine.id]);
    expect((await full.call('getUserUsage')).used).toBe(await sizeOf(mine.id));
    expect(await told(full)).toMatchObject([{ kind: 'warning', content: expect.stringContaining('7 days') }]);
    const [row] = await app.context.db.select().from(media).where(eq(media.id, theirs.id));
    expect(row).toMatchObject({ ownerId: guest.userId, deletedAt: null });

    const again = await login();
    expect([await list(again), (await told(again)).length]).toEqual([[mine.id], 1]);
    limit(whole);
    const roomy = await login();
    expect(await list(roomy)).toEqual([theirs.id, mine.id]);
    expect((await roomy.call('getUserUsage')).used).toBe(whole);
    const [member] = await app.context.db.select().from(users).where(eq(users.id, userId));
    expect(member?.claimedGuestId).toBeNull();
    limit(storageBytes);
  });

  it('leaves no empty guests and no unproved addresses behind for ever', async () => {
    const { db } = app.context;
    await register(app.client());
    const member = await app.member(`stays${people}@example.com`);
    const cleanUp = accountJobs.find(({ job }) => job.name === cleanUpAccounts.name) ?? expect.fail('no handler');
    const run = () => cleanUp.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
    await run();
    expect(await db.$count(users, eq(users.id, guest.userId))).toBe(1);
    const picture = await upload(app, asGuest, await smallJpeg(people), { effect_param_id: 0 });
    app.clock.advance(40 * DAY_MS);
    await run();
    // A guest who still has a picture is not deleted.
    expect(await db.$count(users, eq(users.id, guest.userId))).toBe(1);
    await db.delete(media).where(eq(media.id, picture.id));
    await db.delete(objects).where(eq(objects.ownerId, guest.userId));
    await run();
    expect(await db.$count(users, eq(users.id, guest.userId))).toBe(0);
    expect(await db.$count(users, eq(users.email, email))).toBe(0);
    expect(await db.$count(users, eq(users.id, member.userId))).toBe(1);
  });
});
