// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerCalls, refusal, showPage, success, aMember as user } from '../../testing/page.tsx';
import AuthPage from './AuthPage.tsx';

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

it('keeps what was typed when the login fails, and says why', async () => {
  answerCalls(() => refusal(422, 'loginFailed', 'That was not right.', ['a line of detail']));
  await showPage(<AuthPage tab="login" />);
  type('E-mail', 'mei@example.com', 'Log in');
  type('Password', 'Wr0ngword', 'Log in');
  submit('Log in', 'Log in');
  await screen.findByText('That was not right.');
  expect(screen.getByRole('alert').textContent).toContain('a line of detail');
  expect(panel('Log in').getByLabelText<HTMLInputElement>('Password').value).toBe('Wr0ngword');
  expect(panel('Log in').getByLabelText<HTMLInputElement>('E-mail').value).toBe('mei@example.com');
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
  // fireEvent answers false when the default, sending the form, was prevented.
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
  const sent = answerCalls(() => success({ email: 'mei@example.com' }));
  await showPage(<AuthPage tab="register" />, '/register');
  await fillRegistration();
  type('Phone (optional)', '0912 345 678', 'Register');
  agree();
  submit('Register', 'Create account');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/registerSuccess'));
  expect(sent[0]).toMatchObject({
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
  const sent = answerCalls(() => success({ token: 't', user: { ...user, isGuest: true } }));
  await showPage(<AuthPage tab="login" />);
  const enter = screen.getByRole('button', { name: 'Continue as guest' });
  fireEvent.click(enter);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(enter.getAttribute('data-loading')).toBeNull());
  fireEvent.click(enter);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.input).toEqual({ guestId: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(sent[1]?.input).toEqual(sent[0]?.input);
});

it('[R-2.login.5] the tabs are addresses, reached by arrow keys', async () => {
  await showPage(<AuthPage tab="login" />, '/login');
  fireEvent.keyDown(screen.getByRole('tab', { name: 'Log in' }), { key: 'ArrowRight' });
  expect(screen.getByTestId('address').textContent).toBe('/register');
});
