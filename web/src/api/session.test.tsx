// @vitest-environment happy-dom
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { aMember, answerCalls, showPage } from '../testing/page.tsx';
import { mediaListQuery } from './media.ts';
import { beginSession } from './session.ts';

function List() {
  const list = useInfiniteQuery(mediaListQuery());
  return (
    <button type="button" onClick={() => void list.fetchNextPage()}>
      Pages: {list.data?.pages.length ?? 0}
    </button>
  );
}

/** A list that can be replaced by the login page. */
function App() {
  const queries = useQueryClient();
  const [onLogin, showLogin] = useState(false);
  useState(() => beginSession(queries, { ...aMember, isGuest: true }));
  const logIn = () => {
    beginSession(queries, aMember);
    showLogin(false);
  };
  return (
    <>
      {!onLogin && <List />}
      <button type="button" onClick={onLogin ? logIn : () => showLogin(true)}>
        {onLogin ? 'log in' : 'to the login'}
      </button>
    </>
  );
}

it('a login goes back to the first page of every list [R-4.session.4]', async () => {
  const sent = answerCalls(({ path }) => ({
    body: { success: true, data: [], meta: { hasNext: true }, links: { self: path, next: '/api/videos?page=abc' } },
  }));
  await showPage(<App />);
  await screen.findByText('Pages: 1');
  fireEvent.click(screen.getByText('Pages: 1'));
  await screen.findByText('Pages: 2');
  const before = sent.length;
  fireEvent.click(screen.getByText('to the login'));
  fireEvent.click(screen.getByText('log in'));
  await screen.findByText('Pages: 1');
  await waitFor(() => expect(sent.length).toBe(before + 1));
  expect(sent.at(-2)?.path).toContain('page=abc');
  expect(sent.at(-1)?.path).not.toContain('page=');
});
