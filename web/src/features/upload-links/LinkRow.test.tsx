// @vitest-environment happy-dom
import type { UploadLink } from '@framelift/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { showPage } from '../../testing/page.tsx';
import { LinkRow } from './LinkRow.tsx';

const link: UploadLink = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Grandma',
  url: 'http://frames.home/send/abc',
  device_type_id: 1,
  max_uploads: 20,
  received: 3,
  date: '2026-11-01T00:00:00Z',
  expires_at: '2099-01-01T00:00:00Z',
  state: 'open',
};

it('copies the link also where there is no clipboard, as over plain HTTP, and selects it where the browser refuses', async () => {
  const selected: string[] = [];
  const execCommand = vi.fn(() => {
    selected.push(String(getSelection()));
    return selected.length === 1;
  });
  Object.assign(document, { execCommand });
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  try {
    await showPage(<LinkRow link={link} onGone={() => {}} />);
    await i18next.loadNamespaces('links');
    const copy = await screen.findByRole('button', { name: /^Copy/ });
    fireEvent.click(copy);
    await screen.findByText('The link is on your clipboard.');
    fireEvent.click(copy);
    await screen.findByText('Your browser does not allow copying. Select the link and copy it yourself.');
    expect(execCommand.mock.calls).toEqual([['copy'], ['copy']]);
    expect(selected).toEqual([link.url, link.url]);
  } finally {
    Reflect.deleteProperty(document, 'execCommand');
    vi.restoreAllMocks();
  }
});
