// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, expect, it } from 'vitest';
import { keepEarlyFiles } from '../../shared/early-files.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { aMember, answerCalls, type SentCall, showPage, success } from '../../testing/page.tsx';
import { DropAnywhere } from './DropAnywhere.tsx';

/** A page to which the code that takes files comes later. */
function Page() {
  const [isLoaded, setLoaded] = useState(false);
  const { opened, start } = useUploadDialog();
  return (
    <>
      <output data-testid="upload">{opened ? start.files?.map(({ name }) => name).join() : 'closed'}</output>
      <button type="button" onClick={() => setLoaded(true)}>
        load
      </button>
      {isLoaded && <DropAnywhere />}
    </>
  );
}

const drop = (name: string) => {
  const event = new Event('drop', { bubbles: true, cancelable: true });
  const dataTransfer = { types: ['Files'], files: [new File(['bytes'], name)] };
  document.body.dispatchEvent(Object.assign(event, { dataTransfer }));
  // Otherwise the file takes the place of the app.
  expect(event.defaultPrevented).toBe(true);
};
const shown = () => screen.getByTestId('upload').textContent;

/** Shows the page while the call for the session of a member is not answered; returns what answers it. */
async function showLoading(user: object): Promise<() => void> {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  answerCalls(async ({ path }: SentCall) => {
    if (path === '/user') await answered;
    return success(path === '/user' ? user : []);
  });
  await showPage(<Page />);
  // As a login in another tab tells it.
  localStorage.setItem('session', 'member');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'session' })));
  return answer;
}

beforeAll(keepEarlyFiles);

it('what is dropped before the code for it has come, and before the session is known, is taken as soon as it is', async () => {
  const answer = await showLoading(aMember);
  drop('first.jpg');
  fireEvent.click(screen.getByRole('button', { name: 'load' }));
  drop('second.jpg');
  expect(shown()).toBe('closed');
  answer();
  await waitFor(() => expect(shown()).toBe('first.jpg,second.jpg'));
  drop('third.jpg');
  await waitFor(() => expect(shown()).toBe('third.jpg'));
});

it('who has not confirmed their address is told so when they drop a file', async () => {
  const answer = await showLoading({ ...aMember, isConfirmed: false });
  fireEvent.click(screen.getByRole('button', { name: 'load' }));
  drop('first.jpg');
  answer();
  expect(await screen.findByText('Please confirm your e-mail address before you convert a photo.')).toBeTruthy();
  expect(shown()).toBe('closed');
});
