// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { setLanguage } from '../../i18n/index.ts';
import { answerNamed, showPage } from '../../testing/page.tsx';
import { DepthPreview } from './DepthPreview.tsx';

const size = { width: 400, height: 300 };
const source = { picture: 'a', url: 'blob:none', size, rect: { x: 0, y: 0, ...size }, ground: null };

afterEach(() => vi.restoreAllMocks());

it('the focus stays with the preview when its button gives way to what becomes of it', async () => {
  answerNamed({});
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

/** A photo whose upload begins and fails at a press. */
function Uploading() {
  const [stopped, setStopped] = useState(false);
  return (
    <>
      <DepthPreview source={source} percent={50} device={undefined} stopped={stopped} />
      <button type="button" onClick={() => setStopped(!stopped)}>
        Upload
      </button>
    </>
  );
}

it('an upload stops the preview, which does not start again by itself when the upload fails', async () => {
  // A picture that takes long to open: the preview is on its way.
  const opened = vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(new Promise(() => {}));
  answerNamed({});
  await showPage(<Uploading />);
  await act(() => setLanguage('en'));
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
  await press('Preview your photo in 3D');
  expect(screen.getByRole('progressbar')).toBeTruthy();
  await press('Upload');
  await press('Upload');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('button', { name: 'Preview your photo in 3D' })).toBeTruthy();
  expect(opened).toHaveBeenCalledTimes(1);
});
