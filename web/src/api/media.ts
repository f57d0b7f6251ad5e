import {
  type Api,
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
import { mutationOptions, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** One picture or video of the member. Pages show a failure themselves. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: ['media', id],
    queryFn: ({ signal }) => call('media', { params: { id }, signal }),
    meta: QUIET,
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

/** One media, kept up to date while it is converted: by server-sent events, and by polling where those do not arrive. */
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
        // The end is fetched by a call: a stream does not know the reader's language, and a failure has a sentence.
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

/** The member's pictures and videos, newest first. */
export const mediaListQuery = (type: MediaListType, album?: string) =>
  paged(['videos', type, album ?? null], (at, signal) =>
    call('videos', { input: { type, ...(album !== undefined && { album }), ...at }, signal }),
  );

/** Stores the answer of a call where every page sees it. */
function keepMedia(queries: QueryClient, media: MediaDetail): void {
  queries.setQueryData(mediaQuery(media.id).queryKey, media);
}

/** Every list that shows pictures and videos. */
async function refreshLists(queries: QueryClient): Promise<void> {
  await Promise.all(['videos', 'orders'].map((list) => queries.invalidateQueries({ queryKey: [list] })));
}

/** A change whose answer is the media as it is now. */
const changing = <V>(mutationFn: (variables: V) => Promise<MediaDetail>) =>
  mutationOptions({
    mutationFn,
    onSuccess: (media, _variables, _result, { client }) => keepMedia(client, media),
  });

export const cancelMedia = changing((id: string) => call('cancelMedia', { input: { id } }));

export const retryMedia = mutationOptions({
  mutationFn: (id: string) => call('retryMedia', { input: { id } }),
  onSuccess: (media, _id, _result, { client }) => {
    keepMedia(client, media);
    void refreshLists(client);
  },
});

/** What can be changed of a finished conversion without a new upload; what is left out stays. */
export type MediaChange = SentInputOf<Api['changeMedia']>;

export const changeMedia = (id: string) =>
  changing((change: MediaChange) => call('changeMedia', { params: { id }, input: change }));

export const paintMediaDepth = (id: string) =>
  changing((strokes: StrokeInput[]) => call('paintMediaDepth', { params: { id }, input: { strokes } }));

/** Takes a depth map of the crop's proportions. */
export const setMediaDepth = (id: string) => changing((file: File) => call('setMediaDepth', { params: { id }, file }));

export const undoMediaChange = changing((id: string) => call('undoMediaChange', { params: { id } }));
export const redoMediaChange = changing((id: string) => call('redoMediaChange', { params: { id } }));

export const deleteMedia = mutationOptions({
  mutationFn: (id: string) => call('deleteMedia', { input: { id } }),
  onSuccess: async (_, id, _result, { client }) => {
    void client.invalidateQueries({ queryKey: mediaQuery(id).queryKey, refetchType: 'none' });
    await refreshLists(client);
  },
});

/** Undoes `deleteMedia`; possible for a day. */
export const restoreMedia = mutationOptions({
  mutationFn: (id: string) => call('restoreMedia', { input: { id } }),
  onSuccess: async (media, _id, _result, { client }) => {
    keepMedia(client, media);
    await refreshLists(client);
  },
});

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

interface MediaWatcher {
  readonly onMedia: (media: MediaDetail) => void;
  /** Whether events arrive now. While they do not, the caller polls. */
  readonly onStreaming: (streaming: boolean) => void;
}

/**
 * Listens to the progress of one conversion. A broken connection is opened again by the browser; a refused one stays
 * closed and is reported as not streaming.
 * @returns a function that stops listening
 */
function watchMedia(id: string, { onMedia, onStreaming }: MediaWatcher): () => void {
  const source = new EventSource(`/api/media/${encodeURIComponent(id)}/events`);
  source.addEventListener('media', (event: MessageEvent<string>) => {
    onStreaming(true);
    onMedia(JSON.parse(event.data) as MediaDetail);
  });
  source.onerror = () => onStreaming(false);
  return () => {
    source.close();
    onStreaming(false);
  };
}
