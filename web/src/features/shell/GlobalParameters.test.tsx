// @vitest-environment happy-dom
import type { User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { Route, Routes, useSearchParams } from 'react-router';
import { expect, it } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, type SentCall, showPage, success } from '../../testing/page.tsx';
import { toasts } from '../../ui/toasts.ts';
import { Guard } from './Guard.tsx';

const address = () => screen.getByTestId('address').textContent;
const aGuest: User = { ...aMember, id: '00000000-0000-4000-8000-000000000001', isGuest: true, name: '', email: '' };

function SignedIn({ user, children }: { user: User; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() => beginSession(queries, user));
  return children;
}

function Login() {
  const queries = useQueryClient();
  const [query] = useSearchParams();
  return (
    <>
      <h1>The login for {query.get('redirect') ?? 'nothing'}</h1>
      <button type="button" onClick={() => beginSession(queries, aMember)}>
        log in
      </button>
    </>
  );
}

function Opened() {
  const { opened, start } = useUploadDialog();
  return <p>{opened ? `The dialog for ${start.deviceTypeId}` : 'No dialog'}</p>;
}

const page = (access: 'anyone' | 'member' | 'visitor' | 'guest', content: ReactNode) => (
  <Guard access={access}>{content}</Guard>
);
let sent: SentCall[] = [];
function open(path: string, user: User | null = null) {
  sent = answerCalls(({ path: asked, input }) => {
    if (asked === '/config') return success(aConfig);
    if (asked === '/guestLogin') return success({ token: 't', user: aGuest });
    if (asked === '/checkTokenForUser') return success({ belongs: (input as { userId: string }).userId === user?.id });
    return success({});
  });
  const app = (
    <>
      <Opened />
      <Routes>
        <Route path="/login" element={page('visitor', <Login />)} />
        <Route path="/guestPage" element={page('guest', <h1>The guest page</h1>)} />
        <Route path="/menu" element={page('member', <h1>The menu</h1>)} />
        <Route path="/" element={<Guard access="root" />} />
        <Route path="*" element={page('anyone', <h1>A page</h1>)} />
      </Routes>
    </>
  );
  return showPage(user ? <SignedIn user={user}>{app}</SignedIn> : app, path);
}
const asked = (path: string) => sent.filter((call) => call.path === path);

it('guest begins a guest session from any page, with the upload that was wanted, and takes no secret from the link [R-2.query.5]', async () => {
  await open('/about?guest=a-secret-that-others-know&device_type_id=2');
  await screen.findByText('The guest page');
  await screen.findByText('The dialog for 2');
  await waitFor(() => expect(address()).toBe('/guestPage'));
  expect(asked('/guestLogin').map(({ input }) => input)).toEqual([
    { guestId: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});

it.each([
  ['a member is logged in', '/about?guest=1', aMember],
  ['it says no', '/about?guest=0', null],
])('guest is passed over where %s [R-2.query.5]', async (_, path, user) => {
  await open(path, user);
  await waitFor(() => expect(address()).toBe('/about'));
  expect(asked('/guestLogin')).toEqual([]);
});

it("userId is checked with the server: a member's own link is acted upon [R-2.query.9] [R-5.upload-link.2]", async () => {
  await open(`/menu?userId=${aMember.id}&action=upload&device_type_id=4&a=1`, aMember);
  await screen.findByText('The dialog for 4');
  await waitFor(() => expect(address()).toBe('/menu?a=1'));
  expect(asked('/checkTokenForUser').map(({ input }) => input)).toEqual([{ userId: aMember.id }]);
});

it("somebody else's link ends the session and asks for the right login, which finds the upload [R-2.query.9] [R-5.upload-link.3]", async () => {
  const link = '/menu?userId=someone-else&action=upload';
  await open(link, aMember);
  await screen.findByText(`The login for ${link}`);
  await screen.findByText('This link belongs to another account. Please log in with that one.');
  await waitFor(() => expect(asked('/logout')).toHaveLength(1));
  expect(screen.getByText('No dialog')).toBeTruthy();
  expect(localStorage.getItem('session')).toBeNull();
});

it('a link for a member asks a visitor to log in, from whatever page [R-2.query.9]', async () => {
  const { unmount } = await open(`/about?userId=${aMember.id}&action=upload`);
  await screen.findByText(`The login for /about?userId=${aMember.id}&action=upload`);
  expect(asked('/checkTokenForUser')).toEqual([]);
  unmount();
  await open(`/login?userId=${aMember.id}&action=upload`);
  await screen.findByText(`The login for /?userId=${aMember.id}&action=upload`);
});

it('device is remembered by everybody, whoever they are [R-2.query.6]', async () => {
  const { unmount } = await open('/about?device=frame-1');
  await waitFor(() => expect(address()).toBe('/about'));
  expect(localStorage.getItem('deviceID')).toBe('frame-1');
  unmount();
  await open('/guestPage?device=frame-2', aGuest);
  await waitFor(() => expect(address()).toBe('/guestPage'));
  expect(localStorage.getItem('deviceID')).toBe('frame-2');
});

it('alert shows the text of a message key, and anything else as it stands, for 3 s [R-2.query.7] [X5]', async () => {
  const { unmount } = await open('/about?alert=tokenExpired');
  await screen.findByText('token expired / please login again');
  expect(toasts.current().find(({ kind }) => kind === 'info')).toMatchObject({ ms: 3000 });
  unmount();
  await open('/about?alert=%3Cb%3EHello%3C%2Fb%3E');
  await screen.findByText('<b>Hello</b>');
  await waitFor(() => expect(address()).toBe('/about'));
});

it('the login states are logged out, guest and logged in [R-4.session.1]', async () => {
  const out = await open('/menu');
  await screen.findByText('The login for /menu');
  out.unmount();
  const guest = await open('/menu', aGuest);
  await screen.findByText('The guest page');
  guest.unmount();
  await open('/menu', aMember);
  await screen.findByText('The menu');
});
