import type { Api, SentInputOf, Share } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** The member's public links, newest first. */
export const shareListQuery = paged(['shares'], (at, signal) => call('shares', { input: at, signal }));

/** The public link of one media; null if there is none. */
export const shareOfQuery = (mediaId: string) =>
  queryOptions({
    queryKey: ['share-of', mediaId],
    queryFn: async ({ signal }) => (await call('shares', { input: { media: mediaId }, signal })).data[0] ?? null,
    refetchOnMount: 'always',
    meta: QUIET,
  });

function keep(client: QueryClient, mediaId: string, share: Share | null): void {
  client.setQueryData(shareOfQuery(mediaId).queryKey, share);
  void client.invalidateQueries({ queryKey: shareListQuery.queryKey });
}

/** Makes the public link of a media, or returns the one it has. */
export const shareMedia = mutationOptions({
  mutationFn: (id: string) => call('shareMedia', { input: { id } }),
  onSuccess: (share, _id, _result, { client }) => keep(client, share.media_id, share),
});

export const changeShare = mutationOptions({
  mutationFn: (change: SentInputOf<Api['changeShare']>) => call('changeShare', { input: change }),
  onSuccess: (share, _change, _result, { client }) => keep(client, share.media_id, share),
});

export const revokeShare = mutationOptions({
  mutationFn: ({ id }: Share) => call('revokeShare', { input: { id } }),
  onSuccess: (_answer, { media_id }, _result, { client }) => keep(client, media_id, null),
});

/** Undoes `revokeShare`; possible for one day. */
export const restoreShare = mutationOptions({
  mutationFn: ({ id }: Share) => call('restoreShare', { input: { id } }),
  onSuccess: (share, _share, _result, { client }) => keep(client, share.media_id, share),
});

/** What a public link shows. Asked once for each visit, because the server counts the visits. */
export const sharedMediaQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => call('sharedMedia', { params: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: QUIET,
  });
