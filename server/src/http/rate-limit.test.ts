import type { CallError } from '@framelift/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSession } from '../domain/user/session.ts';
import { users } from '../platform/db/schema.ts';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { createTestClock } from '../testing/clock.ts';
import { openTestDatabase } from '../testing/database.ts';
import { createRateLimiter, RATE_LIMITS, type RateLimits } from './rate-limit.ts';

const limiterOf = (limits: RateLimits) => {
  const clock = createTestClock();
  const limiter = createRateLimiter(limits, clock);
  const passes = (ip: string, email = 'a@b.co') => {
    try {
      limiter.check('login', ip, { email });
      return true;
    } catch {
      return false;
    }
  };
  return { clock, limiter, passes };
};

describe('the rate limiter', () => {
  it('counts each caller alone and starts anew after the window', () => {
    const { clock, passes } = limiterOf({ login: [{ by: 'ip', max: 2, seconds: 60 }] });
    expect([passes('1.1.1.1'), passes('1.1.1.1'), passes('1.1.1.1'), passes('2.2.2.2')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    clock.advance(59_000);
    expect(passes('1.1.1.1')).toBe(false);
    clock.advance(1_001);
    expect(passes('1.1.1.1')).toBe(true);
  });

  it('takes one network of IPv6 and both spellings of IPv4 for one caller', () => {
    const { passes } = limiterOf({ login: [{ by: 'ip', max: 1, seconds: 60 }] });
    expect(passes('2001:db8:0:1::1')).toBe(true);
    expect(passes('2001:db8::1:aaaa:bbbb:cccc:dddd')).toBe(false);
    expect(passes('2001:db8:0:2::1')).toBe(true);
    expect(passes('::ffff:9.9.9.9')).toBe(true);
    expect(passes('9.9.9.9')).toBe(false);
  });

  it('counts by address in any case, and by caller and address together', () => {
    const byEmail = limiterOf({ login: [{ by: 'email', max: 1, seconds: 60 }] });
    expect([byEmail.passes('1.1.1.1', 'A@b.co'), byEmail.passes('2.2.2.2', ' a@B.co')]).toEqual([true, false]);
    const long = 'x'.repeat(1_000_000);
    expect([byEmail.passes('1.1.1.1', `${long}1`), byEmail.passes('1.1.1.1', `${long}2`)]).toEqual([true, false]);
    const both = limiterOf({ login: [{ by: 'ip+email', max: 1, seconds: 60 }] });
    expect([both.passes('1.1.1.1'), both.passes('2.2.2.2'), both.passes('1.1.1.1')]).toEqual([true, true, false]);
  });

  it('leaves calls without a rule alone', () => {
    const { limiter } = limiterOf({});
    for (let time = 0; time < 1000; time++) limiter.check('videos', '1.1.1.1', {});
  });
});

describe('the calls that a stranger could abuse', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { app: { rateLimits: RATE_LIMITS } });
  });
  afterAll(() => app.close());

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
    // Another address from the same place may still log in.
    const other = app.client().call('login', { input: { email: 'c@d.co', password: 'Wrong-Horse-1' } });
    await expect(other).rejects.toMatchObject({ code: 'loginFailed' });
  });

  it('are refused to a member by the member, wherever the calls come from [R-5.server-rules.5]', async () => {
    const now = app.clock.now();
    const session = async (name: string) => {
      const id = app.context.ids.uuid();
      const email = `${name}@example.com`;
      const values = { id, kind: 'member', name, email, emailLower: email, passwordHash: 'x', language: 'en' } as const;
      await app.context.db.insert(users).values({ ...values, createdAt: now, confirmedAt: now });
      return app.client({ token: await startSession(app.context, app.context.db, id, 'a test') });
    };
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
    app.clock.advance(3_600_001);
    expect(await codes(first, 1)).toEqual(['pinCodeIncorrect']);
    const seek = () => first.call('getUserInfo', { input: { email: 'second@example.com' } });
    for (let time = 0; time < 30; time++) expect((await seek())?.name).toBe('second');
    await expect(seek()).rejects.toMatchObject({ code: 'tooManyRequests', status: 429 });
  });
});
