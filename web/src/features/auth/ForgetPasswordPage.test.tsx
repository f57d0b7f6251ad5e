// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeAll, expect, it } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { AuthPage } from './AuthPage.tsx';
import { ForgetPasswordPage } from './ForgetPasswordPage.tsx';

// Chunks of lazy dialogs may load slowly on a busy machine.
configure({ asyncUtilTimeout: 8000 });
beforeAll(() => import('./ForgotDialog.tsx'));

type Answer = ReturnType<typeof success>;

/** Server responses by path; no captcha is required. */
function answerPaths(answers: Record<string, () => Answer>): (path: string) => SentCall[] {
  const sent = answerCalls(({ path }) => (path === '/config' ? success(aConfig) : (answers[path]?.() ?? success({}))));
  return (path) => sent.filter((call) => call.path === path);
}
const show = (at: string, state?: unknown) =>
  showPage(
    <Routes>
      <Route path="/forgetPassword" element={<ForgetPasswordPage />} />
      <Route path="/login" element={<AuthPage tab="login" />} />
    </Routes>,
    at,
    state,
  );
const LINK = '/forgetPassword?resetPasswordToken=the-secret&email=mei%40example.com';
const address = () => screen.getByTestId('address').textContent;
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
const submit = (button: string) => {
  const form = screen.getByRole('button', { name: button }).closest('form');
  fireEvent.submit(form ?? expect.fail('The button is in no form'));
};
const choose = (password: string, repeated = password) => {
  type('New password', password);
  type('Repeat password', repeated);
  submit('Change password');
};

it('the mailed link shows the form; its secret leaves the address at once and survives a reload [R-2.route-forget.1] [R-2.route-forget.2]', async () => {
  answerPaths({});
  const { unmount } = await show(LINK);
  await screen.findByRole('heading', { name: 'Choose a new password' });
  expect(screen.getByText('For the account mei@example.com')).toBeTruthy();
  await waitFor(() => expect(address()).toBe('/forgetPassword'));
  expect(window.location.href).not.toContain('the-secret');
  const state: unknown = window.history.state;
  unmount();
  // A reload keeps the state of the history entry.
  await show('/forgetPassword', state);
  expect(await screen.findByText('For the account mei@example.com')).toBeTruthy();
});

it('a new password is sent with token and address of the link, and leads to the login with the address filled in [R-7.auth.5]', async () => {
  const sent = answerPaths({ '/changePassword': () => success({ email: 'mei@example.com' }) });
  beginSession(new QueryClient(), aMember);
  await show(LINK);
  await screen.findByLabelText('New password');
  choose('Lifted-2-Depth');
  await waitFor(() => expect(address()).toBe('/login'));
  expect(sent('/changePassword')[0]?.input).toEqual({
    token: 'the-secret',
    email: 'mei@example.com',
    newPassword: 'Lifted-2-Depth',
  });
  expect(await screen.findByText('Your password was changed. Please log in with the new one.')).toBeTruthy();
  const login = within(screen.getByRole('tabpanel', { name: 'Log in' }));
  expect(login.getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
  expect(JSON.stringify(window.history.state)).not.toContain('the-secret');
});

it('a new password is held to the rules before it is sent, ticked off as it is typed, and can be shown [R-5.password.1]', async () => {
  const sent = answerPaths({});
  await show(LINK);
  const field = await screen.findByLabelText<HTMLInputElement>('New password');
  choose('weak', 'other');
  expect(screen.getByText('The password does not meet all the requirements yet.')).toBeTruthy();
  expect(screen.getByText('The two passwords do not match.')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  type('New password', 'Lifted-2-Depth');
  expect(screen.getAllByLabelText('met')).toHaveLength(5);
  fireEvent.click(screen.getAllByRole('button', { name: 'Show password' })[0] ?? expect.fail());
  expect(field.type).toBe('text');
  expect(sent('/changePassword')).toHaveLength(0);
});

it('a password that the server refuses is marked, and the link can be used again', async () => {
  const why = 'Many people use this password.';
  const sent = answerPaths({ '/changePassword': () => refusal(422, 'passwordTooCommon', why) });
  await show(LINK);
  const field = await screen.findByLabelText<HTMLInputElement>('New password');
  choose('Password123');
  expect(await screen.findByText(why)).toBeTruthy();
  expect(field.value).toBe('Password123');
  choose('Lifted-2-Depth');
  await waitFor(() => expect(sent('/changePassword')).toHaveLength(2));
});

it.each(['/forgetPassword', '/forgetPassword?email=mei%40example.com', '/forgetPassword?resetPasswordToken=x'])(
  'without token and address (%s) permission is expired, and whoever is logged in is logged out [R-5.reset.1] [R-8.other.2]',
  async (at) => {
    const sent = answerPaths({});
    beginSession(new QueryClient(), aMember);
    await show(at);
    await screen.findByRole('heading', { name: 'change failed, permission expired' });
    await waitFor(() => expect(sent('/logout')).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem('session')).toBeNull());
    expect(screen.getByRole('link', { name: 'Go to login' })).toBeTruthy();
  },
);

it('a link that was used says so and mails another one [R-8.other.2]', async () => {
  const sent = answerPaths({
    '/changePassword': () => refusal(410, 'changePermissionExpired', 'change failed, permission expired'),
    '/forgetPassword': () => success({ email: 'mei@example.com' }),
  });
  await show(LINK);
  await screen.findByLabelText('New password');
  choose('Lifted-2-Depth');
  const told = await screen.findByRole('heading', { name: 'change failed, permission expired' });
  expect(told.closest('[role="alert"]')).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Ask for a new link' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Forgot your password?' }));
  expect(dialog.getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
  submit('Send the link');
  await dialog.findByText(/^If mei@example\.com has an account, a link is on its way/);
  expect(sent('/forgetPassword')[0]?.input).toEqual({ email: 'mei@example.com' });
  // In sandbox mode mails are in the local mailbox.
  expect(await dialog.findByRole('link', { name: 'Open the local mailbox' })).toBeTruthy();
});

it('the mail can be asked for again after a pause, the server may name a longer one, and a slip is marked', async () => {
  let answer = success({ email: '' });
  const sent = answerPaths({ '/forgetPassword': () => answer });
  await show('/forgetPassword');
  fireEvent.click(await screen.findByRole('button', { name: 'Ask for a new link' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Forgot your password?' }));
  submit('Send the link');
  expect(dialog.getByText('Invalid Format, Please Re-enter Email')).toBeTruthy();
  type('E-mail', 'mei@example.com');
  submit('Send the link');
  const again = await dialog.findByRole<HTMLButtonElement>('button', { name: /^Send again in \d+ s$/ });
  expect(again.disabled).toBe(true);
  expect(sent('/forgetPassword')).toHaveLength(1);

  answer = refusal(429, 'tooManyRequests', 'Too many tries.');
  fireEvent.click(dialog.getByRole('button', { name: 'Use another address' }));
  expect(dialog.getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
  submit('Send the link');
  expect(await screen.findByText('Too many tries.')).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
});
