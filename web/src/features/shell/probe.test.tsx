// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { answerCalls, refusal, showPage } from '../../testing/page.tsx';
import { Guard } from './Guard.tsx';

const app = (
  <Routes>
    <Route path="/wall" element={<Guard access="member">wall</Guard>} />
    <Route path="/login" element={<h1>The login</h1>} />
  </Routes>
);

// Separate file: the module state that a session existed is unset only in a freshly loaded app.
it('a page that needs a login asks the server once before it sends a visitor there, and makes no toast of the answer', async () => {
  const sent = answerCalls(() => refusal(401, 'tokenExpired', 'token expired / please login again'));
  await showPage(app, '/wall');
  await screen.findByText('The login');
  expect(sent.map(({ path }) => path)).toEqual(['/user']);
  expect(screen.getByTestId('address').textContent).toBe('/login?redirect=%2Fwall');
  expect(screen.getByRole('alert').textContent).toBe('');
});
