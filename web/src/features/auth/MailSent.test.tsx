// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { alerts } from '../../ui/alerts.ts';
import { ConfirmationPage } from './ConfirmationPage.tsx';
import { RegisterSuccessPage } from './RegisterSuccessPage.tsx';

configure({ asyncUtilTimeout: 8000 });
beforeAll(() => import('../../ui/AlertModal.tsx'));
afterEach(() => {
  act(() => {
    for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  });
});

type Answer = ReturnType<typeof success>;
function answerPaths(answers: Record<string, () => Answer>): (path: string) => SentCall[] {
  const sent = answerCalls(({ path }) => (path === '/config' ? success(aConfig) : (answers[path]?.() ?? success({}))));
  return (path) => sent.filter((call) => call.path === path);
}
const submit = (button: string) =>
  fireEvent.submit(screen.getByRole('button', { name: button }).closest('form') ?? expect.fail());

it('after a registration people are told to confirm by e-mail, with a link of 24 hours [R-2.register-success.1] [R-2.register-success.2]', async () => {
  answerPaths({});
  await showPage(<RegisterSuccessPage />, '/registerSuccess', { usr: { email: 'mei@example.com' } });
  await screen.findByRole('heading', { name: 'Check your inbox' });
  expect(screen.getByText('We have sent a link to mei@example.com.')).toBeTruthy();
  expect(screen.getByText('The link is valid for 24 hours.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to login' })).toBeTruthy();
});

it('the confirmation screen of an unconfirmed member says where the mail went, sends it again and tells so, then waits [R-2.register-success.3] [R-2.register-success.4] [R-8.alerts.8]', async () => {
  const unconfirmed = { ...aMember, isConfirmed: false };
  const sent = answerPaths({
    '/user': () => success(unconfirmed),
    '/sendConfirmEmail': () => success({ email: aMember.email }),
  });
  beginSession(new QueryClient(), unconfirmed);
  await showPage(
    <>
      <ConfirmationPage />
      <AlertHost />
    </>,
    '/confirmation',
  );
  await screen.findByText('We have sent a link to mei@example.com.');
  submit('Send the link again');
  const alert = await screen.findByRole('dialog', { name: /Confirmation e-mail sent/ });
  expect(within(alert).getByText('Please open the link in it to confirm your address.')).toBeTruthy();
  expect(sent('/sendConfirmEmail')[0]?.input).toEqual({ email: 'mei@example.com' });
  const again = await screen.findByText<HTMLButtonElement>(/^Send again in \d+ s$/);
  expect(again.closest('button')?.disabled).toBe(true);
});

it('who comes without an address names it, and a slip is marked', async () => {
  const sent = answerPaths({ '/sendConfirmEmail': () => success({ email: 'mei@example.com' }) });
  await showPage(<RegisterSuccessPage />, '/registerSuccess');
  const field = await screen.findByLabelText('E-mail');
  fireEvent.change(field, { target: { value: 'mei' } });
  submit('Send the link again');
  expect(screen.getByText('Invalid Format, Please Re-enter Email')).toBeTruthy();
  fireEvent.change(field, { target: { value: 'mei@example.com' } });
  submit('Send the link again');
  await waitFor(() => expect(sent('/sendConfirmEmail')).toHaveLength(1));
});

const CONFIRM = '/confirmation?code=the-code&email=mei%40example.com';

it('opening the mailed link confirms nothing; the button does, and leads to the login [A48] [A49]', async () => {
  const sent = answerPaths({ '/confirmEmail': () => success({ alreadyConfirmed: false, passwordNeeded: false }) });
  await showPage(<ConfirmationPage />, CONFIRM);
  const button = await screen.findByRole('button', { name: 'Confirm this address' });
  expect(sent('/confirmEmail')).toHaveLength(0);
  fireEvent.click(button);
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/login'));
  expect(sent('/confirmEmail')[0]?.input).toEqual({ code: 'the-code', email: 'mei@example.com' });
  expect(await screen.findByText('Your address is confirmed.')).toBeTruthy();
  // The form on that page is prefilled with the address.
  expect(window.history.state?.usr).toEqual({ email: 'mei@example.com', confirmed: true });
});

it('says that a password has to be chosen where two were set, and that a link for it is on its way', async () => {
  answerPaths({ '/confirmEmail': () => success({ alreadyConfirmed: false, passwordNeeded: true }) });
  await showPage(<ConfirmationPage />, CONFIRM);
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm this address' }));
  expect(await screen.findByText(/We have sent a link to mei@example\.com so that you can choose/)).toBeTruthy();
});

it('a link that is too old offers another mail and a new registration', async () => {
  const why = 'This link is no longer valid.';
  answerPaths({ '/confirmEmail': () => refusal(410, 'expiredVerificationCode', why) });
  await showPage(<ConfirmationPage />, CONFIRM);
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm this address' }));
  expect(await screen.findByText(why)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Send the link again' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Register again' })).toBeTruthy();
});
