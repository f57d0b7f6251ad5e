import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { users } from '../../platform/db/schema.ts';
import { confirmationOf, registration, resetOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase, untilOneWaits } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';

const NEW = 'Brand-New-Horse-1';

describe("a member's own account", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  let people = 0;
  let email: string;
  let password: string;
  let userId: string;
  let me: ReturnType<TestApp['client']>;
  beforeEach(async () => {
    email = `owner${++people}@example.com`;
    const member = await app.member(email);
    ({ password, userId } = member);
    me = app.client({ token: member.token });
  });

  const login = (address: string, typed: string) =>
    app.client().call('login', { input: { email: address, password: typed } });
  const row = async () => (await app.context.db.select().from(users).where(eq(users.id, userId)))[0];

  it('has a name and a phone to change, each alone, and nothing else [R-7.user.2]', async () => {
    expect(await me.call('userUpdate', { input: { name: ' Zoë 美香 ' } })).toMatchObject({
      name: 'Zoë 美香',
      phone: '',
    });
    expect(await me.call('userUpdate', { input: { phone: '+886 2 1234' } })).toMatchObject({
      name: 'Zoë 美香',
      phone: '+886 2 1234',
    });
    expect(await me.call('userUpdate', { input: {} })).toMatchObject({ name: 'Zoë 美香' });
    expect((await refusal(me.call('userUpdate', { input: { name: 'x'.repeat(31) } }))).code).toBe('invalidInput');
    for (const more of [{ points: 5 }, { isAdmin: true }, { VIP: true }, { email: 'x@y.co' }])
      expect((await refusal(me.call('userUpdate', { input: { name: 'Eve', ...more } as object }))).code).toBe(
        'invalidInput',
      );
    expect(await row()).toMatchObject({ name: 'Zoë 美香', points: 0, isAdmin: false, vipAt: null });
  });

  it('gets a new password only with the present one, and all other sessions end [R-7.user.2][R-8.catalogue.11]', async () => {
    const elsewhere = app.client({ token: (await login(email, password)).token });
    const to = { password: NEW, password_confirmation: NEW };
    for (const old_password of [undefined, 'Wrong-Horse-1'])
      expect(await refusal(me.call('userUpdate', { input: { old_password, ...to, name: 'Eve' } }))).toMatchObject({
        code: 'updatePasswordFailed',
        status: 422,
      });
    const unequal = { old_password: password, password: NEW, password_confirmation: `${NEW}x` };
    expect((await refusal(me.call('userUpdate', { input: unequal }))).code).toBe('passwordsDoNotMatch');
    expect((await elsewhere.call('user')).name).toBe('Mia');

    await me.call('userUpdate', { input: { old_password: password, ...to } });
    expect((await me.call('user')).email).toBe(email);
    expect((await refusal(elsewhere.call('user'))).code).toBe('tokenExpired');
    expect((await refusal(login(email, password))).code).toBe('loginFailed');
    expect((await login(email, NEW)).user.email).toBe(email);
    expect((await app.mailTo(email, 2)).subject).toBe('Your password was changed');
  });

  it('makes a mailed link void with a new password', async () => {
    await app.client().call('forgetPassword', { input: { email } });
    const { token } = resetOf(await app.mailTo(email, 2));
    await me.call('userUpdate', {
      input: { old_password: password, password: NEW, password_confirmation: NEW },
    });
    const input = { token, email, newPassword: 'Thiefs-Horse-1' };
    expect((await refusal(app.client().call('changePassword', { input }))).code).toBe('changePermissionExpired');
  });

  it('moves to a new address by the password, a link to the new one, and a word to the old one; other sessions end [A47]', async () => {
    const elsewhere = app.client({ token: (await login(email, password)).token });
    const to = `new-${email}`;
    const ask = (typed: string) => me.call('changeEmail', { input: { email: to, password: typed } });
    expect(await refusal(ask('Wrong-Horse-1'))).toMatchObject({ code: 'passwordIncorrect', status: 422 });
    expect(await ask(password)).toEqual({ email: to });
    expect((await app.mailTo(email, 2)).subject).toBe('Someone asked to change your e-mail address');
    const mail = await app.mailTo(to);
    expect(mail.subject).toBe('Please confirm your new e-mail address');
    const { code } = confirmationOf(mail);
    // Opening the link alone changes nothing.
    expect((await me.call('user')).email).toBe(email);

    const confirm = (address: string) => me.call('confirmEmail', { input: { email: address, code } });
    expect((await refusal(confirm(email))).code).toBe('incorrectVerificationCode');
    expect(await confirm(to)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
    expect(await confirm(to)).toEqual({ alreadyConfirmed: true, passwordNeeded: false });
    expect((await me.call('user')).email).toBe(to);
    expect((await refusal(elsewhere.call('user'))).code).toBe('tokenExpired');
    expect((await app.mailTo(email, 3)).subject).toBe('Your e-mail address was changed');
    expect((await refusal(login(email, password))).code).toBe('loginFailed');
    expect((await login(to.toUpperCase(), password)).user.id).toBe(userId);
    // The old address is available again.
    await app.client().call('register', { input: registration(email) });
    expect(confirmationOf(await app.mailTo(email, 4)).email).toBe(email);
  });

  it("cannot move to another member's address, and does not learn that there is one", async () => {
    const other = await app.member(`other${people}@example.com`);
    const answer = await me.call('changeEmail', { input: { email: other.email.toUpperCase(), password } });
    expect(answer).toEqual({ email: other.email.toUpperCase() });
    expect((await app.mailTo(other.email, 2)).subject).toBe('You already have an account');
    expect((await me.call('user')).email).toBe(email);
  });

  it('takes an address that somebody registered and never confirmed, once its mailbox is proved', async () => {
    const to = `squatted${people}@example.com`;
    await app.client().call('register', { input: registration(to) });
    await me.call('changeEmail', { input: { email: to, password } });
    const { code } = confirmationOf(await app.mailTo(to, 2));
    await app.client().call('confirmEmail', { input: { email: to, code } });
    expect((await login(to, password)).user.id).toBe(userId);
  });

  it('loses the race for an address to who confirms it first', async () => {
    const to = `wanted${people}@example.com`;
    await me.call('changeEmail', { input: { email: to, password } });
    const { code } = confirmationOf(await app.mailTo(to));
    await app.client().call('register', { input: registration(to) });
    const theirs = confirmationOf(await app.mailTo(to, 2));
    await app.client().call('confirmEmail', { input: { email: to, code: theirs.code } });
    const late = app.client().call('confirmEmail', { input: { email: to, code } });
    expect((await refusal(late)).code).toBe('expiredVerificationCode');
    expect((await row())?.email).toBe(email);
  });

  it("cannot move to the address of an account that an administrator unconfirmed: it is that account's [A52]", async () => {
    const other = await app.member(`unsure${people}@example.com`);
    await app.context.db
      .update(users)
      .set({ confirmedAt: null, unconfirmedAt: app.clock.now() })
      .where(eq(users.id, other.userId));
    expect(await me.call('changeEmail', { input: { email: other.email, password } })).toEqual({ email: other.email });
    expect((await app.mailTo(other.email, 2)).subject).toBe('You already have an account');
  });

  it('loses it also to who takes it in the same moment', async () => {
    const to = `taken${people}@example.com`;
    const other = await app.member(`taker${people}@example.com`);
    await me.call('changeEmail', { input: { email: to, password } });
    const { code } = confirmationOf(await app.mailTo(to));
    let late = Promise.resolve<unknown>(null);
    await app.context.db.transaction(async (tx) => {
      await tx.update(users).set({ email: to, emailLower: to }).where(eq(users.id, other.userId));
      late = refusal(app.client().call('confirmEmail', { input: { email: to, code } }));
      late.catch(() => {});
      await untilOneWaits(app.context.db);
    });
    expect(await late).toMatchObject({ code: 'expiredVerificationCode', status: 410 });
    expect((await row())?.email).toBe(email);
  });

  it('is out of reach for a password that is changed while it is compared, and an administrator for removal [A47]', async () => {
    const { db } = app.context;
    const to = `thief${people}@example.com`;
    const leave = () => me.call('deleteAccount', { input: { password } });
    const changed = { passwordHash: 'another' };
    const cases = [
      [changed, () => me.call('changeEmail', { input: { email: to, password } }), 'passwordIncorrect'],
      [changed, () => me.call('exportAccount', { input: { password } }), 'passwordIncorrect'],
      [changed, leave, 'passwordIncorrect'],
      [{ isAdmin: true }, leave, 'notAllowed'],
    ] as const;
    const before = await row();
    for (const [meanwhile, call, code] of cases) {
      let answer = Promise.resolve<unknown>(null);
      await db.transaction(async (tx) => {
        await tx.update(users).set(meanwhile).where(eq(users.id, userId));
        answer = refusal(call());
        answer.catch(() => {});
        await untilOneWaits(db);
      });
      expect(await answer).toMatchObject({ code });
      await db
        .update(users)
        .set({ passwordHash: before?.passwordHash ?? '', isAdmin: false })
        .where(eq(users.id, userId));
    }
    expect(await row()).toEqual(before);
    expect((await app.mails()).filter((mail) => mail.to === to)).toEqual([]);
  });

  it('shows where it is logged in and ends any of these sessions, or all others', async () => {
    const second = await login(email, password);
    const third = await login(email, password);
    const list = await me.call('sessions');
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    expect(list[0]?.userAgent).toBe('node');
    const thirdId =
      (await app.client({ token: third.token }).call('sessions')).find(({ current }) => current)?.id ?? '';

    expect(await me.call('revokeSession', { input: { id: thirdId } })).toEqual({ id: thirdId });
    expect((await refusal(app.client({ token: third.token }).call('user'))).code).toBe('tokenExpired');
    expect(await refusal(me.call('revokeSession', { input: { id: thirdId } }))).toMatchObject({
      code: 'sessionNotFound',
      status: 404,
    });
    expect(await me.call('revokeOtherSessions')).toEqual({ ended: 1 });
    expect((await refusal(app.client({ token: second.token }).call('user'))).code).toBe('tokenExpired');
    expect(await me.call('sessions')).toEqual([expect.objectContaining({ current: true })]);
  });

  it('knows its own token and plan, and finds a friend by the whole address only [R-7.auth.7][R-7.user.1][R-7.user.3][R-7.user.4]', async () => {
    expect(await me.call('checkTokenForUser', { input: { userId } })).toEqual({ belongs: true });
    expect(await me.call('checkTokenForUser', { input: { userId: 'somebody' } })).toEqual({ belongs: false });
    expect(await me.call('getCurrentPlan')).toEqual({ plan: { id: 1, icon: '', name: '' } });
    const friend = await app.member(`friend${people}@example.com`);
    const find = (address: string) => me.call('getUserInfo', { input: { email: address } });
    expect(await find(friend.email.toUpperCase())).toEqual({ name: 'Mia', email: friend.email });
    expect(await find('nobody@example.com')).toBeNull();
    await app.client().call('register', { input: registration(`unproved${people}@example.com`) });
    expect(await find(`unproved${people}@example.com`)).toBeNull();
  });
});
