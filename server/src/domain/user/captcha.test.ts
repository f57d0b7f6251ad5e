import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registration, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';

const captcha = { kind: 'altcha' as const, secret: 'a secret of the tests', cost: 10, counter: { from: 3, to: 20 } };
type Purpose = 'register' | 'forget' | 'guest';

describe('the proof of work', () => {
  let app: TestApp;
  let off: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { settings: { captcha } });
    off = await startTestApp(await openTestDatabase());
  });
  afterAll(() => Promise.all([app.close(), off.close()]));

  /** Returns what the widget of the form sends. */
  async function solve(purpose: Purpose, change: (challenge: Challenge) => void = () => {}): Promise<string> {
    const challenge = (await app.client().call('captchaChallenge', { input: { purpose } })) as unknown as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    change(challenge);
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  }
  const failed = { code: 'captchaFailed', status: 422 };
  let people = 0;
  const register = (recaptcha?: string) =>
    app.client().call('register', {
      input: { ...registration(`worker${++people}@example.com`), ...(recaptcha === undefined ? {} : { recaptcha }) },
    });

  it('is asked for at registration, for a lost password and by guests, and lets those pass who did it [R-3.registration.1]', async () => {
    expect((await app.client().call('config')).captcha).toBe('altcha');
    await register(await solve('register'));
    const email = 'worker@example.com';
    const recaptcha = await solve('forget');
    await app.client().call('forgetPassword', { input: { email, recaptcha } });
    const guestId = 'a-guest-of-sixteen-signs';
    await app.client().call('guestLogin', { input: { guestId, recaptcha: await solve('guest') } });

    expect(await refusal(register())).toMatchObject(failed);
    expect(await refusal(app.client().call('forgetPassword', { input: { email } }))).toMatchObject(failed);
    expect(await refusal(app.client().call('guestLogin', { input: { guestId } }))).toMatchObject(failed);
  });

  it('passes once, also when sent twice at the same moment', async () => {
    const proof = await solve('register');
    const sent = await Promise.allSettled([register(proof), register(proof), register(proof)]);
    expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await refusal(register(proof))).toMatchObject(failed);
  });

  it('is of no use for another form, when made easier, without a solution, or as nonsense', async () => {
    expect(await refusal(register(await solve('guest')))).toMatchObject(failed);
    const easier = await solve('register', ({ parameters }) => Object.assign(parameters, { cost: 1 }));
    expect(await refusal(register(easier))).toMatchObject(failed);
    const renamed = await solve('guest', ({ parameters }) =>
      Object.assign(parameters, { data: { purpose: 'register' } }),
    );
    expect(await refusal(register(renamed))).toMatchObject(failed);
    const unsolved = (await app.client().call('captchaChallenge', { input: { purpose: 'register' } })) as object;
    const guessed = { challenge: unsolved, solution: { counter: 1, derivedKey: '00' } };
    expect(await refusal(register(Buffer.from(JSON.stringify(guessed)).toString('base64')))).toMatchObject(failed);
    for (const nonsense of ['', 'x', 'bnVsbA==', '{}'.repeat(100)])
      expect(await refusal(register(nonsense))).toMatchObject(failed);
  });

  it('ends after a while', async () => {
    const proof = await solve('register');
    app.clock.advance(21 * 60_000);
    expect(await refusal(register(proof))).toMatchObject(failed);
  });

  it('is not asked for while it is off, and there is none to be had', async () => {
    expect((await off.client().call('config')).captcha).toBe('off');
    await off.client().call('register', { input: { ...registration('idle@example.com'), recaptcha: 'anything' } });
    const none = off.client().call('captchaChallenge', { input: { purpose: 'register' } });
    expect(await refusal(none)).toMatchObject({ code: 'notFound', status: 404 });
  });
});
