// @vitest-environment happy-dom
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { passUntil, showPage } from '../testing/page.tsx';
import { Modal } from './Modal.tsx';
import { Spinner } from './Spinner.tsx';

configure({ asyncUtilTimeout: 8000 });

/** A page whose dialog can open another one above it. */
function Page() {
  const [open, setOpen] = useState<readonly string[]>([]);
  const without = (name: string) => setOpen((now) => now.filter((one) => one !== name));
  const opener = (name: string) => (
    <button type="button" onClick={() => setOpen((now) => [...now, name])}>
      open {name}
    </button>
  );
  return (
    <>
      {opener('lower')}
      {opener('brief')}
      {open.includes('brief') && <Modal opened onClose={() => without('brief')} title="brief" />}
      <Modal opened={open.includes('lower')} onClose={() => without('lower')} title="lower">
        {opener('upper')}
      </Modal>
      <Modal opened={open.includes('upper')} onClose={() => without('upper')} title="upper">
        text
      </Modal>
    </>
  );
}

const dialogs = () =>
  screen.queryAllByRole('dialog', { hidden: true }).map((one) => one.querySelector('h2')?.textContent);
const entries = () => (window.history.state?.usr?.dialogs ?? []).length;
const open = async (name: string, stacked: number) => {
  const button = screen.getByRole('button', { name: `open ${name}`, hidden: true });
  button.focus();
  fireEvent.click(button);
  await screen.findByRole('dialog', { name });
  await waitFor(() => expect(entries()).toBe(stacked));
  return button;
};

it('a dialog pushes a history entry, and "back" closes it without leaving the page [R-4.modal.1] [R-4.modal.2]', async () => {
  await showPage(<Page />, '/menu?x=1');
  const before = window.history.length;
  await open('lower', 1);
  expect(window.history.length).toBe(before + 1);
  expect(window.location.pathname + window.location.search).toBe('/menu?x=1');
  window.history.back();
  await waitFor(() => expect(dialogs()).toEqual([]));
  expect(entries()).toBe(0);
  expect(screen.getByTestId('address').textContent).toBe('/menu?x=1');
});

it('a dialog closed by its button or by Escape takes its entry along, so that "back" means the page before [R-4.modal.1]', async () => {
  await showPage(<Page />, '/menu');
  for (const close of [
    () => fireEvent.click(screen.getByRole('button', { name: 'Close' })),
    () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }),
  ]) {
    await open('lower', 1);
    close();
    await waitFor(() => expect(dialogs()).toEqual([]));
    await waitFor(() => expect(entries()).toBe(0));
  }
});

it('a dialog that disappears at once has gone back by then, so that a page opened right after it is not left again', async () => {
  await showPage(<Page />, '/menu');
  await open('brief', 1);
  const go = vi.spyOn(window.history, 'go');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(dialogs()).toEqual([]);
  await Promise.resolve();
  expect(go.mock.calls).toEqual([[-1]]);
  await waitFor(() => expect(entries()).toBe(0));
});

it('a dialog that closes while the page is left keeps its entry, which goes if the page stays after all', async () => {
  await showPage(<Page />, '/menu');
  await open('brief', 1);
  vi.useFakeTimers();
  try {
    // Somebody who is asked by the browser whether to leave may stay: the page is not told.
    window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect([dialogs(), entries()]).toEqual([[], 1]);
    await passUntil(() => entries() === 0);
  } finally {
    vi.useRealTimers();
  }
  expect(screen.getByTestId('address').textContent).toBe('/menu');
});

it('of stacked dialogs "back" closes the top one alone [R-4.modal.2]', async () => {
  await showPage(<Page />, '/menu');
  await open('lower', 1);
  await open('upper', 2);
  window.history.back();
  await waitFor(() => expect(dialogs()).toEqual(['lower']));
  expect(entries()).toBe(1);
  window.history.back();
  await waitFor(() => expect(dialogs()).toEqual([]));
  expect(screen.getByTestId('address').textContent).toBe('/menu');
});

it('of stacked dialogs Escape closes the top one alone', async () => {
  await showPage(<Page />, '/menu');
  await open('lower', 1);
  await open('upper', 2);
  // Both dialogs listen to the window.
  fireEvent.keyDown(screen.getByRole('dialog', { name: 'upper' }), { key: 'Escape' });
  await waitFor(() => expect(dialogs()).not.toContain('upper'));
  expect(dialogs()).toEqual(['lower']);
  await waitFor(() => expect(entries()).toBe(1));
  fireEvent.keyDown(screen.getByRole('dialog', { name: 'lower' }), { key: 'Escape' });
  await waitFor(() => expect(dialogs()).toEqual([]));
});

it('an entry that an earlier load of the page left behind opens nothing, and a new dialog has its own', async () => {
  await showPage(<Page />, '/menu');
  window.history.pushState({ usr: { dialogs: ['earlier-1'] }, key: 'old', idx: 1 }, '', '/menu');
  await open('lower', 2);
  window.history.back();
  await waitFor(() => expect(dialogs()).toEqual([]));
  expect(window.history.state.usr.dialogs).toEqual(['earlier-1']);
});

it('a dialog takes the focus and gives it back to what opened it', async () => {
  await showPage(<Page />, '/menu');
  const button = await open('lower', 1);
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('a spinner stands for what is waited for, and says so to readers [R-2.feedback.1]', async () => {
  await showPage(<Spinner />);
  expect(screen.getByRole('status', { name: 'Loading' }).querySelector('[aria-hidden]')).not.toBeNull();
});
