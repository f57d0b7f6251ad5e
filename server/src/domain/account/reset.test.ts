import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailCodes, users } from '../../platform/db/schema.ts';
import { confirmationOf, registration, resetOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';

const HOUR_MS = 3_600_000;
const NEW = 'Brand-New-Horse-1';

describe('a forgotten password', () => {
  let app: TestApp;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => log.push(line) });
  });
  afterAll(() => app.close());

  let people = 0;
  let email: string;
  beforeEach(() => {
    email = `forgetful${++people}@example.com`;
  });

  const forget = (address = email) => app.client().call('forgetPassword', { input: { email: address } });
  const change = (token: string, newPassword = NEW, address = email) =>
    app.client().call('changePassword', { input: { token, email: address, newPassword } });
  const login = (password: string) => app.client().call('login', { input: { email, password } });
  const expired = { code: 'changePermissionExpired', status: 410 };

  it('is replaced by the link of a mail, which ends every session, starts none and is told of [R-7.auth.4][R-7.auth.5][R-2.route-forget.2]', async () => {
    const { token, password } = await app.member(email);
    expect(await forget(email.toUpperCase())).toEqual({ email: email.toUpperCase() });
    const mail = await app.mailTo(email, 2);
    const reset = resetOf(mail);
    expect(`${reset.link.origin}${reset.link.pathname}`).toBe('http://framelift.test/forgetPassword');
    expect(reset.email).toBe(email);

    const response = await fetch(`${app.url}/api/changePassword`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: reset.token, email, newPassword: NEW }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await refusal(app.client({ token }).call('user'))).code).toBe('tokenExpired');
    expect((await refusal(login(password))).code).toBe('loginFailed');
    expect((await login(NEW)).user.email).toBe(email);
    expect((await app.mailTo(email, 3)).subject).toBe('Your password was changed');
  });

  it('has links that work once, also when used twice at the same moment [A45]', async () => {
    await app.member(email);
    await forget();
    const { token } = resetOf(await app.mailTo(email, 2));
    const uses = await Promise.allSettled([change(token, 'First-Horse-1'), change(token, 'Second-Horse-2')]);
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(change(token))).toMatchObject(expired);
    const winner = uses[0]?.status === 'fulfilled' ? 'First-Horse-1' : 'Second-Horse-2';
    expect((await login(winner)).user.email).toBe(email);
  });

  it('has links that a newer one makes void, kept as hashes only [A45]', async () => {
    await app.member(email);
    await forget();
    const first = resetOf(await app.mailTo(email, 2));
    await forget();
    const second = resetOf(await app.mailTo(email, 3));
    expect(await refusal(change(first.token))).toMatchObject(expired);
    const codes = JSON.stringify(await app.context.db.select().from(mailCodes));
    expect(codes).not.toContain(second.token);
    expect(log.join('')).not.toContain(second.token);
    await change(second.token);
    expect(log.join('')).not.toContain(NEW);
  });

  it('has links of 24 hours, for their own address alone [R-9.session.3]', async () => {
    await app.member(email);
    await forget();
    const { token } = resetOf(await app.mailTo(email, 2));
    expect(await refusal(change(token, NEW, 'somebody@example.com'))).toMatchObject(expired);
    expect(await refusal(change(`${token}x`))).toMatchObject(expired);
    app.clock.advance(24 * HOUR_MS - 60_000);
    await change(token);

    await forget();
    const late = resetOf(await app.mailTo(email, 4));
    app.clock.advance(24 * HOUR_MS + 60_000);
    expect(await refusal(change(late.token))).toMatchObject(expired);
  });

  it('wants a strong new one, and a refused one does not use the link up [R-5.password.1]', async () => {
    await app.member(email);
    await forget();
    const { token } = resetOf(await app.mailTo(email, 2));
    expect(await refusal(change(token, 'weak'))).toMatchObject({ code: 'invalidInput', status: 400 });
    await change(token);
  });

  it('is answered the same for an unknown address, which gets no mail [A50]', async () => {
    await app.member(email);
    const ask = async (address: string) => {
      const response = await fetch(`${app.url}/api/forgetPassword`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: address }),
      });
      return { status: response.status, body: (await response.text()).replace(address, 'ADDRESS') };
    };
    const [known, unknown] = [await ask(email), await ask('stranger@example.com')];
    expect(known).toEqual(unknown);
    // Both requests only enqueue a job: neither the account nor the mailer is accessed before the response.
    const jobs = sql`select id from pgboss.job where name = 'account.mailReset' and data->>'email' in (${email}, 'stranger@example.com')`;
    expect((await app.context.db.execute(jobs)) as { rows: unknown[] }).toHaveProperty('rows.length', 2);
    await app.mailTo(email, 2);
    expect((await app.mails()).filter(({ to }) => to === 'stranger@example.com')).toEqual([]);
  });

  it('is chosen by an unconfirmed member too: the link proves the mailbox as well', async () => {
    await app.client().call('register', { input: registration(email) });
    const { code } = confirmationOf(await app.mailTo(email));
    await forget();
    const { token } = resetOf(await app.mailTo(email, 2));
    await change(token);
    expect((await login(NEW)).user.isConfirmed).toBe(true);
    expect(await app.client().call('confirmEmail', { input: { email, code } })).toMatchObject({
      alreadyConfirmed: true,
    });
  });

  it('of a suspended member is replaced, and the member stays suspended', async () => {
    const { userId } = await app.member(email);
    await app.context.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, userId));
    await forget();
    await change(resetOf(await app.mailTo(email, 2)).token);
    const { token } = await login(NEW);
    expect((await app.client({ token }).call('videos', { input: {} })).data).toEqual([]);
    const [row] = await app.context.db.select().from(users).where(eq(users.id, userId));
    expect(row?.suspendedAt).not.toBeNull();
  });
});
