// @vitest-environment happy-dom
import type { Media, MediaDetail, User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { i18next } from '../../i18n/index.ts';
import { UploadDialogProvider } from '../../shared/upload-dialog.tsx';
import { aConfig } from '../../testing/config.ts';
import { aFrame, frameId } from '../../testing/frames.ts';
import { answerCalls, refusal, type SentCall, showPage, success, aMember as user } from '../../testing/page.tsx';
import { toasts } from '../../ui/toasts.ts';
import { ContentPage } from './ContentPage.tsx';

configure({ asyncUtilTimeout: 8000 });

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const picture = (n: number, changes: Partial<Media> = {}): Media => ({
  id: idOf(n),
  name: `picture ${n}.jpg`,
  status: 1,
  cover: `/api/media/${idOf(n)}/cover`,
  date: '2026-01-01T00:00:00Z',
  finish_time: '2026-01-01T00:00:10Z',
  type: 0,
  media_type: 1,
  device_type_id: 1,
  effect: 100,
  progress: 100,
  ...changes,
});

function Page({ who }: { who: User }) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(false);
  return begun ? (
    <UploadDialogProvider>
      <ContentPage />
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

const noSummary = { total: 3, months: [], types: [0], media_types: [1] };

/** Simulates the paged list; `pages` by their cursor, of which the one called `broken` fails. */
async function show(
  pages: Record<string, Media[]>,
  who: Partial<User> = {},
  summary: object = noSummary,
  detail: Partial<MediaDetail> = {},
) {
  const gone = new Set<string>();
  const cursors = Object.keys(pages);
  const sent = answerCalls(({ path, input }: SentCall) => {
    const { media_ids: ids = [] } = (input ?? {}) as { media_ids?: string[] };
    if (path === '/config') return success(aConfig);
    if (path === '/getDeviceType') return success([]);
    if (path === '/deleteManyMedia') for (const id of ids) gone.add(id);
    if (path === '/restoreManyMedia') for (const id of ids) gone.delete(id);
    if (path.startsWith('/videosSummary')) return success(summary);
    if (path.startsWith('/media/')) return success({ ...picture(1), ...detail });
    if (path === '/frames')
      return { body: { success: true, data: [aFrame(1), aFrame(2)], meta: { hasNext: false }, links: {} } };
    if (path === '/framesOfFriends') return success([]);
    if (path.endsWith('/items')) return success([]);
    if (path === '/showOnFrame') return success([{ frame: frameId(2), items: [] }]);
    if (path === '/renameMedia') return success(picture(1));
    if (!path.startsWith('/videos')) return success({ media_ids: ids });
    const cursor = new URLSearchParams(path.split('?')[1]).get('page') ?? 'first';
    if (cursor === 'broken') return refusal(500, 'systemError', 'Not now.');
    const next = cursors[cursors.indexOf(cursor) + 1];
    return {
      body: {
        success: true,
        data: (pages[cursor] ?? []).filter((one) => !gone.has(one.id)),
        meta: { hasNext: next !== undefined },
        links: { self: path, next: next ? `/api/videos?type=all&page=${next}` : null },
      },
    };
  });
  await showPage(<Page who={{ ...user, ...who }} />);
  await i18next.loadNamespaces(['content', 'shell']);
  fireEvent.click(screen.getByRole('button', { name: 'sign in' }));
  return sent;
}
const link = (n: number) => screen.findByRole('link', { name: `Open picture ${n}.jpg` });

describe('my content', () => {
  it('[R-2.videos.3] shows more on demand, and the keyboard goes on at the first new picture', async () => {
    await show({ first: [picture(1), picture(2)], second: [picture(3)] });
    await link(1);
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    const third = await link(3);
    await waitFor(() => expect(document.activeElement).toBe(third));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('goes on by itself after more was asked for once, as the end comes near, and stops at a failure', async () => {
    // The end is always near.
    const observers = new Set<Observer>();
    class Observer {
      readonly seen: (entries: { isIntersecting: boolean }[]) => void;
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        this.seen = seen;
        observers.add(this);
      }
      observe() {
        queueMicrotask(() => this.seen([{ isIntersecting: true }]));
      }
      disconnect() {
        observers.delete(this);
      }
    }
    vi.stubGlobal('IntersectionObserver', Observer);
    const pages = { first: [picture(1)], second: [picture(2)], third: [picture(3)], broken: [] };
    const sent = await show(pages);
    await link(1);
    const cursors = () => sent.map(({ path }) => path).filter((path) => /^\/videos(\?|$)/.test(path));
    expect(cursors()).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await link(3);
    const broken = () => cursors().filter((path) => path.includes('page=broken'));
    await waitFor(() => expect(broken()).toHaveLength(1));
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(screen.getByRole('button', { name: 'Show more' })).toHaveProperty('disabled', false);
    // It has failed: scrolling there again asks for nothing.
    for (const { seen } of observers) seen([{ isIntersecting: true }]);
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(broken()).toHaveLength(1);
  });

  it('tells when a conversion on the wall has ended, with a way to it [U20]', async () => {
    await show({ first: [picture(1, { status: 0, progress: 40, cover: null })] });
    await screen.findByText('Converting');
    await waitFor(() => expect(toasts.current()).toMatchObject([{ kind: 'success', text: 'picture 1.jpg is ready.' }]));
    const action = toasts.current()[0]?.action;
    act(() => action && 'run' in action && action.run());
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(`/result/${idOf(1)}`));
  });

  it('[R-2.videos.2] labels what is still processing and what failed', async () => {
    await show({
      first: [picture(1, { status: 0, progress: 40, cover: null }), picture(2, { status: 2, cover: null })],
    });
    await screen.findByRole('link', { name: /^Open picture 1.jpg.*Converting.*40%/ });
    await screen.findByRole('link', { name: /^Open picture 2.jpg.*Could not be converted/ });
  });

  it('tells who sent a picture by a link', async () => {
    await show({ first: [picture(1, { sent_by: 'Aunt Mia' }), picture(2)] });
    await screen.findByText('From Aunt Mia');
    expect(screen.getAllByText(/^From /)).toHaveLength(1);
  });

  it('shows a flat picture over the whole window in its own size, and its cover until that has come', async () => {
    const flat = picture(1, { effect: 0 });
    await show({ first: [flat] }, {}, noSummary, { effect: 0, preview: null, film: null, picture: '/colour.jpg' });
    await link(1);
    fireEvent.click(screen.getByRole('button', { name: 'Slideshow' }));
    const image = await screen.findByAltText('picture 1.jpg');
    await waitFor(() => expect(image.getAttribute('src')).toBe('/colour.jpg'));
    expect(image.style.getPropertyValue('--cover')).toContain(flat.cover);
  });

  it('[R-2.videos.1] asks for the chosen type', async () => {
    const sent = await show({ first: [picture(1)] });
    await link(1);
    fireEvent.click(screen.getByRole('combobox', { name: 'Kind' }));
    const list = await screen.findByRole('listbox', { name: 'Kind', hidden: true });
    const options = within(list).getAllByRole('option', { hidden: true });
    expect(options.map(({ textContent }) => textContent)).toEqual(['All', 'Uploaded', 'On-site shooting', 'Purchased']);
    fireEvent.click(options[3] as HTMLElement);
    await waitFor(() => expect(sent.some(({ path }) => path.includes('type=2'))).toBe(true));
  });

  it('offers the first conversion where there is nothing, and the tutorial, which it starts [R-1.feature-other.4]', async () => {
    await show({ first: [] });
    await screen.findByRole('heading', { name: 'Nothing here yet' });
    expect(screen.getByRole('button', { name: 'Convert a photo' })).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Show me how' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/home'));
    expect(localStorage.getItem(`guides-${user.id}`)).toContain('guideList');
    localStorage.clear();
  });

  it('leaves members with pictures alone with the tutorial', async () => {
    await show({ first: [picture(1)] });
    await link(1);
    expect(screen.queryByRole('button', { name: 'Show me how' })).toBeNull();
    expect(localStorage.getItem(`guides-${user.id}`)).toBeNull();
  });

  it('[R-1.member.10] deletes at once and takes it back on undo', async () => {
    await show({ first: [picture(1), picture(2)] });
    await link(1);
    fireEvent.click(screen.getByRole('button', { name: 'Actions for picture 1.jpg' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Open picture 1.jpg' })).toBeNull());
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await link(1);
  });

  it('keeps a guest on the one page of a guest, without a way to delete', async () => {
    await show({ first: [picture(1)] }, { isGuest: true });
    expect((await link(1)).getAttribute('href')).toBe(`/guestPage?media=${idOf(1)}`);
    expect(screen.queryByRole('button', { name: /^Actions/ })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  const names = () => screen.getAllByRole('checkbox', { checked: true }).map((box) => box.getAttribute('aria-label'));

  it('selects by box, by a range with Shift, by the space bar, all with Ctrl+A, and ends with Escape', async () => {
    await show({ first: [1, 2, 3, 4].map((n) => picture(n)), second: [picture(5)] });
    const second = await link(2);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select picture 2.jpg' }));
    expect(await screen.findByText('1 selected')).toBeTruthy();
    fireEvent.click(await link(4), { shiftKey: true });
    expect(names()).toEqual([2, 3, 4].map((n) => `Select picture ${n}.jpg`));
    fireEvent.keyDown(second, { key: ' ' });
    expect(names()).toEqual([3, 4].map((n) => `Select picture ${n}.jpg`));
    // A click on a picture selects while selecting, and opens nothing.
    fireEvent.click(second);
    expect(screen.getByTestId('address').textContent).toBe('/');
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await link(5);
    expect(screen.getByText('3 selected')).toBeTruthy();
    fireEvent.keyDown(second, { key: 'a', ctrlKey: true });
    expect(screen.getByText('5 selected')).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByRole('checkbox', { checked: true })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Selected pictures' })).toBeNull();
  });

  it('deletes the selected at once, and brings them all back with one undo', async () => {
    const sent = await show({ first: [1, 2, 3].map((n) => picture(n)) });
    const first = await link(1);
    fireEvent.keyDown(first, { key: ' ' });
    fireEvent.keyDown(await link(2), { key: ' ' });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    const undo = await screen.findByRole('button', { name: 'Undo' });
    // Without waiting for the list: a long one takes a call for each of its pages.
    expect(screen.queryByRole('link', { name: 'Open picture 2.jpg' })).toBeNull();
    fireEvent.click(undo);
    await link(2);
    const calls = sent.filter(({ path }) => path.endsWith('ManyMedia'));
    expect(calls.map(({ path, input }) => [path, input])).toEqual(
      ['/deleteManyMedia', '/restoreManyMedia'].map((path) => [path, { media_ids: [idOf(1), idOf(2)] }]),
    );
  });

  it('ends selecting once the selected are shown on a frame, but not where that was given up', async () => {
    const sent = await show({ first: [1, 2].map((n) => picture(n)) });
    fireEvent.keyDown(await link(1), { key: ' ' });
    const shown = () => sent.filter(({ path }) => path === '/showOnFrame').length;
    const open = async () => {
      fireEvent.click(await screen.findByRole('button', { name: 'Show on frame' }));
      return await screen.findByRole('dialog', { name: 'Show on frame' });
    };
    const close = async (dialog: HTMLElement) => {
      fireEvent.keyDown(dialog, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await close(await open());
    expect([shown(), names()]).toEqual([0, ['Select picture 1.jpg']]);
    const dialog = await open();
    fireEvent.click(await within(dialog).findByRole('checkbox', { name: 'Frame 2' }));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Show on 1 frame' }));
    await within(dialog).findByRole('button', { name: 'Done' });
    await close(dialog);
    expect(shown()).toBe(1);
    expect(screen.queryByRole('region', { name: 'Selected pictures' })).toBeNull();
  });

  it('gives the focus back to the card after a new name, and after Escape, but not where another control was pressed', async () => {
    const sent = await show({ first: [picture(1)] });
    const rename = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Actions for picture 1.jpg' }));
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }));
      return await screen.findByRole('textbox', { name: 'New name of picture 1.jpg' });
    };
    const gone = () => waitFor(() => expect(screen.queryByRole('textbox', { name: /^New name/ })).toBeNull());
    const card = await link(1);
    for (const key of ['Enter', 'Escape']) {
      const field = await rename();
      fireEvent.change(field, { target: { value: 'harbour' } });
      // What a key press does to the focused element comes after it: it must not open the card.
      expect(fireEvent.keyDown(field, { key })).toBe(false);
      await gone();
      expect(document.activeElement).toBe(card);
    }
    expect(sent.filter(({ path }) => path === '/renameMedia')).toHaveLength(1);
    await rename();
    const other = screen.getByRole('button', { name: 'Slideshow' });
    act(() => other.focus());
    await gone();
    expect(document.activeElement).toBe(other);
  });

  it('asks once for the pictures after those in the viewer, also if they cannot be loaded', async () => {
    const sent = await show({ first: [1, 2].map((n) => picture(n)), broken: [] });
    await link(1);
    fireEvent.click(screen.getByRole('button', { name: 'Slideshow' }));
    const asked = () => sent.filter(({ path }) => path.includes('page=broken')).length;
    await waitFor(() => expect(asked()).toBe(1));
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(asked()).toBe(1);
  });

  it('searches while it is typed, but not what an input method still composes [A103], and says that nothing was found', async () => {
    const sent = await show({ first: [] });
    const field = await screen.findByRole('searchbox', { name: 'Search by name' });
    fireEvent.compositionStart(field);
    fireEvent.input(field, { target: { value: 'たいわ' }, isComposing: true });
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.input(field, { target: { value: '台湾' } });
    fireEvent.compositionEnd(field);
    expect(await screen.findByText('Nothing called “台湾” was found.')).toBeTruthy();
    const searches = sent.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('search'));
    expect(new Set(searches.filter(Boolean))).toEqual(new Set(['台湾']));
    expect(screen.getByTestId('address').textContent).toContain(`q=${encodeURIComponent('台湾')}`);
    fireEvent.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1) as HTMLElement);
    await screen.findByRole('heading', { name: 'Nothing here yet' });
    expect(screen.getByTestId('address').textContent).toBe('/');
  });

  it('offers photos and videos as kinds only where both exist, and sorts', async () => {
    const both = { total: 1, months: [{ month: '2026-01', count: 1 }], types: [0], media_types: [0, 1] };
    const sent = await show({ first: [picture(1)] }, {}, both);
    expect(await screen.findByRole('heading', { name: /^January 2026 · 1$/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('combobox', { name: 'Kind' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Videos', hidden: true }));
    await waitFor(() => expect(sent.some(({ path }) => path.includes('media_type=0'))).toBe(true));
    fireEvent.click(screen.getByRole('combobox', { name: 'Sort' }));
    fireEvent.click(await screen.findByRole('option', { name: 'By name', hidden: true }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/?kind=videos&sort=name'));
    await waitFor(() => expect(screen.queryByRole('heading', { name: /January/ })).toBeNull());
  });
});
