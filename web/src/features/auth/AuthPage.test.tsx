// @vitest-environment happy-dom

import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { logout, useSession } from '../../api/session.ts';
import { aConfig } from '../../testing/config.ts';
import { answerCalls, refusal, type SentCall, showPage, success, aMember as user } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { alerts } from '../../ui/alerts.ts';
import { AuthPage } from './AuthPage.tsx';

// Chunks of lazy dialogs may load slowly on a busy machine.
configure({ asyncUtilTimeout: 8000 });
beforeAll(() =>
  Promise.all([
    import('../../ui/AlertModal.tsx'),
    import('./ForgotDialog.tsx'),
    import('../../shared/policy/PolicyDialog.tsx'),
  ]),
);
afterEach(() => {
  act(() => {
    for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  });
});

/** Server responses by path; no captcha is required. */
function answerPaths(answers: Record<string, () => ReturnType<typeof success>>): (path: string) => SentCall[] {
  const sent = answerCalls(({ path }) => {
    if (path === '/config') return success(aConfig);
    if (path.startsWith('/legalText/'))
      return success({ content: null, in_force_from: null, in_force_until: null, earlier: [] });
    return answers[path]?.() ?? success({});
  });
  return (path) => sent.filter((call) => call.path === path);
}
const panel = (name: string) => within(screen.getByRole('tabpanel', { name }));
const type = (label: string, text: string, tab: string) =>
  fireEvent.change(panel(tab).getByLabelText(label), { target: { value: text } });
const submit = (tab: string, button: string) => {
  const form = panel(tab).getByRole('button', { name: button }).closest('form');
  if (!form) throw new Error('The button is in no form');
  fireEvent.submit(form);
};

async function fillRegistration(changes: Partial<Record<string, string>> = {}) {
  const fields = {
    Name: 'Mei',
    'E-mail': 'mei@example.com',
    Password: 'Passw0rd',
    'Repeat password': 'Passw0rd',
    ...changes,
  };
  for (const [label, text] of Object.entries(fields)) type(label, text ?? '', 'Register');
}
const agree = () => fireEvent.click(panel('Register').getByRole('checkbox'));

it('[R-5.login.1] [R-4.session.2] sends nothing while a field of the login is empty', async () => {
  const sent = answerCalls(() => success({ token: 't', user }));
  await showPage(<AuthPage tab="login" />);
  submit('Log in', 'Log in');
  type('E-mail', 'mei@example.com', 'Log in');
  submit('Log in', 'Log in');
  type('E-mail', '  ', 'Log in');
  type('Password', 'Passw0rd', 'Log in');
  submit('Log in', 'Log in');
  type('E-mail', 'mei@example.com', 'Log in');
  submit('Log in', 'Log in');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ path: '/login', input: { email: 'mei@example.com', password: 'Passw0rd' } });
});

it('keeps what was typed when the login fails, and says why at the field until it is changed [U8]', async () => {
  answerCalls(() => refusal(422, 'loginFailed', 'That was not right.', ['a line of detail']));
  await showPage(<AuthPage tab="login" />);
  type('E-mail', 'mei@example.com', 'Log in');
  type('Password', 'Wr0ngword', 'Log in');
  submit('Log in', 'Log in');
  await panel('Log in').findByText('That was not right.');
  expect(screen.getByRole('alert').textContent).toContain('That was not right.');
  expect(screen.getByRole('alert').textContent).toContain('a line of detail');
  expect(panel('Log in').getByLabelText<HTMLInputElement>('Password').value).toBe('Wr0ngword');
  expect(panel('Log in').getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
  const password = panel('Log in').getByLabelText('Password');
  expect(password.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(password));
  // The toast is gone after two seconds; the field still says it.
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(''), { timeout: 6000 });
  panel('Log in').getByText('That was not right.');
  type('Password', 'Wr0ngwords', 'Log in');
  expect(panel('Log in').queryByText('That was not right.')).toBe(null);
});

it('says above the form why it was refused as a whole, until something is changed [U8]', async () => {
  answerPaths({
    '/login': () => refusal(429, 'tooManyRequests', 'Too many tries.'),
    '/register': () => refusal(422, 'captchaFailed', 'Not a person.'),
  });
  await showPage(<AuthPage tab="login" />);
  type('E-mail', 'mei@example.com', 'Log in');
  type('Password', 'Passw0rd', 'Log in');
  submit('Log in', 'Log in');
  await panel('Log in').findByText('Too many tries.');
  type('E-mail', 'mia@example.com', 'Log in');
  expect(panel('Log in').queryByText('Too many tries.')).toBe(null);
});

it('says above the registration why it was refused, until something is changed [U8]', async () => {
  answerPaths({ '/register': () => refusal(422, 'captchaFailed', 'Not a person.') });
  await showPage(<AuthPage tab="register" />, '/register');
  await fillRegistration();
  agree();
  submit('Register', 'Create account');
  await panel('Register').findByText('Not a person.');
  type('Name', 'Mei Lin', 'Register');
  expect(panel('Register').queryByText('Not a person.')).toBe(null);
});

it('[R-2.login.2] shows and hides the password', async () => {
  await showPage(<AuthPage tab="login" />);
  const field = panel('Log in').getByLabelText<HTMLInputElement>('Password');
  expect(field.type).toBe('password');
  fireEvent.click(panel('Log in').getByRole('button', { name: 'Show password' }));
  expect(field.type).toBe('text');
  fireEvent.click(panel('Log in').getByRole('button', { name: 'Hide password' }));
  expect(field.type).toBe('password');
});

it('[A103] does not send a form while Enter only confirms composed characters', async () => {
  await showPage(<AuthPage tab="login" />);
  const field = panel('Log in').getByLabelText('E-mail');
  // fireEvent returns false when the default action, submitting the form, was prevented.
  expect(fireEvent.keyDown(field, { key: 'Enter', isComposing: true })).toBe(false);
  expect(fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })).toBe(false);
  expect(fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })).toBe(true);
});

it('[R-5.register.1] the register button is active only when the agreement is ticked', async () => {
  const sent = answerCalls(() => success({ email: 'mei@example.com' }));
  await showPage(<AuthPage tab="register" />);
  await fillRegistration();
  const button = panel('Register').getByRole<HTMLButtonElement>('button', { name: 'Create account' });
  expect(button.disabled).toBe(true);
  submit('Register', 'Create account');
  agree();
  expect(button.disabled).toBe(false);
  agree();
  expect(button.disabled).toBe(true);
  expect(sent).toHaveLength(0);
});

it('[R-5.register.4] [R-5.register.5] marks what is wrong, sends nothing and goes to the first wrong field', async () => {
  const sent = answerCalls(() => success({ email: 'mei@example.com' }));
  await showPage(<AuthPage tab="register" />);
  await fillRegistration({ 'E-mail': 'nonsense', 'Repeat password': 'Passw0rd2' });
  agree();
  submit('Register', 'Create account');
  expect(screen.getByText('Invalid Format, Please Re-enter Email')).toBeTruthy();
  expect(screen.getByText('The two passwords do not match.')).toBeTruthy();
  expect(document.activeElement).toBe(panel('Register').getByLabelText('E-mail'));
  expect(sent).toHaveLength(0);
});

it('[R-4.register-flow.2] [R-3.registration.1] registers with every field and goes on to /registerSuccess', async () => {
  const sent = answerPaths({ '/register': () => success({ email: 'mei@example.com' }) });
  await showPage(<AuthPage tab="register" />, '/register');
  await fillRegistration();
  type('Phone (optional)', '0912 345 678', 'Register');
  agree();
  submit('Register', 'Create account');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/registerSuccess'));
  expect(sent('/register')).toHaveLength(1);
  expect(sent('/register')[0]).toMatchObject({
    method: 'POST',
    path: '/register',
    language: 'en',
    input: {
      name: 'Mei',
      email: 'mei@example.com',
      phone: '0912 345 678',
      password: 'Passw0rd',
      password_confirmation: 'Passw0rd',
      isChecked: true,
    },
  });
});

it('[R-1.guest.1] a guest gets a secret id that the next login uses again', async () => {
  const sent = answerPaths({ '/guestLogin': () => success({ token: 't', user: { ...user, isGuest: true } }) });
  await showPage(<AuthPage tab="login" />);
  const enter = screen.getByRole('button', { name: 'Continue as guest' });
  fireEvent.click(enter);
  await waitFor(() => expect(sent('/guestLogin')).toHaveLength(1));
  await waitFor(() => expect(enter.getAttribute('data-loading')).toBeNull());
  fireEvent.click(enter);
  await waitFor(() => expect(sent('/guestLogin')).toHaveLength(2));
  const [first, second] = sent('/guestLogin');
  expect(first?.input).toEqual({ guestId: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(second?.input).toEqual(first?.input);
});

it('[R-2.login.5] the tabs are addresses, reached by arrow keys', async () => {
  await showPage(<AuthPage tab="login" />, '/login');
  fireEvent.keyDown(screen.getByRole('tab', { name: 'Log in' }), { key: 'ArrowRight' });
  expect(screen.getByTestId('address').textContent).toBe('/register');
});

it('the form of the login has an address, a password, the way to a forgotten one, and a button [R-2.login.1] [R-2.login.3] [R-2.login.4]', async () => {
  answerPaths({});
  await showPage(<AuthPage tab="login" />, '/login');
  const form = panel('Log in');
  expect(form.getByLabelText('E-mail').getAttribute('type')).toBe('email');
  expect(form.getByRole('button', { name: 'Log in' }).getAttribute('type')).toBe('submit');
  type('E-mail', 'mei@example.com', 'Log in');
  fireEvent.click(form.getByRole('button', { name: 'Forgot your password?' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Forgot your password?' }));
  // The address is prefilled.
  expect(dialog.getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
});

/** Shows the kind of session and ends it. */
function Who({ take = () => {} }: { take?: (queries: QueryClient) => void }) {
  const queries = useQueryClient();
  const { kind } = useSession();
  take(queries);
  return (
    <button type="button" onClick={() => void logout(queries)}>
      Now {kind}
    </button>
  );
}

it('somebody is a guest, logged in, or logged out [R-4.session.1]', async () => {
  const guest = { ...user, isGuest: true };
  answerPaths({
    '/login': () => success({ token: 't', user }),
    '/guestLogin': () => success({ token: 't', user: guest }),
  });
  await showPage(
    <>
      <AuthPage tab="login" />
      <Who />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Continue as guest' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Now guest' }));
  await screen.findByRole('button', { name: 'Now visitor' });
  type('E-mail', 'mei@example.com', 'Log in');
  type('Password', 'Passw0rd', 'Log in');
  submit('Log in', 'Log in');
  await screen.findByRole('button', { name: 'Now member' });
});

it('after a login every list begins at its first page again [R-4.session.4]', async () => {
  answerPaths({ '/login': () => success({ token: 't', user }) });
  let queries = new QueryClient();
  await showPage(
    <>
      <AuthPage tab="login" />
      <Who
        take={(own) => {
          queries = own;
        }}
      />
    </>,
  );
  queries.setQueryData(['videos', 'all'], { pages: [{ data: [] }, { data: [] }], pageParams: [undefined, 'second'] });
  type('E-mail', 'mei@example.com', 'Log in');
  type('Password', 'Passw0rd', 'Log in');
  submit('Log in', 'Log in');
  await screen.findByRole('button', { name: 'Now member' });
  expect(queries.getQueryData(['videos', 'all'])).toBeUndefined();
});

it('sends no login while a session has begun elsewhere [R-4.session.3]', async () => {
  const sent = answerPaths({ '/user': () => success(user) });
  await showPage(<AuthPage tab="login" />, '/login');
  type('E-mail', 'mei@example.com', 'Log in');
  type('Password', 'Passw0rd', 'Log in');
  act(() => {
    localStorage.setItem('session', 'member');
    window.dispatchEvent(new StorageEvent('storage', { key: 'session' }));
  });
  await waitFor(() => expect(sent('/user')).toHaveLength(1));
  submit('Log in', 'Log in');
  expect(sent('/login')).toHaveLength(0);
});

it('the form of the registration has its fields, and the agreement opens the policy and disclaimer [R-2.register.1] [R-2.register.2] [R-2.register.3] [R-2.register.4] [R-2.register.5] [R-2.register.6]', async () => {
  answerPaths({});
  await showPage(<AuthPage tab="register" />, '/register');
  const form = panel('Register');
  for (const label of ['Name', 'E-mail', 'Phone (optional)', 'Password', 'Repeat password'])
    expect(form.getByLabelText(label).tagName).toBe('INPUT');
  expect(form.getByRole('checkbox', { name: /18 or older/ })).toBeTruthy();
  fireEvent.click(form.getByRole('button', { name: 'Privacy policy and disclaimer' }));
  const policy = await screen.findByRole('dialog', { name: 'Privacy policy and disclaimer' });
  expect(within(policy).getAllByRole('heading').length).toBeGreaterThan(1);
});

it('a registration that is done is told in a success alert of 2 s without a button [R-4.register-flow.1] [R-8.alerts.8] [R-8.alerts.1]', async () => {
  answerPaths({ '/register': () => success({ email: 'mei@example.com' }) });
  await showPage(
    <>
      <AuthPage tab="register" />
      <AlertHost />
    </>,
    '/register',
  );
  await fillRegistration();
  agree();
  submit('Register', 'Create account');
  const alert = await screen.findByRole('dialog', { name: /Confirmation e-mail sent/ });
  expect(alert.textContent).toContain('Please open the link in it to confirm your address.');
  expect(within(alert).queryAllByRole('button')).toHaveLength(0);
  expect(alerts.current()?.options).toMatchObject({ kind: 'success', ms: 2000 });
  await waitFor(() => expect(alerts.current()).toBeUndefined());
});

it('a registration that is refused is told in an alert with the message, and the form stays as it is [R-8.alerts.7]', async () => {
  answerPaths({ '/register': () => refusal(422, 'systemBusy', 'Not now, please.', ['a line of detail']) });
  await showPage(
    <>
      <AuthPage tab="register" />
      <AlertHost />
    </>,
    '/register',
  );
  await fillRegistration();
  agree();
  submit('Register', 'Create account');
  const alert = await screen.findByRole('dialog', { name: /Not now, please\./ });
  expect(alert.textContent).toContain('a line of detail');
  expect(alerts.current()?.options).toMatchObject({ kind: 'error', ms: 2000 });
  expect(panel('Register').getByLabelText<HTMLInputElement>('Password').value).toBe('Passw0rd');
  expect(screen.getByTestId('address').textContent).toBe('/register');
});

it('a password that the server refuses is marked at its field until another one is typed', async () => {
  const why = 'Many people use this password.';
  answerPaths({ '/register': () => refusal(422, 'passwordTooCommon', why) });
  await showPage(<AuthPage tab="register" />, '/register');
  await fillRegistration();
  agree();
  submit('Register', 'Create account');
  const field = panel('Register').getByLabelText('Password');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(panel('Register').getByText(why)).toBeTruthy();
  type('Password', 'Passw0rd2', 'Register');
  expect(panel('Register').queryByText(why)).toBeNull();
});

it('a password with the own name is marked before anything is sent', async () => {
  const sent = answerPaths({});
  await showPage(<AuthPage tab="register" />, '/register');
  await fillRegistration({ Name: 'Hanako', Password: 'Hanako-2026', 'Repeat password': 'Hanako-2026' });
  agree();
  submit('Register', 'Create account');
  expect(screen.getByText('A password must not contain your name or your e-mail address.')).toBeTruthy();
  expect(sent('/register')).toHaveLength(0);
});
