// @vitest-environment happy-dom
import type { User } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { aMember, answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { alerts } from '../../ui/alerts.ts';
import { toasts } from '../../ui/toasts.ts';
import { EditProfilePage } from './EditProfilePage.tsx';

configure({ asyncUtilTimeout: 8000 });
beforeAll(() => import('../../ui/AlertModal.tsx'), 60_000);

type Input = Partial<Record<'name' | 'phone' | 'old_password' | 'password' | 'password_confirmation', string>>;
let update: (input: Input) => ReturnType<typeof success> | Promise<ReturnType<typeof success>>;
let changeEmail: () => ReturnType<typeof success>;
let stored: User;
beforeEach(() => {
  update = ({ name = stored.name, phone = stored.phone }) => success({ ...stored, name, phone });
  changeEmail = () => success({ email: 'new@example.com' });
});
afterEach(() => {
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  for (const { kind } of toasts.current()) toasts.hide(kind);
});

async function show(as: Partial<User> = {}): Promise<SentCall[]> {
  stored = { ...aMember, ...as };
  const sent = answerCalls(({ path, input }) => {
    if (path === '/userUpdate') return update(input as Input);
    if (path === '/changeEmail') return changeEmail();
    return success({ sandbox: false });
  });
  window.history.replaceState(null, '', '/menu');
  window.history.pushState(null, '', '/member/profile');
  await showPage(
    <LoggedIn as={as}>
      <EditProfilePage />
      <Link to="/elsewhere">elsewhere</Link>
    </LoggedIn>,
    '/member/profile',
  );
  await i18next.loadNamespaces('profile');
  await screen.findByRole('heading', { name: 'Edit profile' });
  return sent;
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const save = () => fireEvent.submit(field('Name').form as HTMLFormElement);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const updates = (sent: SentCall[]) => sent.filter(({ path }) => path === '/userUpdate').map(({ input }) => input);
const address = () => screen.getByTestId('address').textContent;

it('the name can be edited and saved, the e-mail is read-only [R-2.profile.1] [R-2.profile.2] [R-2.profile.6] [R-1.member.7]', async () => {
  const sent = await show();
  expect(field('Name').value).toBe('Mei');
  expect(field('E-mail').readOnly).toBe(true);
  expect(field('E-mail').value).toBe('mei@example.com');
  type('Name', 'x'.repeat(31));
  expect(field('Name').value).toBe('x'.repeat(30));
  type('Name', ' Mei Lin ');
  fireEvent.click(button('Save'));
  await screen.findByText('Your profile was saved.');
  expect(updates(sent)).toEqual([{ name: 'Mei Lin' }]);
  await waitFor(() => expect(field('Name').value).toBe('Mei Lin'));
});

it('shows the phone only when there is one, and one can be added [R-2.profile.3]', async () => {
  const sent = await show();
  expect(screen.queryByLabelText('Phone')).toBeNull();
  fireEvent.click(button('Add a phone number'));
  type('Phone', 'not a number');
  save();
  await screen.findByText(/^Enter a phone number/);
  expect(updates(sent)).toEqual([]);
  type('Phone', '0912 345 678');
  save();
  await waitFor(() => expect(updates(sent)).toEqual([{ phone: '0912 345 678' }]));
  await waitFor(() => expect(field('Phone').value).toBe('0912 345 678'));
});

it('changes the password by the old one, the new one and its repetition, with live hints [R-2.profile.4]', async () => {
  const sent = await show({ phone: '0912' });
  expect(field('Phone').value).toBe('0912');
  type('New password', 'Abcdefg');
  expect(screen.getAllByLabelText('met')).toHaveLength(3);
  save();
  await screen.findByText('The password does not meet all the requirements yet.');
  expect(screen.getAllByText('Please fill in this field.')).toHaveLength(2);
  expect(document.activeElement).toBe(field('Old password'));
  type('Old password', 'Old-Horse-1');
  type('New password', 'New-Horse-1');
  type('Repeat new password', 'New-Horse-2');
  expect(screen.getByText('The two passwords do not match.')).toBeTruthy();
  save();
  expect(updates(sent)).toEqual([]);
  type('Repeat new password', 'New-Horse-1');
  save();
  await screen.findByText('You were logged out everywhere else.');
  expect(updates(sent)).toEqual([
    { old_password: 'Old-Horse-1', password: 'New-Horse-1', password_confirmation: 'New-Horse-1' },
  ]);
  for (const label of ['Old password', 'New password', 'Repeat new password']) expect(field(label).value).toBe('');
});

it('takes no new password that holds the own name or address, and says so at once [R-2.profile.4]', async () => {
  const sent = await show({ name: 'Meilin' });
  type('Old password', 'Old-Horse-1');
  type('New password', 'My-Horse-88');
  expect(screen.getAllByLabelText('met')).toHaveLength(5);
  type('New password', 'My-Meilin-88');
  expect(screen.getAllByLabelText('met')).toHaveLength(4);
  type('Repeat new password', 'My-Meilin-88');
  save();
  await screen.findByText(i18next.t('passwordNamesOwner', { ns: 'auth' }));
  expect(updates(sent)).toEqual([]);
});

it('a password that the browser filled in by itself changes nothing', async () => {
  const sent = await show();
  type('Old password', 'Filled-In-1');
  save();
  await screen.findByText('There are no changes to save.');
  type('Name', 'Mei Lin');
  save();
  await waitFor(() => expect(updates(sent)).toEqual([{ name: 'Mei Lin' }]));
});

it('discard puts back what is stored and empties the passwords [R-2.profile.5]', async () => {
  const sent = await show({ phone: '0912' });
  expect(button('Discard changes').disabled).toBe(true);
  type('Name', '');
  type('Phone', '0');
  type('New password', 'short');
  save();
  await screen.findByText('The password does not meet all the requirements yet.');
  fireEvent.click(button('Discard changes'));
  expect(field('Name').value).toBe('Mei');
  expect(field('Phone').value).toBe('0912');
  expect(field('New password').value).toBe('');
  expect(screen.queryByText('The password does not meet all the requirements yet.')).toBeNull();
  expect(updates(sent)).toEqual([]);
});

it('keeps what was typed after a failure and marks the field that it is about [R-8.catalogue.11]', async () => {
  update = () => refusal(422, 'updatePasswordFailed', errorText('updatePasswordFailed', 'en'));
  await show();
  type('Name', 'Mei Lin');
  type('Old password', 'Wrong-Horse-1');
  type('New password', 'New-Horse-1');
  type('Repeat new password', 'New-Horse-1');
  save();
  await screen.findByText(errorText('updatePasswordFailed', 'en'));
  await waitFor(() => expect(document.activeElement).toBe(field('Old password')));
  expect(field('Old password').getAttribute('aria-invalid')).toBe('true');
  const kept = ['Name', 'Old password', 'New password', 'Repeat new password'].map((label) => field(label).value);
  expect(kept).toEqual(['Mei Lin', 'Wrong-Horse-1', 'New-Horse-1', 'New-Horse-1']);
  type('Old password', 'Right-Horse-1');
  expect(screen.queryByText(errorText('updatePasswordFailed', 'en'))).toBeNull();
});

it('while it is saved, every control of the form is disabled [R-4.loading.1]', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  update = async () => {
    await held;
    return success({ ...stored, name: 'Mei Lin' });
  };
  await show();
  type('Name', 'Mei Lin');
  save();
  const form = field('Name').form as HTMLFormElement;
  const fieldset = form.querySelector('fieldset') as HTMLFieldSetElement;
  expect(fieldset.querySelectorAll('input, button')).toHaveLength(form.querySelectorAll('input, button').length);
  await waitFor(() => expect(fieldset.disabled).toBe(true));
  release();
  await screen.findByText('Your profile was saved.');
  await waitFor(() => expect(fieldset.disabled).toBe(false));
});

it('lets a link go where there is nothing to lose', async () => {
  await show();
  fireEvent.click(screen.getByRole('link', { name: 'elsewhere' }));
  await waitFor(() => expect(address()).toBe('/elsewhere'));
});

async function answerLeave(name: string): Promise<void> {
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  fireEvent.click(within(question).getByRole('button', { name }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

it('stays with the text when asked to, and leaves by the link otherwise', async () => {
  await show();
  type('Name', 'Mei Lin');
  fireEvent.click(screen.getByRole('link', { name: 'elsewhere' }));
  await answerLeave('Stay');
  await waitFor(() => expect(address()).toBe('/member/profile'));
  expect(field('Name').value).toBe('Mei Lin');
  fireEvent.click(screen.getByRole('link', { name: 'elsewhere' }));
  await answerLeave('Leave');
  await waitFor(() => expect(address()).toBe('/elsewhere'));
});

it('asks when going back would lose the text', async () => {
  await show();
  type('Name', 'Mei Lin');
  await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
  window.history.back();
  await answerLeave('Stay');
  expect(field('Name').value).toBe('Mei Lin');
  await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
  window.history.back();
  await answerLeave('Leave');
  await waitFor(() => expect(address()).toBe('/menu'));
});

it('asks the browser to warn when the page is closed with unsaved text, and not otherwise', async () => {
  await show();
  const close = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(close()).toBe(true);
  type('Name', 'Mei Lin');
  expect(close()).toBe(false);
  fireEvent.click(button('Discard changes'));
  expect(close()).toBe(true);
});

async function openEmail() {
  fireEvent.click(button('Change e-mail'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change e-mail' }));
  const fill = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  const send = () => fireEvent.submit(dialog.getByLabelText<HTMLInputElement>('Your password').form as HTMLFormElement);
  return { dialog, fill, send };
}

it('another address is asked for with the password, and told to be confirmed by mail', async () => {
  const sent = await show();
  const { dialog, fill, send } = await openEmail();
  fill('New e-mail address', 'MEI@example.com');
  send();
  await dialog.findByText('This is already your address.');
  expect(dialog.getByText('Please fill in this field.')).toBeTruthy();
  fill('New e-mail address', 'new@example.com');
  fill('Your password', 'Old-Horse-1');
  send();
  await dialog.findByText('We have sent a link to new@example.com. It is valid for 24 hours.');
  expect(dialog.getByText(/you log in with mei@example.com as before/)).toBeTruthy();
  expect(sent.find(({ path }) => path === '/changeEmail')?.input).toEqual({
    email: 'new@example.com',
    password: 'Old-Horse-1',
  });
});

it('a wrong password is told at its field, and the new address stays typed', async () => {
  changeEmail = () => refusal(422, 'passwordIncorrect', errorText('passwordIncorrect', 'en'));
  await show();
  const { dialog, fill, send } = await openEmail();
  fill('New e-mail address', 'new@example.com');
  fill('Your password', 'Wrong-Horse-1');
  send();
  await dialog.findByText(errorText('passwordIncorrect', 'en'));
  expect(dialog.getByLabelText<HTMLInputElement>('New e-mail address').value).toBe('new@example.com');
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Your password')));
});
