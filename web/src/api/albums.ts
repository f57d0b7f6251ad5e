import type { Album } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { inParts } from './in-parts.ts';
import { allPages, paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** The member's albums, newest first. */
export const albumListQuery = paged(['albums'], (at, signal) => call('albums', { input: at, signal }));

/** All albums, for choosing one. A member has 200 at most. */
export const allAlbumsQuery = queryOptions({
  queryKey: ['albums', 'all'],
  queryFn: ({ signal }) => allPages<Album>((at) => call('albums', { input: at, signal })),
  staleTime: 0,
});

export const albumQuery = (id: string) =>
  queryOptions({
    queryKey: ['album', id],
    queryFn: ({ signal }) => call('album', { params: { id }, signal }),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** After a change of one album: refreshes the album, the list of albums and the media lists that show its content. */
async function refresh(client: QueryClient, id: string): Promise<void> {
  await Promise.all(
    [albumListQuery.queryKey, albumQuery(id).queryKey, ['videos']].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );
}

export const createAlbum = mutationOptions({
  mutationFn: (name: string) => call('albumCreate', { input: { name } }),
  onSuccess: (album, _name, _result, { client }) => {
    client.setQueryData(albumQuery(album.id).queryKey, album);
    void client.invalidateQueries({ queryKey: albumListQuery.queryKey });
  },
});

export const renameAlbum = mutationOptions({
  mutationFn: ({ id, name }: { id: string; name: string }) =>
    call('editToAlbum', { input: { id, editType: 'rename', name } }),
  onSuccess: (_album, { id }, _result, { client }) => refresh(client, id),
});

/** Adds media to an album or removes them from it; see `inParts`. */
const changeContent = (editType: 'add' | 'delete') =>
  mutationOptions({
    mutationFn: ({ id, mediaIds }: { id: string; mediaIds: readonly string[] }) =>
      inParts(mediaIds, (part) => call('editToAlbum', { input: { id, editType, media_ids: part } })),
    onSuccess: (_done, { id }, _result, { client }) => refresh(client, id),
  });
export const addToAlbum = changeContent('add');
export const removeFromAlbum = changeContent('delete');

/** Chooses the picture that stands for the album. */
export const chooseCover = mutationOptions({
  mutationFn: ({ id, mediaId }: { id: string; mediaId: string }) =>
    call('editToAlbum', { input: { id, editType: 'cover', media_id: mediaId } }),
  onSuccess: (_album, { id }, _result, { client }) => refresh(client, id),
});

/** Deletes the album; its media remain. */
export const deleteAlbum = mutationOptions({
  mutationFn: (id: string) => call('deleteAlbum', { input: { id } }),
  onSuccess: async (_, id, _result, { client }) => {
    void client.invalidateQueries({ queryKey: albumQuery(id).queryKey, refetchType: 'none' });
    await client.invalidateQueries({ queryKey: albumListQuery.queryKey });
  },
});

/** Undoes `deleteAlbum`; possible for one day. */
export const restoreAlbum = mutationOptions({
  mutationFn: (id: string) => call('restoreAlbum', { input: { id } }),
  onSuccess: (_, id, _result, { client }) => refresh(client, id),
});
