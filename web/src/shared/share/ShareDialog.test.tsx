// @vitest-environment happy-dom
import { MEDIA_TYPE, type Share } from '@framelift/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, refusal, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { ShareButton } from './ShareButton.tsx';

const media = { id: '00000000-0000-4000-8000-000000000001', name: 'shop.jpg', media_type: MEDIA_TYPE.picture };
const link: Share = {
  id: '00000000-0000-4000-8000-000000000002',
  media_id: media.id,
  name: media.name,
  cover: null,
  media_type: media.media_type,
  size: { width: 300, height: 400 },
  url: 'https://example.org/s/abc',
  embed: 'https://example.org/embed/abc',
  created_at: '2026-03-01T02:00:00.000Z',
  expires_at: null,
  expired: false,
  download: false,
  views: 3,
};

/** Simulates the server with at most one link. `failures`: how often it cannot be looked up: the dialog asks twice. */
async function show(options: { share?: Share; failures?: number } = {}) {
  withoutMotion();
  let share: Share | null = options.share ?? null;
  let failures = options.failures ?? 0;
  const sent = answerCalls(({ path, input }) => {
    if (path.startsWith('/shares')) {
      if (failures-- > 0) return refusal(500, 'internal', 'Something failed.');
      const data = share ? [share] : [];
      return { body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } } };
    }
    if (path === '/shareMedia') share = link;
    if (path === '/changeShare') share = { ...(share ?? link), ...(input as Partial<Share>) };
    if (path === '/revokeShare') {
      share = null;
      return success({ id: link.id });
    }
    if (path === '/restoreShare') share = link;
    return success(share);
  });
  await showPage(
    <LoggedIn>
      <ShareButton media={media} />
    </LoggedIn>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Share' }));
  await screen.findByRole('dialog', { name: 'Share by link' });
  const changes = () => sent.filter(({ path }) => path === '/changeShare').map(({ input }) => input);
  return { sent, changes };
}

describe('the dialog of a public link', () => {
  it('makes a link only when it is asked to, and shows one that there is', async () => {
    const { sent } = await show();
    expect(screen.queryByLabelText('Link')).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: 'Make a link' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Link')).value).toBe(link.url);
    expect(screen.getByText('Opened 3 times.')).toBeTruthy();
    expect(sent.filter(({ path }) => path === '/shareMedia')).toHaveLength(1);
  });

  it('says that the link could not be looked up, and asks again', async () => {
    await show({ share: link, failures: 2 });
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Link')).value).toBe(link.url);
  });

  it('lets it end after a week, at the end of a day, or never', async () => {
    const { changes } = await show({ share: link });
    const choose = async (option: string) => {
      fireEvent.click(await screen.findByRole('combobox', { name: 'The link works' }));
      fireEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
    };
    await choose('for a week');
    await waitFor(() => expect(changes()).toHaveLength(1));
    const { expires_at } = changes()[0] as { expires_at: string };
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
    await choose('until a certain day');
    fireEvent.change(await screen.findByLabelText('Last day'), { target: { value: '2099-12-31' } });
    await waitFor(() => expect(changes()).toHaveLength(2));
    const end = new Date(2099, 11, 31, 23, 59, 59, 999).toISOString();
    expect(changes()[1]).toEqual({ id: link.id, expires_at: end });
    await choose('until you stop it');
    await waitFor(() => expect(changes()[2]).toEqual({ id: link.id, expires_at: null }));
  });

  it('hands the link to the apps of the phone where it can, and copies it where the browser refuses the clipboard', async () => {
    const share = vi.fn(async () => {});
    const execCommand = vi.fn(() => true);
    Object.assign(navigator, { share });
    Object.assign(document, { execCommand });
    try {
      await show({ share: link });
      fireEvent.click(await screen.findByRole('button', { name: 'Send it' }));
      expect(share).toHaveBeenCalledWith({ title: 'shop', url: link.url });
      vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
      fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
      await waitFor(() => expect(execCommand).toHaveBeenCalledWith('copy'));
      expect(document.activeElement).toBe(screen.getByLabelText('Link'));
      expect(await screen.findByText('Link copied')).toBeTruthy();
    } finally {
      Reflect.deleteProperty(navigator, 'share');
      Reflect.deleteProperty(document, 'execCommand');
    }
  });

  it('stops sharing at once, and takes it back by undo', async () => {
    const { sent } = await show({ share: link });
    fireEvent.click(await screen.findByRole('button', { name: 'Stop sharing' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The link works again.')).toBeTruthy();
    expect(sent.map(({ path }) => path)).toEqual(expect.arrayContaining(['/revokeShare', '/restoreShare']));
  });
});
