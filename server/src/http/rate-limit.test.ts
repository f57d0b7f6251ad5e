import { api, type CallError, type RateLimit } from '@framelift/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSession } from '../domain/user/session.ts';
import { users } from '../platform/db/schema.ts';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

const passes = (limiter: RateLimiter, ip: string, email = 'a@b.co') =>
  limiter.check(api.login, ip, { email }).then(
    () => true,
    () => false,
  );
const limiterOf = (...limits: RateLimit[]) => {
  const limiter = createRateLimiter({ db: null, limitsOf: () => limits });
  return { limiter, passes: (ip: string, email?: string) => passes(limiter, ip, email) };
};

describe('the rate limiter', () => {
  afterEach(() => vi.useRealTimers());

  it('counts each caller alone and starts anew after the window', async () => {
    vi.useFakeTimers();
    const { passes } = limiterOf({ by: 'ip', max: 2, seconds: 60 });
    expect([
      await passes('1.1.1.1'),
      await passes('1.1.1.1'),
      await passes('1.1.1.1'),
      await passes('2.2.2.2'),
    ]).toEqual([true, true, false, true]);
    vi.advanceTimersByTime(59_000);
    expect(await passes('1.1.1.1')).toBe(false);
    vi.advanceTimersByTime(1_001);
    expect(await passes('1.1.1.1')).toBe(true);
  });

  it('is not concerned when the clock is set back or forward [S13]', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const { limiter } = limiterOf({ by: 'ip', max: 1, seconds: 60 });
    await limiter.check(api.login, '1.1.1.1', {});
    for (const hours of [-48, 48]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      const error = await limiter.check(api.login, '1.1.1.1', {}).catch((refusal: CallError) => refusal);
      expect(error?.retryAfter).toBeGreaterThan(59);
      expect(error?.retryAfter).toBeLessThanOrEqual(60);
    }
    vi.advanceTimersByTime(60_001);
    await limiter.check(api.login, '1.1.1.1', {});
  });

  it('takes one network of IPv6 for one caller', async () => {
    const { passes } = limiterOf({ by: 'ip', max: 1, seconds: 60 });
    expect(await passes('2001:db8:0:1:0:0:0:1')).toBe(true);
    expect(await passes('2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toBe(false);
    expect(await passes('2001:db8:0:2:0:0:0:1')).toBe(true);
    expect(await passes('9.9.9.9')).toBe(true);
    expect(await passes('9.9.9.9')).toBe(false);
  });

  it('counts by address in any case, and by caller and address together', async () => {
    const byEmail = limiterOf({ by: 'email', max: 1, seconds: 60 });
    expect([await byEmail.passes('1.1.1.1', 'A@b.co'), await byEmail.passes('2.2.2.2', ' a@B.co')]).toEqual([
      true,
      false,
    ]);
    const long = 'x'.repeat(1_000_000);
    expect([await byEmail.passes('1.1.1.1', `${long}1`), await byEmail.passes('1.1.1.1', `${long}2`)]).toEqual([
      true,
      false,
    ]);
    const both = limiterOf({ by: 'ip+email', max: 1, seconds: 60 });
    expect([await both.passes('1.1.1.1'), await both.passes('2.2.2.2'), await both.passes('1.1.1.1')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('leaves calls without a limit alone', async () => {
    const limiter = createRateLimiter({ db: null });
    for (let time = 0; time < 1000; time++) await limiter.check(api.videos, '1.1.1.1', {});
  });
});

it('on a database makes nobody wait longer than a window when the clock is set back [S13]', async () => {
  const opened = await openTestDatabase();
  vi.useFakeTimers({ toFake: ['Date'] });
  const limiter = createRateLimiter({ db: opened.db, limitsOf: () => [{ by: 'ip', max: 1, seconds: 60 }] });
  await limiter.check(api.login, '1.1.1.1', {});
  vi.setSystemTime(Date.now() - 48 * 3_600_000);
  await expect(limiter.check(api.login, '1.1.1.1', {})).rejects.toMatchObject({ retryAfter: 60 });
  await limiter.check(api.login, '1.1.1.1', {});
  vi.useRealTimers();
  await opened.close();
});

it('processes on one database count together', async () => {
  const opened = await openTestDatabase();
  const limits = [{ by: 'ip', max: 2, seconds: 60 }] as const;
  const [first, second] = [1, 2].map(() => createRateLimiter({ db: opened.db, limitsOf: () => limits }));
  if (!first || !second) throw new Error('No limiters');
  expect([
    await passes(first, '1.1.1.1'),
    await passes(second, '1.1.1.1'),
    await passes(first, '1.1.1.1'),
    await passes(second, '1.1.1.1'),
    await passes(second, '2.2.2.2'),
  ]).toEqual([true, true, false, false, true]);
  await opened.close();
});

describe('the calls that a stranger could abuse', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { app: { rateLimiter: { db: null } } });
  });
  afterAll(() => app.close());

  /** Signs in a new member past the limits of registering. */
  const session = async (name: string) => {
    const now = app.clock.now();
    const id = app.context.ids.uuid();
    const email = `${name}@example.com`;
    const values = { id, kind: 'member', name, email, emailLower: email, passwordHash: 'x', language: 'en' } as const;
    await app.context.db.insert(users).values({ ...values, createdAt: now, confirmedAt: now });
    return app.client({ token: await startSession(app.context, app.context.db, id, 'a test') });
  };

  it('are refused after a while with the time to wait, and the account is not locked [R-5.server-rules.5]', async () => {
    const calls = {
      login: () => app.client().call('login', { input: { email: 'a@b.co', password: 'Wrong-Horse-1' } }),
      guestLogin: () => app.client().call('guestLogin', { input: { guestId: 'a-guest-of-sixteen-signs' } }),
      register: () => app.client().call('register', { input: { ...registration('a@b.co'), isChecked: false } }),
      sendConfirmEmail: () => app.client().call('sendConfirmEmail', { input: { email: 'a@b.co' } }),
      confirmEmail: () => app.client().call('confirmEmail', { input: { email: 'a@b.co', code: 'x' } }),
      forgetPassword: () => app.client().call('forgetPassword', { input: { email: 'a@b.co' } }),
      changePassword: () =>
        app.client().call('changePassword', { input: { token: 'x', email: 'a@b.co', newPassword: 'Right-Horse-1' } }),
    };
    for (const [name, call] of Object.entries(calls)) {
      let refusal: CallError | undefined;
      for (let time = 0; time < 40 && !refusal; time++)
        await call().catch((error: CallError) => {
          if (error.status === 429) refusal = error;
        });
      expect(refusal, name).toMatchObject({ code: 'tooManyRequests', status: 429 });
      expect(refusal?.retryAfter, name).toBeGreaterThan(0);
    }
    // Another email address from the same network can still log in.
    const other = app.client().call('login', { input: { email: 'c@d.co', password: 'Wrong-Horse-1' } });
    await expect(other).rejects.toMatchObject({ code: 'loginFailed' });
  });

  it('of the engine are refused to who makes hundreds of them, and to nobody else [S4]', async () => {
    const names = ['getMediaLink', 'retryMedia', 'changeMedia', 'setMediaDepth', 'paintMediaDepth'] as const;
    expect(names.map((name) => api[name].rateLimits.map(({ by }) => by))).toEqual(names.map(() => ['user']));
    const [many, one] = [await session('many'), await session('one')];
    const send = (client: typeof one) =>
      client.call('setMediaDepth', { params: { id: app.context.ids.uuid() }, file: new Blob(['x']) });
    const codes: string[] = [];
    const [limit] = api.setMediaDepth.rateLimits;
    for (let time = 0; time <= (limit?.max ?? 0); time++)
      await send(many).catch(({ code }: CallError) => codes.push(code));
    expect(codes.indexOf('tooManyRequests')).toBe(limit?.max);
    await expect(send(one)).rejects.toMatchObject({ code: 'mediaNotFound' });
  });

  it('are refused to a member by the member, wherever the calls come from [R-5.server-rules.5]', async () => {
    const [first, second] = [await session('first'), await session('second')];
    const guess = (client: typeof first) => client.call('setVIP', { input: { pin_code: 'ABCD-EFGH-JKMN-PQRS' } });
    const codes = async (client: typeof first, times: number) => {
      const answers: string[] = [];
      for (let time = 0; time < times; time++)
        answers.push(
          await guess(client).then(
            () => 'redeemed',
            ({ code }: CallError) => code,
          ),
        );
      return answers;
    };
    expect(await codes(first, 6)).toEqual([...Array(5).fill('pinCodeIncorrect'), 'tooManyRequests']);
    expect(await codes(second, 1)).toEqual(['pinCodeIncorrect']);
    vi.useFakeTimers({ toFake: ['performance'] });
    // It starts at 0.
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(await codes(first, 1)).toEqual(['pinCodeIncorrect']);
    const seek = () => first.call('getUserInfo', { input: { email: 'second@example.com' } });
    for (let time = 0; time < 30; time++) expect((await seek())?.name).toBe('second');
    await expect(seek()).rejects.toMatchObject({ code: 'tooManyRequests', status: 429 });
    vi.useRealTimers();
  });
});
