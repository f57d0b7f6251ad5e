// @vitest-environment happy-dom

import { useQueries, useQueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { call } from '../../api/client.ts';
import { beginSession, logout } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { answerCalls, aMember as member, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { toasts } from '../../ui/toasts.ts';
import { Guard } from './Guard.tsx';

type Member = typeof member;
const address = () => screen.getByTestId('address').textContent;
const paths = (sent: readonly SentCall[]) => sent.map(({ path }) => path);

/** Starts a session on the current page, as a login does. */
function SignIn({ user }: { user: Member }) {
  const queries = useQueryClient();
  return (
    <button type="button" onClick={() => beginSession(queries, user)}>
      sign in
    </button>
  );
}

function Wall() {
  const queries = useQueryClient();
  useQueries({
    queries: ['a', 'b', 'c', 'd', 'e'].map((type) => ({
      queryKey: ['wall', type],
      queryFn: () => call('videos', { input: {} }),
    })),
  });
  return (
    <>
      <h1>The wall</h1>
      <button type="button" onClick={() => void logout(queries)}>
        log out
      </button>
    </>
  );
}

function UploadState() {
  const { opened, start } = useUploadDialog();
  return <h1>{opened ? `The dialog for ${start.deviceTypeId}` : 'No dialog'}</h1>;
}

const app = (user: Member = member) => (
  <>
    <SignIn user={user} />
    <Routes>
      <Route
        path="/wall"
        element={
          <Guard access="member">
            <Wall />
          </Guard>
        }
      />
      <Route
        path="/login"
        element={
          <Guard access="visitor">
            <h1>The login</h1>
          </Guard>
        }
      />
      <Route path="/" element={<Guard access="root" />} />
      <Route path="/home" element={<Guard access="member" to="/player" />} />
      <Route
        path="/player"
        element={
          <Guard access="anyone">
            <UploadState />
          </Guard>
        }
      />
      <Route path="*" element={<h1>Elsewhere</h1>} />
    </Routes>
  </>
);
const signIn = () => fireEvent.click(screen.getByRole('button', { name: 'sign in' }));
/** Logs in on the login page and continues to the wanted path. */
async function comeIn(wanted: string, user?: Member) {
  sessionStorage.setItem('redirect', wanted);
  await showPage(app(user), '/login');
  await screen.findByText('The login');
  signIn();
}
const expired = () => refusal(401, 'tokenExpired', 'token expired / please login again');
const list = { body: { success: true, data: [], meta: { hasNext: false }, links: { self: '/', next: null } } };

it('[A53] [R-4.session.8] [R-8.transport.2] five calls that find the session expired make one toast, one logout, one redirect', async () => {
  const release: (() => void)[] = [];
  const sent = answerCalls(async ({ path }) => {
    if (path === '/logout') return success({});
    await new Promise<void>((resolve) => release.push(resolve));
    return expired();
  });
  const shown: string[] = [];
  const unsubscribe = toasts.subscribe(() => {
    for (const { id, text } of toasts.current()) if (!shown.includes(`${id} ${text}`)) shown.push(`${id} ${text}`);
  });
  await comeIn('/wall?type=1');
  await screen.findByText('The wall');
  await waitFor(() => expect(release).toHaveLength(5));
  await act(async () => {
    for (const answer of release) answer();
  });
  await screen.findByText('The login');
  await waitFor(() => expect(paths(sent).filter((path) => path === '/logout')).toHaveLength(1));
  unsubscribe();
  await waitFor(() => expect(address()).toBe('/login?redirect=%2Fwall%3Ftype%3D1'));
  expect(shown.map((line) => line.replace(/^\d+ /, ''))).toEqual(['token expired / please login again']);
  // The login page sends no calls of its own, so none of them can fail again.
  expect(paths(sent)).toEqual(['/videos', '/videos', '/videos', '/videos', '/videos', '/logout']);
});

it('takes somebody who logged out to the start, without asking the server who they are', async () => {
  const sent = answerCalls(({ path }) => (path === '/logout' ? success({}) : list));
  await comeIn('/wall');
  fireEvent.click(await screen.findByRole('button', { name: 'log out' }));
  await waitFor(() => expect(address()).toBe('/index'));
  expect(paths(sent)).not.toContain('/user');
});

it('[R-4.session.5] [R-2.query.2] leads from the login to the wanted page, once', async () => {
  answerCalls(() => list);
  await comeIn('/wall');
  await screen.findByText('The wall');
  expect(sessionStorage.getItem('redirect')).toBeNull();
});

it('leads an unconfirmed member to /confirmation and keeps the wanted page for later', async () => {
  answerCalls(() => list);
  await comeIn('/wall', { ...member, isConfirmed: false });
  await waitFor(() => expect(address()).toBe('/confirmation'));
  expect(sessionStorage.getItem('redirect')).toBe('/wall');
});

it('[R-4.session.9] keeps a guest in session storage and a member beyond it', async () => {
  answerCalls(() => list);
  await comeIn('/wall', { ...member, isGuest: true });
  await waitFor(() => expect(address()).toBe('/guestPage'));
  expect(sessionStorage.getItem('session')).toBe('guest');
  expect(localStorage.getItem('session')).toBeNull();
});

it('[R-5.upload-link.1] [R-2.query.8] [R-2.query.10] opens the upload dialog that was wanted before the login, once', async () => {
  answerCalls(() => list);
  await comeIn('/?action=upload&device_type_id=3&keep=1');
  await screen.findByText('The dialog for 3');
  await waitFor(() => expect(address()).toBe('/player?keep=1'));
});

it('names the page in the tab', async () => {
  answerCalls(() => list);
  await showPage(
    <Guard access="anyone" title="login">
      x
    </Guard>,
  );
  expect(document.title).toBe('Log in – Framelift');
});

it('shows the outline of the page at once, while the session is still asked for [U11]', async () => {
  answerCalls(() => new Promise(() => {}));
  await showPage(app(), '/wall');
  localStorage.setItem('session', 'member');
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'session' })));
  await waitFor(() => expect(document.querySelector('[data-outline]')).not.toBeNull());
  expect(document.querySelector('[data-outline]')?.getAttribute('aria-label')).toBe('Loading');
  expect(document.querySelectorAll('[data-outline] span').length).toBeGreaterThan(6);
});
