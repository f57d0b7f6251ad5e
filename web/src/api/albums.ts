import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { cursorOf } from './media.ts';

/** One's own albums, newest first, a page at a time. */
export const albumListQuery = infiniteQueryOptions({
  queryKey: ['albums'],
  queryFn: ({ pageParam, signal }) => call('albums', { input: pageParam === null ? {} : { page: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => cursorOf(page.next),
  // Covers and quantities change with the pictures.
  refetchOnMount: 'always',
  meta: { quiet: true },
});

export const albumQuery = (id: string) =>
  queryOptions({
    queryKey: ['album', id],
    queryFn: ({ signal }) => call('album', { params: { id }, signal }),
    refetchOnMount: 'always',
    meta: { quiet: true },
  });

/** After a change of one album: it, the list of all, and the lists of pictures that show what lies in it. */
async function refresh(queries: QueryClient, id: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: albumListQuery.queryKey }),
    queries.invalidateQueries({ queryKey: albumQuery(id).queryKey }),
    queries.invalidateQueries({ queryKey: ['videos'] }),
  ]);
}

export async function createAlbum(queries: QueryClient, name: string) {
  const album = await call('albumCreate', { input: { name } });
  queries.setQueryData(albumQuery(album.id).queryKey, album);
  void queries.invalidateQueries({ queryKey: albumListQuery.queryKey });
  return album;
}

export async function renameAlbum(queries: QueryClient, id: string, name: string): Promise<void> {
  await call('editToAlbum', { input: { id, editType: 'rename', name } });
  await refresh(queries, id);
}

export async function putIntoAlbum(queries: QueryClient, id: string, mediaIds: string[]): Promise<void> {
  await call('editToAlbum', { input: { id, editType: 'add', media_ids: mediaIds } });
  await refresh(queries, id);
}

export async function takeFromAlbum(queries: QueryClient, id: string, mediaIds: string[]): Promise<void> {
  await call('editToAlbum', { input: { id, editType: 'delete', media_ids: mediaIds } });
  await refresh(queries, id);
}

/** Its pictures stay. */
export async function deleteAlbum(queries: QueryClient, id: string): Promise<void> {
  await call('deleteAlbum', { input: { id } });
  void queries.invalidateQueries({ queryKey: albumQuery(id).queryKey, refetchType: 'none' });
  await queries.invalidateQueries({ queryKey: albumListQuery.queryKey });
}

/** Undoes `deleteAlbum`; possible for a day. */
export async function restoreAlbum(queries: QueryClient, id: string): Promise<void> {
  await call('restoreAlbum', { input: { id } });
  await refresh(queries, id);
}
