import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallError, LIMITS } from '@framelift/contract';
import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailCodes, mails, sessions, users } from '../platform/db/schema.ts';
import { confirmationOf, registration, resetOf, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('accounts', () => {
  let app: TestApp;
  const log: string[] = [];
  let people = 0;
  /** An address that no other test uses. */
  let email: string;

  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => log.push(line) });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    email = `person${++people}@example.com`;
  });
  afterEach(() => {
    log.length = 0;
  });

  const register = (address: string, changes: object = {}) =>
    app.client().call('register', { input: { ...registration(address), ...changes } });
  const confirm = (address: string, code: string) =>
    app.client().call('confirmEmail', { input: { email: address, code } });
  const login = (address: string, password = registration('').password) =>
    app.client().call('login', { input: { email: address, password } });
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail('The call succeeded'),
      (error: CallError) => ({ code: error.code, status: error.status }),
    );
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('goes from registration over the mailed link to a session and out again [R-1.member.1][R-7.auth.1][R-7.auth.3][R-7.responses.1]', async () => {
    expect(await register(email)).toEqual({ email });
    const { link, code } = confirmationOf(await app.mailTo(email));
    expect(`${link.origin}${link.pathname}`).toBe('http://framelift.test/confirmation');
    expect(await confirm(email, code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });

    const { token, user } = await login(email);
    expect(user).toMatchObject({ email, name: 'Mia', isGuest: false, isConfirmed: true, isAdmin: false });
    const me = app.client({ token });
    expect(await me.call('user')).toEqual(user);
    await me.call('logout');
    expect(await refusal(me.call('user'))).toEqual({ code: 'tokenExpired', status: 401 });
    expect(await me.call('logout')).toEqual({});
  });

  it('shows a new member as a non-member without points [R-3.user.1][R-3.user.2]', async () => {
    const { token } = await app.member(email);
    expect(await app.client({ token }).call('user')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Mia',
      email,
      phone: '',
      points: 0,
      freePoints: 0,
      myPlan: { plan: { id: 1, icon: '', name: '' } },
      isAdmin: false,
      VIP: false,
      videoSeconds: 0,
      adsTimes: 0,
      isGuest: false,
      isConfirmed: true,
      deletionAt: null,
    });
  });

  it('accepts the whole registration form, a phone and a captcha token included [R-3.registration.1]', async () => {
    await register(email, { phone: '+886 2 1234-5678', recaptcha: 'x'.repeat(500), name: 'Zoë 美香' });
    const [row] = await app.context.db.select().from(users).where(eq(users.email, email));
    expect(row).toMatchObject({ name: 'Zoë 美香', phone: '+886 2 1234-5678', confirmedAt: null, language: 'en' });
  });

  it('refuses a registration without the agreement, with two passwords, a weak one, or a name that cannot be seen [R-5.register.2][R-5.register.4][R-5.password.1][W26]', async () => {
    for (const name of ['\u3164', '\u115f\ufe0f', '\u{e0061}\u180e'])
      expect(await refusal(register(email, { name }))).toEqual({ code: 'invalidInput', status: 400 });
    expect(await refusal(register(email, { isChecked: false }))).toEqual({ code: 'agreementMissing', status: 422 });
    expect(await refusal(register(email, { password_confirmation: 'Correct-Horse-8' }))).toEqual({
      code: 'passwordsDoNotMatch',
      status: 422,
    });
    for (const password of ['Short1a', 'nouppercase1', 'NOLOWERCASE1', 'NoDigitHere'])
      expect(await refusal(register(email, { password, password_confirmation: password }))).toEqual({
        code: 'invalidInput',
        status: 400,
      });
    expect(await app.context.db.select().from(users).where(eq(users.email, email))).toEqual([]);
  });

  it('keeps neither password, token nor code in readable form [A45]', async () => {
    await register(email);
    const { code } = confirmationOf(await app.mailTo(email));
    await confirm(email, code);
    const { token } = await login(email);
    const { db } = app.context;
    const rows = JSON.stringify([
      await db.select().from(users),
      await db.select().from(sessions),
      await db.select().from(mailCodes),
      await db.select().from(mails).where(eq(mails.state, 'sent')),
    ]);
    expect(rows).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    for (const secret of [registration('').password, token, code]) expect(rows).not.toContain(secret);
  });

  it('writes each mail as one UTF-8 file, and what a mail said is forgotten once it has left', async () => {
    await register(email, { name: 'Zoë' });
    const mail = await app.mailTo(email);
    expect(mail).toMatchObject({
      from: 'Framelift <no-reply@framelift.local>',
      to: email,
      subject: 'Please confirm your e-mail address',
    });
    expect(mail.text).toContain('Hello Zoë,');
    expect(mail.text).toContain('valid for 24 hours');
    expect(mail.html).toContain('Hello Zoë,');

    const outbox = join(app.dataDir, 'outbox');
    const names = await readdir(outbox);
    const raws = await Promise.all(names.map((name) => readFile(join(outbox, name), 'latin1')));
    const [raw = ''] = raws.filter((text) => text.includes(`To: ${email}`));
    expect(raw.split('\r\n').every((line) => line.length <= 998 && !/[^\x20-\x7e\t]/.test(line))).toBe(true);
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@framelift\.local>$/m);

    await expect
      .poll(async () => (await app.context.db.select().from(mails).where(eq(mails.toAddress, email)))[0])
      .toMatchObject({ state: 'sent', data: null, attempts: 1 });
  });

  it('mails in the language of the page that asked', async () => {
    const call = (language: string) => app.client({ language }).call('register', { input: registration(email) });
    await call('ja-JP,ja;q=0.9,en;q=0.8');
    expect((await app.mailTo(email)).subject).toBe('メールアドレスの確認をお願いします');
    await call('zh-TW');
    expect((await app.mailTo(email, 2)).subject).toBe('請驗證您的電子郵件');
  });

  it('accepts a code once, and says so when the address is confirmed already [A45][A48]', async () => {
    await register(email);
    const { code } = confirmationOf(await app.mailTo(email));
    // A mail scanner that opens the link changes nothing.
    await fetch(`${app.url}/confirmation?${new URLSearchParams({ code, email })}`);
    await fetch(`${app.url}/api/confirmEmail?${new URLSearchParams({ code, email })}`);
    expect(await confirm(email, code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
    expect(await confirm(email, code)).toEqual({ alreadyConfirmed: true, passwordNeeded: false });
  });

  it('lets only one of two uses at the same time confirm [A45]', async () => {
    await register(email);
    const { code } = confirmationOf(await app.mailTo(email));
    const answers = await Promise.all([confirm(email, code), confirm(email, code)]);
    expect(answers.map(({ alreadyConfirmed }) => alreadyConfirmed).sort()).toEqual([false, true]);
  });

  it('refuses a wrong code, a code of another address, and a code after 24 hours [R-8.catalogue.14][R-8.catalogue.15][R-9.session.3]', async () => {
    await register(email);
    const { code } = confirmationOf(await app.mailTo(email));
    const wrong = { code: 'incorrectVerificationCode', status: 422 };
    expect(await refusal(confirm(email, `${code}x`))).toEqual(wrong);
    const other = await app.member(`other${people}@example.com`);
    expect(await refusal(confirm(other.email, code))).toEqual(wrong);

    app.clock.advance(LIMITS.emailLinkHours * HOUR_MS - MINUTE_MS);
    expect(await confirm(email.toUpperCase(), code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });

    const late = `late${people}@example.com`;
    await register(late);
    const second = confirmationOf(await app.mailTo(late));
    app.clock.advance(LIMITS.emailLinkHours * HOUR_MS + MINUTE_MS);
    expect(await refusal(confirm(late, second.code))).toEqual({ code: 'expiredVerificationCode', status: 410 });
  });

  it('sends the link again, which voids the older one [R-7.auth.6][A45]', async () => {
    await register(email);
    const first = confirmationOf(await app.mailTo(email));
    expect(await app.client().call('sendConfirmEmail', { input: { email: email.toUpperCase() } })).toEqual({
      email: email.toUpperCase(),
    });
    const second = confirmationOf(await app.mailTo(email, 2));
    expect(second.code).not.toBe(first.code);
    expect(await refusal(confirm(email, first.code))).toEqual({ code: 'expiredVerificationCode', status: 410 });
    expect(await confirm(email, second.code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
    expect(await confirm(email, first.code)).toEqual({ alreadyConfirmed: true, passwordNeeded: false });
  });

  it('answers registration and resend the same for a known and an unknown address [A50]', async () => {
    const known = await app.member(email);
    const unknown = `unknown${people}@example.com`;
    const shape = async (response: Response, address: string) => ({
      status: response.status,
      body: (await response.text()).replace(address, 'ADDRESS'),
    });
    const registered = [
      await shape(await post('/register', registration(known.email)), known.email),
      await shape(await post('/register', registration(unknown)), unknown),
    ];
    expect(registered[0]).toEqual(registered[1]);
    expect(registered[0]?.status).toBe(200);
    const resent = [
      await shape(await post('/sendConfirmEmail', { email: known.email }), known.email),
      await shape(await post('/sendConfirmEmail', { email: 'nobody@example.com' }), 'nobody@example.com'),
    ];
    expect(resent[0]).toEqual(resent[1]);

    // The owner of the known address is notified, and the account is unchanged.
    expect((await app.mailTo(known.email, 2)).subject).toBe('You already have an account');
    expect((await login(known.email, known.password)).user.isConfirmed).toBe(true);
    expect((await app.mails()).filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
  });

  it('answers a wrong password and an unknown address alike, after a like time [A50]', async () => {
    const { password } = await app.member(email);
    const timed = async (address: string, typed: string) => {
      const start = performance.now();
      const response = await post('/login', { email: address, password: typed });
      const body = await response.text();
      return { status: response.status, body, ms: performance.now() - start };
    };
    // The fastest of several: load on the machine only makes calls slower.
    const quickest = (calls: { ms: number }[]) => Math.min(...calls.map(({ ms }) => ms));
    const wrong = [];
    const unknown = [];
    for (let round = 0; round < 8; round++) {
      wrong.push(await timed(email, 'Wrong-Horse-7'));
      unknown.push(await timed('nobody@example.com', password));
    }
    expect(new Set([...wrong, ...unknown].map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set([expect.stringMatching(/^422 .*"code":"loginFailed"/)]),
    );
    // Without the dummy hash, an unknown address would be about ten times faster.
    const ratio = quickest(unknown) / quickest(wrong);
    expect(ratio).toBeGreaterThan(0.3);
    expect(ratio).toBeLessThan(3);
  });

  const other = { name: 'Second', password: 'Other-Horse-8', password_confirmation: 'Other-Horse-8' };

  it('lets an unconfirmed address register again when its link has expired: the last registration counts, the earlier session ends [R-5.server-rules.4]', async () => {
    await register(email, { name: 'First' });
    const first = confirmationOf(await app.mailTo(email));
    app.clock.advance(LIMITS.emailLinkHours * HOUR_MS + MINUTE_MS);
    const { token } = await login(email);
    const louder = email.replace('person', 'PERSON');
    await register(louder, other);
    const second = confirmationOf(await app.mailTo(louder));

    expect(await refusal(app.client({ token }).call('user'))).toEqual({ code: 'tokenExpired', status: 401 });
    expect(await refusal(confirm(email, first.code))).toEqual({ code: 'expiredVerificationCode', status: 410 });
    expect(await confirm(email, second.code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
    expect(await refusal(login(email))).toEqual({ code: 'loginFailed', status: 422 });
    expect((await login(email, 'Other-Horse-8')).user.name).toBe('Second');
    expect(await app.context.db.select().from(users).where(eq(users.emailLower, email))).toHaveLength(1);
  });

  it('asks nothing more of a person who registers twice with the same password', async () => {
    await register(email);
    await register(email, { name: 'Zoë' });
    const { code } = confirmationOf(await app.mailTo(email, 2));
    expect(await confirm(email, code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
    expect((await login(email)).user.name).toBe('Zoë');
  });

  it('lets no stranger slip a password under an address between its registration and its confirmation', async () => {
    await register(email);
    // The stranger registers the same address and is logged in, unconfirmed, when its owner confirms.
    await register(email, other);
    const { token } = await login(email, other.password);
    const newest = confirmationOf(await app.mailTo(email, 2));
    expect(await confirm(email, newest.code)).toEqual({ alreadyConfirmed: false, passwordNeeded: true });

    expect(await refusal(app.client({ token }).call('user'))).toEqual({ code: 'tokenExpired', status: 401 });
    expect(await refusal(login(email))).toEqual({ code: 'loginFailed', status: 422 });
    expect(await refusal(login(email, other.password))).toEqual({ code: 'loginFailed', status: 422 });
    const mail = await app.mailTo(email, 3);
    expect(mail.subject).toBe('Your address is confirmed: please choose a password');
    const input = { token: resetOf(mail).token, email, newPassword: 'Owners-Horse-9' };
    await app.client().call('changePassword', { input });
    expect((await login(email, input.newPassword)).user.isConfirmed).toBe(true);
  });

  it('has one account per address in any case, also when two register at once [A52]', async () => {
    const spellings = [email, email.toUpperCase(), `P${email.slice(1)}`];
    await Promise.all(spellings.map((spelling) => register(spelling)));
    expect(await app.context.db.select().from(users).where(eq(users.emailLower, email))).toHaveLength(1);
    const { user } = await login(` ${email.toUpperCase()} `);
    expect(user.email.toLowerCase()).toBe(email);
  });

  it('logs in with a password in any normal form, wherever it is set or asked for [W22]', async () => {
    const [nfc, nfd, next] = ['Éclair-Crème-7', 'Éclair-Crème-7'.normalize('NFD'), 'Brûlée\u3000Café\u00a08'];
    expect(nfd).not.toBe(nfc);
    await register(email, { password: nfd, password_confirmation: nfc });
    await confirm(email, confirmationOf(await app.mailTo(email)).code);
    await login(email, nfd);
    const me = app.client({ token: (await login(email, nfc)).token });
    await me.call('exportAccount', { input: { password: nfd } });
    await me.call('userUpdate', {
      input: { old_password: nfd, password: next.normalize('NFD'), password_confirmation: next },
    });
    await login(email, 'Brûlée Café 8');
    await app.client().call('forgetPassword', { input: { email } });
    const { token } = resetOf(await app.mailTo(email, 3));
    await app.client().call('changePassword', { input: { token, email, newPassword: nfd } });
    const again = app.client({ token: (await login(email, nfc)).token });
    await again.call('deleteAccount', { input: { password: nfd } });
  });

  it('still takes a password that was hashed as it was typed before there was one form [W22]', async () => {
    const nfd = 'Éclair-Crème-7'.normalize('NFD');
    await app.member(email);
    await app.context.db
      .update(users)
      .set({ passwordHash: await hash(nfd) })
      .where(eq(users.email, email));
    await login(email, nfd);
    await login(email, nfd.normalize('NFC'));
    expect(await refusal(login(email, 'Eclair-Creme-7'))).toEqual({ code: 'loginFailed', status: 422 });
  });

  it('sends mail to addresses that only browsers and carriers allow, and knows them in every spelling [W23]', async () => {
    for (const [typed, stored, other] of [
      [`foo..${people}@docomo.ne.jp`, `foo..${people}@docomo.ne.jp`, `FOO..${people}@DOCOMO.ne.jp`],
      [`x${people}.@ezweb.ne.jp`, `x${people}.@ezweb.ne.jp`, ` x${people}.@EZWEB.NE.JP `],
      [`a&b${people}@example.com`, `a&b${people}@example.com`, `A&B${people}@example.com`],
      [`user${people}@münchen.de`, `user${people}@xn--mnchen-3ya.de`, `User${people}@Mu\u0308nchen.DE`],
    ] as const) {
      expect(await register(typed)).toEqual({ email: stored });
      const { link, code } = confirmationOf(await app.mailTo(stored));
      expect(link.searchParams.get('email')).toBe(stored);
      expect(await confirm(other, code)).toEqual({ alreadyConfirmed: false, passwordNeeded: false });
      expect((await login(other)).user.email).toBe(stored);
      // The same person, not a second account.
      await register(other);
      expect((await app.mailTo(stored, 2)).subject).toBe('You already have an account');
    }
    const thief = 'thief@example.com';
    for (const wrong of [`a@b.co\r\nBcc: ${thief}`, `a@b.co, ${thief}`, `"a\r\n"@b.co`, `<${thief}>`, 'a@b\u0000.co'])
      expect(await refusal(register(wrong)), wrong).toEqual({ code: 'invalidInput', status: 400 });
  });

  it('stores a phone number in one form, at registration and in the profile [W24]', async () => {
    await register(email, { phone: '０９０‐１２３４‐５６７８ 内線 12' });
    await confirm(email, confirmationOf(await app.mailTo(email)).code);
    const { token, user } = await login(email);
    expect(user.phone).toBe('090-1234-5678 ext. 12');
    const me = app.client({ token });
    expect((await me.call('userUpdate', { input: { phone: '(02)\u20131234.5678 #123' } })).phone).toBe(
      '(02)-1234-5678 ext. 123',
    );
    expect(await refusal(me.call('userUpdate', { input: { phone: 'call me' } }))).toMatchObject({
      code: 'invalidInput',
    });
    expect((await me.call('userUpdate', { input: { phone: '' } })).phone).toBe('');
  });

  describe('the browser that registered [U14]', () => {
    /** Returns the value of a cookie that a response sets. */
    const cookieOf = (response: Response, name: string) =>
      response.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith(`${name}=`))
        ?.split(';')[0];
    const registerIn = async (address: string, changes: object = {}, headers = {}) => {
      const response = await post('/register', { ...registration(address), ...changes }, headers);
      return cookieOf(response, 'registration') ?? expect.fail('no cookie');
    };
    const confirmIn = async (cookie: string, address: string, code: string) => {
      const response = await post('/confirmEmail', { email: address, code }, { cookie, origin: app.url });
      const { message } = (await response.json()) as { message: { user?: { id: string; email: string } } };
      return { message, session: cookieOf(response, 'token') };
    };
    const userOf = async (cookie: string) => (await fetch(`${app.url}/api/user`, { headers: { cookie } })).status;
    const codeTo = async (address: string, count = 1) => confirmationOf(await app.mailTo(address, count)).code;

    it('is logged in by its confirmation, once, in a new session', async () => {
      const response = await post('/register', registration(email));
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^registration=[\w-]{43}; Max-Age=86400; Path=\/api\/confirmEmail; HttpOnly; SameSite=Lax$/,
        ),
      ]);
      const key = cookieOf(response, 'registration') ?? '';
      const code = await codeTo(email);
      // A session that somebody else put into the browser does not become the member's.
      const planted = 'token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
      const first = await confirmIn(`${key}; ${planted}`, email, code);
      expect(first.message).toMatchObject({ alreadyConfirmed: false, passwordNeeded: false, user: { email } });
      expect(first.session).toBeDefined();
      expect(first.session).not.toBe(planted);
      expect([await userOf(first.session ?? ''), await userOf(planted)]).toEqual([200, 401]);

      const again = await confirmIn(key, email, code);
      expect(again).toEqual({ message: { alreadyConfirmed: true, passwordNeeded: false }, session: undefined });
      const [row] = await app.context.db.select().from(users).where(eq(users.email, email));
      expect(row?.registrationKeyHash).toBe(null);
    });

    it('is the only one: a forwarded link confirms, and logs nobody in', async () => {
      const stranger = await registerIn(`stranger${people}@example.com`);
      for (const [index, cookie] of ['', 'registration=', 'registration=x', stranger].entries()) {
        const address = `forwarded${people}-${index}@example.com`;
        await registerIn(address);
        const confirmed = await confirmIn(cookie, address, await codeTo(address));
        expect(confirmed).toEqual({ message: { alreadyConfirmed: false, passwordNeeded: false }, session: undefined });
        expect((await login(address)).user.isConfirmed).toBe(true);
      }
    });

    it('gets such a cookie for every address, and is not logged in to an account that it did not make', async () => {
      const known = await app.member(email);
      const key = await registerIn(known.email);
      const [row] = await app.context.db.select().from(users).where(eq(users.email, email));
      expect(row?.registrationKeyHash).toBe(null);
      // The known member changes the address; the browser that tried to register it has nothing from that.
      const next = `next${people}@example.com`;
      const me = app.client({ token: known.token });
      await me.call('changeEmail', { input: { email: next, password: known.password } });
      const changed = await confirmIn(key, next, await codeTo(next));
      expect(changed).toEqual({ message: { alreadyConfirmed: false, passwordNeeded: false }, session: undefined });
    });

    it('is not logged in where two passwords contest the address, nor by the link of a later registration', async () => {
      const owner = await registerIn(email);
      const stranger = await registerIn(email, other);
      const newest = await codeTo(email, 2);
      const contested = await confirmIn(owner, email, newest);
      expect(contested).toEqual({ message: { alreadyConfirmed: false, passwordNeeded: true }, session: undefined });
      expect((await confirmIn(stranger, email, newest)).session).toBeUndefined();

      const late = `late-owner${people}@example.com`;
      const first = await registerIn(late);
      app.clock.advance(LIMITS.emailLinkHours * HOUR_MS + MINUTE_MS);
      await registerIn(late, other);
      expect((await confirmIn(first, late, await codeTo(late, 2))).session).toBeUndefined();
    });

    it('changes from the guest to the member, but not from another member', async () => {
      const guest = await app.guest();
      const asGuest = { authorization: `Bearer ${guest.token}` };
      const key = await registerIn(email, {}, asGuest);
      const confirmed = await confirmIn(`${key}; token=${guest.token}`, email, await codeTo(email));
      expect([await userOf(confirmed.session ?? ''), await userOf(`token=${guest.token}`)]).toEqual([200, 401]);

      const member = await app.member(`there${people}@example.com`);
      const second = `second${people}@example.com`;
      const own = await registerIn(second);
      const kept = await confirmIn(`${own}; token=${member.token}`, second, await codeTo(second));
      expect(kept).toEqual({ message: { alreadyConfirmed: false, passwordNeeded: false }, session: undefined });
      expect(await userOf(`token=${member.token}`)).toBe(200);
    });
  });

  it('does not bury an address in mail', async () => {
    for (let time = 0; time < 14; time++) await register(email);
    // When a later email to another address has been sent, the jobs of all registrations have run.
    await register(`after${people}@example.com`);
    await app.mailTo(`after${people}@example.com`);
    const posted = await app.context.db.select().from(mails).where(eq(mails.toAddress, email));
    expect(posted).toHaveLength(10);
  });

  it('lets an unconfirmed member in and no further than the confirmation [R-2.route-protected.2]', async () => {
    await register(email);
    const { token, user } = await login(email);
    expect(user.isConfirmed).toBe(false);
    const me = app.client({ token });
    expect(await me.call('user')).toMatchObject({ isConfirmed: false });
    expect(await refusal(me.call('videos', { input: {} }))).toEqual({ code: 'notAllowed', status: 403 });

    const { code } = confirmationOf(await app.mailTo(email));
    await confirm(email, code);
    expect(await me.call('user')).toMatchObject({ isConfirmed: true });
    expect((await me.call('videos', { input: {} })).data).toEqual([]);
  });

  it('sets the session as a cookie that scripts cannot read, for 30 days [R-4.session.6][R-9.session.1]', async () => {
    const member = await app.member(email);
    const response = await post('/login', { email, password: member.password });
    const [cookie = ''] = response.headers.getSetCookie();
    const { message } = (await response.json()) as { message: { token: string } };
    expect(cookie.split('; ')).toEqual([
      `token=${message.token}`,
      `Max-Age=${30 * 86_400}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
    ]);
    const read = await fetch(`${app.url}/api/user`, { headers: { cookie: `token=${message.token}` } });
    expect(read.status).toBe(200);
    expect(read.headers.get('cache-control')).toBe('no-store');

    const out = await post('/logout', {}, { cookie: `token=${message.token}`, 'sec-fetch-site': 'same-origin' });
    expect(out.headers.getSetCookie()[0]).toMatch(/^token=; Max-Age=0; Path=\/;/);
    expect((await fetch(`${app.url}/api/user`, { headers: { cookie: `token=${message.token}` } })).status).toBe(401);
  });

  it('ends a session after 30 days', async () => {
    const { token } = await app.member(email);
    app.clock.advance(LIMITS.sessionDays * DAY_MS - HOUR_MS);
    expect(await app.client({ token }).call('user')).toMatchObject({ email });
    app.clock.advance(2 * HOUR_MS);
    expect(await refusal(app.client({ token }).call('user'))).toEqual({ code: 'tokenExpired', status: 401 });
  });

  it('never carries an old session into a new login', async () => {
    const member = await app.member(email);
    const second = await app.client({ token: member.token }).call('login', {
      input: { email, password: member.password },
    });
    expect(second.token).not.toBe(member.token);
    expect(await refusal(app.client({ token: member.token }).call('user'))).toMatchObject({ code: 'tokenExpired' });
    expect(await app.client({ token: second.token }).call('user')).toMatchObject({ email });
  });

  it('finds the same guest by the same guestId, keeps the id as a hash, and speaks English to guests [R-1.guest.1][R-7.auth.2][A104]', async () => {
    const guestId = `browser-secret-${people}-0123456789`;
    const enter = () => app.client({ language: 'ja' }).call('guestLogin', { input: { guestId } });
    const [first, second] = await Promise.all([enter(), enter()]);
    expect(first.user).toMatchObject({ isGuest: true, email: '', name: '' });
    expect(second.user.id).toBe(first.user.id);
    expect(second.token).not.toBe(first.token);

    const rows = await app.context.db.select().from(users).where(eq(users.id, first.user.id));
    expect(JSON.stringify(rows)).not.toContain(guestId);
    const denied = await app
      .client({ token: first.token, language: 'ja' })
      .call('deleteMedia', { input: { id: first.user.id } })
      .catch((error: CallError) => error);
    expect(denied).toMatchObject({ code: 'notAllowed', message: 'Your account is not allowed to do this.' });
  });

  it('refuses a short guestId, which could be guessed', async () => {
    expect(await refusal(app.client().call('guestLogin', { input: { guestId: 'short' } }))).toMatchObject({
      code: 'invalidInput',
    });
  });

  it('writes no password, token or code into the log', async () => {
    await register(email);
    const { code } = confirmationOf(await app.mailTo(email));
    await fetch(`${app.url}/confirmation?code=${code}`);
    await confirm(email, code);
    const { token } = await login(email);
    await app.client({ token }).call('user');
    expect(log.join('')).toContain('/api/login');
    for (const secret of [registration('').password, token, code]) expect(log.join('')).not.toContain(secret);
  });
});
