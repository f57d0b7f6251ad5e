// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setLanguage } from '../../i18n/index.ts';
import { answerNamed, showPage } from '../../testing/page.tsx';
import { DepthPreview } from './DepthPreview.tsx';

it('the focus stays with the preview when its button gives way to what becomes of it', async () => {
  answerNamed({});
  const size = { width: 400, height: 300 };
  const source = { picture: 'a', url: 'blob:none', size, rect: { x: 0, y: 0, ...size }, ground: null };
  await showPage(<DepthPreview source={source} percent={50} device={undefined} stopped={false} />);
  await act(() => setLanguage('en'));
  const ask = await screen.findByRole('button', { name: 'Preview your photo in 3D' });
  ask.focus();
  fireEvent.click(ask);
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBeNull();
  // This browser cannot draw.
  const failed = await screen.findByText('Preview not available. You can still convert the photo.');
  expect(ask.isConnected).toBe(false);
  expect(document.activeElement).toBe(failed.parentElement);
});
