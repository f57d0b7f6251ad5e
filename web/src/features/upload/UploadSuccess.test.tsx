// @vitest-environment happy-dom
import type { MediaDetail, User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { i18next } from '../../i18n/index.ts';
import { UploadDialogProvider } from '../../shared/upload-dialog.tsx';
import { aConfig } from '../../testing/config.ts';
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
  ground: null,
  pair: null,
  notes: [],
  strokes: 0,
  betterDepth: false,
  canUndo: false,
  canRedo: false,
  picture: null,
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

function Page({ who, onFinished }: { who: User; onFinished: () => void }) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(false);
  return begun ? (
    <UploadDialogProvider>
      <UploadSuccess id={ID} onFinished={onFinished} />
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

async function show(answer: () => Partial<MediaDetail>, who: Partial<User> = {}, onFinished = () => {}) {
  const sent = answerCalls(({ path }) => success(path === '/config' ? aConfig : { ...media, ...answer() }));
  await showPage(<Page who={{ ...user, ...who }} onFinished={onFinished} />);
  await i18next.loadNamespaces(['upload', 'depth', 'shell']);
  fireEvent.click(screen.getByRole('button', { name: 'sign in' }));
  return sent;
}
const button = (name: string) => screen.findByRole('button', { name });

afterEach(() => void vi.unstubAllGlobals());

/** Simulates a browser, or a proxy in front of it, that blocks event streams. */
function withoutEvents(): void {
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
}

it('[R-2.upload-success.1] [R-2.upload-success.2] [R-2.upload-success.3] leads a member on', async () => {
  await show(() => ({}));
  await button('Convert another photo');
  await button('Check orders');
  fireEvent.click(await button('Back to the home page'));
  expect(screen.getByTestId('address').textContent).toBe('/');
});

it('[R-2.upload-success.2] hides the orders from guests', async () => {
  await show(() => ({}), { isGuest: true });
  await button('Convert another photo');
  expect(screen.queryByRole('button', { name: 'Check orders' })).toBeNull();
});

it('opens the result as soon as it is finished, without asking [U6]', async () => {
  const onFinished = vi.fn();
  await show(() => ({}), {}, onFinished);
  await waitFor(() => expect(onFinished).toHaveBeenCalledOnce());
});

it('follows the conversion by asking where no events arrive, until it is done', async () => {
  withoutEvents();
  let asked = 0;
  const onFinished = vi.fn();
  const answer = () => {
    asked += 1;
    return asked < 2
      ? { status: 0 as const, step: 'depth' as const, progress: 17, timeLeft: 12, finish_time: null }
      : {};
  };
  await show(answer, {}, onFinished);
  const bar = await screen.findByRole('progressbar');
  expect(bar.getAttribute('aria-valuetext')).toBe('17% Working out what is near and far');
  expect(screen.getByText('about 12 sec left')).toBeTruthy();
  await waitFor(() => expect(onFinished).toHaveBeenCalledOnce());
});

it("shows the member's own picture, cropped, while it is converted [U5]", async () => {
  withoutEvents();
  const crop = { x: 75, y: 40, width: 150, height: 200 };
  await show(() => ({ status: 0, step: 'depth', progress: 17, finish_time: null, whole: '/whole.jpg', crop }));
  const picture = (await screen.findByRole('progressbar')).querySelector('img');
  expect(picture?.getAttribute('src')).toBe('/whole.jpg');
  expect(picture?.style).toMatchObject({ width: '200%', height: '200%', left: '-50%', top: '-20%' });
});

it('[A29] says why it failed, and offers another try only where that can help', async () => {
  const message = 'This picture is damaged and cannot be opened.';
  await show(() => ({ status: 2, failure: { code: 'pictureDamaged', message } }));
  await screen.findByText(message);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
