import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registration, resetOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';

describe('a new password', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  const register = (password: string, email = 'lantern.keeper@example.com') =>
    app.client({ language: 'ja' }).call('register', {
      input: { ...registration(email), name: 'Hanako', password, password_confirmation: password },
    });

  it('that everybody tries first is refused, in whatever case and with signs behind it [R-5.server-rules.1]', async () => {
    for (const password of ['Password123', 'pASSWORD1', 'Qwerty123', 'Password123!!'])
      expect(await refusal(register(password)), password).toMatchObject({ code: 'passwordTooCommon', status: 422 });
    await register('Lifted-2-Depth', 'careful@example.com');
  });

  it('that holds the name or the address of its owner is refused, in the language of the form', async () => {
    for (const password of ['Hanako-2026', 'My-Lantern-1', 'Lanternkeeper1', 'Framelift-2026'])
      expect(await refusal(register(password)), password).toMatchObject({ code: 'passwordNamesOwner', status: 422 });
    expect((await refusal(register('Hanako-2026'))).message).toContain('パスワード');
  });

  it('is held to the same by the link of a mail, which works again afterwards, and by the profile', async () => {
    const email = 'lighthouse@example.com';
    const { token, password: old } = await app.member(email);
    await app.client().call('forgetPassword', { input: { email } });
    const reset = resetOf(await app.mailTo(email, 2));
    const change = (newPassword: string) =>
      app.client().call('changePassword', { input: { token: reset.token, email, newPassword } });
    const update = (password: string) =>
      app.client({ token }).call('userUpdate', {
        input: { old_password: old, password, password_confirmation: password },
      });
    for (const choose of [update, change]) {
      expect((await refusal(choose('Password123'))).code).toBe('passwordTooCommon');
      expect((await refusal(choose('Lighthouse-2026'))).code).toBe('passwordNamesOwner');
    }
    await change('Lifted-2-Depth');
    expect((await app.client().call('login', { input: { email, password: 'Lifted-2-Depth' } })).user.email).toBe(email);
  });
});
