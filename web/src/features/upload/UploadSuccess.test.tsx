// @vitest-environment happy-dom
import type { MediaDetail, User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { i18next } from '../../i18n/index.ts';
import { UploadDialogProvider } from '../../shared/upload-dialog.tsx';
import { answerCalls, showPage, success, aMember as user } from '../../testing/page.tsx';
import { UploadSuccess } from './UploadSuccess.tsx';

configure({ asyncUtilTimeout: 8000 });

const ID = '6f1f9f0c-3f6e-4a55-9b52-0d6c1f1b2a3c';
const media: MediaDetail = {
  id: ID,
  name: 'shop.jpg',
  status: 1,
  cover: null,
  date: '2026-01-01T00:00:00Z',
  finish_time: '2026-01-01T00:00:10Z',
  type: 0,
  media_type: 1,
  device_type_id: 1,
  effect: 0,
  progress: 100,
  uploaded: true,
  step: 'done',
  timeLeft: null,
  failure: null,
  depthSource: null,
  comfort: null,
  convergence: null,
  strokes: 0,
  canUndo: false,
  canRedo: false,
  whole: null,
  film: null,
  crop: { x: 0, y: 0, width: 300, height: 400 },
  source: { width: 300, height: 400 },
  deviceType: {
    id: 1,
    name: 'Looking Glass Portrait',
    note: '',
    ratio: '3,4',
    extendResolution: '2048,1536',
    is_actived: true,
    disparityBudget: 12,
    format: 'quilt',
    quilt: { columns: 8, rows: 6 },
  },
  preview: null,
  formats: ['flat', 'original'],
};

function Page({ who, onSee }: { who: User; onSee: () => void }) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(false);
  return begun ? (
    <UploadDialogProvider>
      <UploadSuccess id={ID} onSee={onSee} />
    </UploadDialogProvider>
  ) : (
    <button
      type="button"
      onClick={() => {
        beginSession(queries, who);
        setBegun(true);
      }}
    >
      sign in
    </button>
  );
}

async function show(answer: () => Partial<MediaDetail>, who: Partial<User> = {}, onSee = () => {}) {
  const sent = answerCalls(() => success({ ...media, ...answer() }));
  await showPage(<Page who={{ ...user, ...who }} onSee={onSee} />);
  await i18next.loadNamespaces(['upload', 'depth', 'shell']);
  fireEvent.click(screen.getByRole('button', { name: 'sign in' }));
  return sent;
}
const button = (name: string) => screen.findByRole('button', { name });

it('[R-2.upload-success.1] [R-2.upload-success.2] [R-2.upload-success.3] leads a member on', async () => {
  await show(() => ({}));
  await button('Upload another');
  await button('Check orders');
  fireEvent.click(await button('Back to the start'));
  expect(screen.getByTestId('address').textContent).toBe('/');
});

it('[R-2.upload-success.2] hides the orders from guests', async () => {
  await show(() => ({}), { isGuest: true });
  await button('Upload another');
  expect(screen.queryByRole('button', { name: 'Check orders' })).toBeNull();
});

it('shows the result when it is there', async () => {
  const onSee = vi.fn();
  await show(() => ({}), {}, onSee);
  fireEvent.click(await button('See the picture'));
  expect(onSee).toHaveBeenCalledOnce();
});

it('follows the conversion by asking where no events arrive, until it is done', async () => {
  // A browser, or a proxy in front of it, that blocks event streams.
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      onerror: (() => void) | null = null;
      constructor() {
        super();
        queueMicrotask(() => this.onerror?.());
      }
      close() {}
    },
  );
  let asked = 0;
  await show(() => {
    asked += 1;
    return asked < 2 ? { status: 0, step: 'depth', progress: 17, timeLeft: 12, finish_time: null } : {};
  });
  const bar = await screen.findByRole('progressbar');
  expect(bar.getAttribute('aria-valuetext')).toBe('17% Finding what is near and far');
  expect(screen.getByText('about 12 sec left')).toBeTruthy();
  await screen.findByRole('heading', { name: 'Your picture is ready' });
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});

it('[A29] says why it failed, and offers another try only where that can help', async () => {
  const message = 'This picture is damaged and cannot be opened.';
  await show(() => ({ status: 2, failure: { code: 'pictureDamaged', message } }));
  await screen.findByText(message);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
