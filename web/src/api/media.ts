import {
  type api,
  type DownloadFormat,
  ERRORS,
  type FileOptions,
  isErrorCode,
  MEDIA_STATUS,
  type Media,
  type MediaDetail,
  type SentInputOf,
  type StrokeInput,
} from '@framelift/contract';
import { infiniteQueryOptions, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from './client.ts';
import { watchMedia } from './media-events.ts';

/** One picture or video of one's own. Pages show its failure themselves. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: ['media', id],
    queryFn: ({ signal }) => call('media', { params: { id }, signal }),
    meta: { quiet: true },
  });

export const isProcessing = (media: Pick<Media, 'status'>) => media.status === MEDIA_STATUS.processing;

/** Whether converting the same upload again can succeed where it failed. */
export function retryHelps({ failure }: Pick<MediaDetail, 'failure'>): boolean {
  const code = failure?.code ?? '';
  return ERRORS[isErrorCode(code) ? code : 'conversionFailed'].handling === 'retry';
}

/** Whether a video is being made in another format than its own. */
const isMaking = ({ film: video }: Pick<MediaDetail, 'film'>) =>
  video?.making.some(({ failure }) => failure === null) ?? false;

const POLL_MS = 2000;

/** One media, kept up to date while it is converted: by server-sent events, and by asking where those do not arrive. */
export function useLiveMedia(id: string) {
  const queries = useQueryClient();
  const [streaming, setStreaming] = useState(false);
  const query = useQuery({
    ...mediaQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data && ((isProcessing(data) && !streaming) || isMaking(data)) ? POLL_MS : false,
  });

  const processing = query.data !== undefined && isProcessing(query.data);
  useEffect(() => {
    if (!processing) return;
    return watchMedia(id, {
      onMedia: (media) => {
        // The end is asked for by a call: a stream cannot ask for the reader's language, and a failure has a sentence.
        if (isProcessing(media)) keepMedia(queries, media);
        else void queries.invalidateQueries({ queryKey: mediaQuery(id).queryKey });
      },
      onStreaming: setStreaming,
    });
  }, [id, processing, queries]);
  return query;
}

/** Like `useLiveMedia`, for many at a time: a browser holds only six streams to one server. */
export function usePolledMedia(media: Media): Media {
  const { data } = useQuery({
    ...mediaQuery(media.id),
    enabled: isProcessing(media),
    refetchInterval: ({ state }) => (isProcessing(state.data ?? media) ? POLL_MS : false),
  });
  return data && isProcessing(media) ? { ...media, ...data } : media;
}

export type MediaListType = 'all' | '0' | '1' | '2';

/** One's own pictures and videos, newest first, a page at a time. */
export const mediaListQuery = (type: MediaListType, album?: string) =>
  infiniteQueryOptions({
    queryKey: ['videos', type, album ?? null],
    queryFn: ({ pageParam, signal }) =>
      call('videos', {
        input: { type, ...(album !== undefined && { album }), ...(pageParam !== null && { page: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => cursorOf(page.next),
    // What was converted meanwhile must be there on every visit.
    refetchOnMount: 'always',
    meta: { quiet: true },
  });

/** The keyset position in the address of the next page. */
export function cursorOf(next: string | null): string | null {
  return next && new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('page');
}

/** Puts what a call answered where every page sees it. */
export function keepMedia(queries: QueryClient, media: MediaDetail): void {
  queries.setQueryData(mediaQuery(media.id).queryKey, media);
}

/** Every list that shows pictures and videos. */
async function refreshLists(queries: QueryClient): Promise<void> {
  await Promise.all(['videos', 'orders'].map((list) => queries.invalidateQueries({ queryKey: [list] })));
}

export async function cancelMedia(queries: QueryClient, id: string): Promise<void> {
  keepMedia(queries, await call('cancelMedia', { input: { id } }));
}

export async function retryMedia(queries: QueryClient, id: string): Promise<void> {
  keepMedia(queries, await call('retryMedia', { input: { id } }));
  void refreshLists(queries);
}

/** What can be changed of a finished conversion without a new upload; what is left out stays. */
export type MediaChange = SentInputOf<typeof api.changeMedia>;

export async function changeMedia(queries: QueryClient, id: string, change: MediaChange): Promise<void> {
  keepMedia(queries, await call('changeMedia', { params: { id }, input: change }));
}

export async function paintMediaDepth(queries: QueryClient, id: string, strokes: StrokeInput[]): Promise<void> {
  keepMedia(queries, await call('paintMediaDepth', { params: { id }, input: { strokes } }));
}

/** @param file a depth map of the crop's proportions */
export async function setMediaDepth(queries: QueryClient, id: string, file: File): Promise<void> {
  keepMedia(queries, await call('setMediaDepth', { params: { id }, file }));
}

export async function undoMediaChange(queries: QueryClient, id: string): Promise<void> {
  keepMedia(queries, await call('undoMediaChange', { params: { id } }));
}

export async function redoMediaChange(queries: QueryClient, id: string): Promise<void> {
  keepMedia(queries, await call('redoMediaChange', { params: { id } }));
}

export async function deleteMedia(queries: QueryClient, id: string): Promise<void> {
  await call('deleteMedia', { input: { id } });
  void queries.invalidateQueries({ queryKey: mediaQuery(id).queryKey, refetchType: 'none' });
  await refreshLists(queries);
}

/** Undoes `deleteMedia`; possible for a day. */
export async function restoreMedia(queries: QueryClient, id: string): Promise<void> {
  keepMedia(queries, await call('restoreMedia', { input: { id } }));
  await refreshLists(queries);
}

/**
 * Addresses of a finished conversion's files: of one format, or of one archive of several. Making what was never asked
 * for takes seconds.
 */
export function mediaLinks(
  id: string,
  formats: readonly DownloadFormat[],
  options: FileOptions = {},
  signal?: AbortSignal,
) {
  const [format, ...more] = formats;
  const what = more.length > 0 ? { zip: formats.filter((one) => one !== 'original') } : format ? { format } : {};
  return call('getMediaLink', { input: { id, ...what, ...options }, ...(signal && { signal }) });
}
