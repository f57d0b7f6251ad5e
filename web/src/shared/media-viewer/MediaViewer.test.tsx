// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { answerCalls, refusal, showPage } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { showAlert } from '../../ui/alerts.ts';
import { MediaViewer } from './MediaViewer.tsx';

beforeAll(() => import('../../ui/AlertModal.tsx'), 60_000);

it('stays below an alert, of which Escape closes the alert alone', async () => {
  answerCalls(() => refusal(503, 'systemError', 'Not now.'));
  await i18next.loadNamespaces('viewer');
  const onClosed = vi.fn();
  const media = { id: 'a', name: 'crane.jpg', status: 1, cover: null, type: 0, media_type: 1 } as const;
  const whole = { ...media, date: '', finish_time: null, device_type_id: 1, effect: 100, progress: 100 };
  await showPage(
    <>
      <MediaViewer items={[whole]} total={1} start="a" onClosed={onClosed} />
      <AlertHost />
    </>,
  );
  await screen.findByRole('dialog', { name: /crane/ });
  await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
  const answered = showAlert({ title: 'a word', content: 'text' });
  const alert = await screen.findByRole('dialog', { name: 'a word' });
  await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(2));
  fireEvent.keyDown(alert, { key: 'Escape' });
  expect((await answered).button).toBeNull();
  await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
  expect(onClosed).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByRole('dialog', { name: /crane/ }), { key: 'Escape' });
  await waitFor(() => expect(onClosed).toHaveBeenCalledWith('a'));
});
