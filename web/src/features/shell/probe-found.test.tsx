// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { aMember, answerCalls, showPage, success } from '../../testing/page.tsx';
import { Guard } from './Guard.tsx';

const seen: string[] = [];
function Login() {
  seen.push('login');
  return null;
}

const app = (
  <Routes>
    <Route path="/wall" element={<Guard access="member">wall</Guard>} />
    <Route path="/login" element={<Login />} />
  </Routes>
);

// Separate file: the module state that a session existed is unset only in a freshly loaded app.
it('a link in a mail opens its page though the browser has forgotten everything but the cookie of the session', async () => {
  answerCalls(() => success(aMember));
  await showPage(app, '/wall');
  await screen.findByText('wall');
  expect(screen.getByTestId('address').textContent).toBe('/wall');
  expect(seen).toEqual([]);
});
