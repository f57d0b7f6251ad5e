// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerCalls, refusal, showPage } from '../testing/page.tsx';
import { useListAround } from './media-list-state.ts';

function Around() {
  const { items } = useListAround('gone');
  return <p>{items.length} loaded</p>;
}

it('asks once for a page that cannot be loaded', async () => {
  const sent = answerCalls(async ({ path }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return path.includes('page=second')
      ? refusal(500, 'systemError', 'Not now.')
      : {
          body: {
            success: true,
            data: [{ id: 'a' }],
            meta: { hasNext: true },
            links: { self: path, next: '/api/videos?page=second' },
          },
        };
  });
  await showPage(<Around />);
  await screen.findByText('1 loaded');
  const asked = () => sent.filter(({ path }) => path.includes('page=second')).length;
  await waitFor(() => expect(asked()).toBe(1));
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(asked()).toBe(1);
});
