// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { beginSession, useSession } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, showPage, success } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { alerts } from '../../ui/alerts.ts';
import { AuthPage } from '../auth/AuthPage.tsx';
import { Guard } from '../shell/Guard.tsx';
import { GuestPage } from './GuestPage.tsx';

configure({ asyncUtilTimeout: 8000 });
beforeAll(() => import('../../ui/AlertModal.tsx'));
afterEach(() => {
  act(() => {
    for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  });
});

function Cropper() {
  const { opened } = useUploadDialog();
  return <output data-testid="cropper">{opened ? 'open' : 'closed'}</output>;
}
function Who() {
  return <output data-testid="who">{useSession().kind}</output>;
}

async function showGuest() {
  const guest = { ...aMember, isGuest: true, email: '', name: '' };
  beginSession(new QueryClient(), guest);
  const sent = answerCalls(({ path }) => {
    if (path === '/config') return success(aConfig);
    return success(path === '/user' ? guest : {});
  });
  await showPage(
    <>
      <Routes>
        <Route
          path="/guestPage"
          element={
            <Guard access="guest">
              <GuestPage pictures={<p>The wall of pictures</p>} picture={(id) => <p>The picture {id}</p>} />
            </Guard>
          }
        />
        <Route
          path="/register"
          element={
            <Guard access="visitor">
              <AuthPage tab="register" />
            </Guard>
          }
        />
        <Route path="*" element={<p>Another page</p>} />
      </Routes>
      <Cropper />
      <Who />
      <AlertHost />
    </>,
    '/guestPage',
  );
  await screen.findByRole('heading', { name: 'Guest mode' });
  return (path: string) => sent.filter((call) => call.path === path);
}

it('the page of guests says what a guest may do, and its button opens the cropper [R-2.route-guestpage.1] [R-2.guest-page.1] [R-2.guest-page.2]', async () => {
  await showGuest();
  expect(screen.getByText(/You are here as a guest\. You can convert 10 photos/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Convert a photo' }));
  expect(screen.getByTestId('cropper').textContent).toBe('open');
});

it('what a guest cannot do is not offered: no stores, no plans, nothing for a frame, no orders [R-1.guest.3] [R-1.guest.5] [R-1.guest.7]', async () => {
  const sent = await showGuest();
  const offered = [...screen.queryAllByRole('link'), ...screen.queryAllByRole('button')].map((one) => one.textContent);
  expect(offered).toEqual(['Convert a photo', 'Register to keep your photos']);
  for (const path of ['/stores', '/products', '/plan_solutions', '/orders']) expect(sent(path)).toHaveLength(0);
});

it('a guest who signs up leaves guest mode on the screen alone: the session stays, and the pictures move with it [A55]', async () => {
  const sent = await showGuest();
  fireEvent.click(screen.getByRole('button', { name: 'Register to keep your photos' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Keep your photos?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(alerts.current()).toBeUndefined());
  expect(screen.getByTestId('who').textContent).toBe('guest');

  fireEvent.click(screen.getByRole('button', { name: 'Register to keep your photos' }));
  const again = within(await screen.findByRole('dialog', { name: 'Keep your photos?' }));
  fireEvent.click(again.getByRole('button', { name: 'Register' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/register'));
  expect(screen.getByTestId('who').textContent).toBe('visitor');
  expect(await screen.findByRole('button', { name: 'Create account' })).toBeTruthy();
  expect(sent('/logout')).toHaveLength(0);
});
