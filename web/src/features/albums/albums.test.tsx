// @vitest-environment happy-dom
import type { Album } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { beginSession } from '../../api/session.ts';
import { aMember, answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { AlbumPage } from './AlbumPage.tsx';
import { AlbumsPage } from './AlbumsPage.tsx';

configure({ asyncUtilTimeout: 8000 });

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const album = (n: number, changes: Partial<Album> = {}): Album => ({
  id: idOf(n),
  name: `Album ${n}`,
  quantity: n,
  cover: `/api/media/${idOf(90 + n)}/cover`,
  cover_media_id: null,
  date: '2026-01-01T00:00:00Z',
  ...changes,
});
const media = (n: number) => ({
  id: idOf(50 + n),
  name: `picture ${n}.jpg`,
  status: 1,
  cover: null,
  date: '2026-01-01T00:00:00Z',
  finish_time: '2026-01-01T00:00:10Z',
  type: 0,
  media_type: 1,
  device_type_id: 1,
  effect: 100,
  progress: 100,
});
const list = (data: unknown[]) => ({
  body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } },
});

function Pages() {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(false);
  if (!begun)
    return (
      <button
        type="button"
        onClick={() => {
          beginSession(queries, aMember);
          setBegun(true);
        }}
      >
        sign in
      </button>
    );
  return (
    <>
      <Routes>
        <Route path="/album" element={<AlbumsPage />} />
        <Route
          path="/album/:id"
          element={<AlbumPage pictures={(id, empty) => <div data-testid={id}>{empty}</div>} />}
        />
      </Routes>
      <AlertHost />
    </>
  );
}

/** Simulates the server's albums, which the calls change. */
async function show(
  albums: Album[],
  at = '/album',
  refuse?: (call: SentCall) => ReturnType<typeof refusal> | undefined,
) {
  withoutMotion();
  const gone = new Map<string, Album>();
  let present = albums;
  const sent = answerCalls((call) => {
    const refused = refuse?.(call);
    if (refused) return refused;
    const { id = '', name = '', editType = '' } = (call.input ?? {}) as Record<string, string>;
    const one = present.find((candidate) => candidate.id === id);
    if (call.path.startsWith('/albums')) return list(present);
    if (call.path.startsWith('/videos')) return list([media(1), media(2)]);
    if (call.path === '/albumCreate') {
      const made = album(7, { name, quantity: 0, cover: null });
      present = [made, ...present];
      return success(made);
    }
    if (call.path === '/editToAlbum' && one && editType === 'rename') {
      present = present.map((candidate) => (candidate === one ? { ...one, name } : candidate));
    }
    if (call.path === '/deleteAlbum' && one) {
      gone.set(id, one);
      present = present.filter((candidate) => candidate !== one);
    }
    if (call.path === '/restoreAlbum') present = [...present, gone.get(id) as Album];
    const path = /^\/album\/(.+)$/.exec(call.path)?.[1];
    const found = present.find((candidate) => candidate.id === (path ?? id));
    if (path && !found) return refusal(404, 'albumNotFound', 'This album was not found.');
    return success(found ?? { id });
  });
  await showPage(<Pages />, at);
  fireEvent.click(screen.getByText('sign in'));
  return sent;
}

const dialog = () => screen.findByRole('dialog');

describe('the albums of a member', () => {
  it('are cards with name, image and quantity [R-2.album-card.1]', async () => {
    await show([album(1), album(2, { cover: null })]);
    const cards = within(await screen.findByRole('list')).getAllByRole('listitem');
    expect(cards.map((card) => card.textContent)).toEqual(['Album 11 image', 'Album 22 images']);
    expect(cards.map((card) => card.querySelector('img')?.getAttribute('src') ?? null)).toEqual([album(1).cover, null]);
    expect(cards.map((card) => card.querySelector('a')?.getAttribute('href'))).toEqual(
      [1, 2].map((n) => `/album/${idOf(n)}`),
    );
  });

  it('can be renamed, up to 30 characters, and a name that was refused is kept [R-2.album-card.2]', async () => {
    let tries = 0;
    const sent = await show([album(1)], '/album', ({ path }) =>
      path === '/editToAlbum' && tries++ === 0 ? refusal(503, 'systemBusy', 'The system is busy.') : undefined,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Rename Album 1' }));
    const field = within(await dialog()).getByLabelText('Album name') as HTMLInputElement;
    expect(field.value).toBe('Album 1');
    fireEvent.change(field, { target: { value: 'x'.repeat(31) } });
    expect(field.value).toBe('x'.repeat(30));
    fireEvent.change(field, { target: { value: 'Summer' } });
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent.filter(({ path }) => path === '/editToAlbum')).toHaveLength(1));
    await waitFor(async () =>
      expect((within(await dialog()).getByLabelText('Album name') as HTMLInputElement).value).toBe('Summer'),
    );
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Summer')).toBeTruthy();
    const last = sent.filter(({ path }) => path === '/editToAlbum').at(-1);
    expect(last?.input).toEqual({ id: idOf(1), editType: 'rename', name: 'Summer' });
  });

  it('can be deleted and brought back; it is said that the pictures stay [A32]', async () => {
    await show([album(1), album(2)]);
    fireEvent.click(await screen.findByRole('button', { name: 'Delete Album 1' }));
    expect(await screen.findByText('Album 1 was deleted. Its pictures are still in “My content”.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Rename Album 1' })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Rename Album 1' })).toBeTruthy();
  });

  it('are none at first; a new one is named and opened', async () => {
    const sent = await show([]);
    expect(await screen.findByText('No albums yet')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'New album' }));
    fireEvent.change(within(await dialog()).getByLabelText('Album name'), { target: { value: ' Trips ' } });
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Create' }));
    expect(await screen.findByRole('heading', { name: 'Trips', level: 1 })).toBeTruthy();
    expect(sent.find(({ path }) => path === '/albumCreate')?.input).toEqual({ name: 'Trips' });
    expect(screen.getByTestId('address').textContent).toBe(`/album/${idOf(7)}`);
    expect(screen.getByText('This album is empty')).toBeTruthy();
  });

  it('say when they could not be loaded, and load when asked again', async () => {
    let broken = true;
    await show([album(1)], '/album', ({ path }) =>
      broken && path.startsWith('/albums') ? refusal(500, 'internal', 'Something went wrong.') : undefined,
    );
    const retry = await screen.findByRole('button', { name: 'Try again' });
    broken = false;
    fireEvent.click(retry);
    expect(await screen.findByText('Album 1')).toBeTruthy();
  });
});

describe('one album', () => {
  it('takes the pictures that are chosen for it', async () => {
    const sent = await show([album(1, { quantity: 0, cover: null })], `/album/${idOf(1)}`);
    fireEvent.click(await screen.findByRole('button', { name: 'Add pictures' }));
    const add = () => within(screen.getByRole('dialog')).getByRole('button', { name: /^Add \(/ });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'picture 1.jpg' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'picture 2.jpg' }));
    expect(add().textContent).toBe('Add (2)');
    fireEvent.click(screen.getByRole('checkbox', { name: 'picture 1.jpg' }));
    fireEvent.click(add());
    expect(await screen.findByText('1 picture added')).toBeTruthy();
    expect(sent.find(({ path }) => path === '/editToAlbum')?.input).toEqual({
      id: idOf(1),
      editType: 'add',
      media_ids: [media(2).id],
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('of a product bears the name of its store, and cannot be renamed, deleted or filled', async () => {
    const product = { id: 5, name: 'Lanterns', store: 'Paper Moon' };
    const bought = album(3, { name: 'Lanterns', product });
    await show([bought, album(1)]);
    const card = (await screen.findByText('Lanterns')).closest('li') as HTMLElement;
    expect(within(card).getByText('From Paper Moon')).toBeTruthy();
    expect(within(card).queryAllByRole('button')).toEqual([]);
    expect(screen.getByRole('button', { name: 'Rename Album 1' })).toBeTruthy();
    fireEvent.click(within(card).getByRole('link'));
    expect(await screen.findByText('From Paper Moon · 3 images')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'In the store' }).getAttribute('href')).toBe('/store?product=5');
    for (const name of ['Add pictures', 'Rename Lanterns', 'Delete Lanterns'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('that is gone says so and leads back', async () => {
    await show([], `/album/${idOf(4)}`);
    expect(await screen.findByText('This album was not found. It may have been deleted.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Albums' }).getAttribute('href')).toBe('/album');
  });
});
