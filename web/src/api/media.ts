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
import {
  type InfiniteData,
  mutationOptions,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from './client.ts';
import { inParts } from './in-parts.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';
import { zone } from './zone.ts';

/** One media of the member. Pages show a failure themselves. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: ['media', id],
    queryFn: ({ signal }) => call('media', { params: { id }, signal }),
    meta: QUIET,
  });

export const isProcessing = (media: Pick<Media, 'status'>) => media.status === MEDIA_STATUS.processing;

/** True if converting the same upload again can succeed. */
export function retryHelps({ failure }: Pick<MediaDetail, 'failure'>): boolean {
  const code = failure?.code ?? '';
  return ERRORS[isErrorCode(code) ? code : 'conversionFailed'].handling === 'retry';
}

/** True while a video is being converted to an additional format. */
const isMaking = ({ film: video }: Pick<MediaDetail, 'film'>) =>
  video?.making.some(({ failure }) => failure === null) ?? false;

const POLL_MS = 2000;

/** Loads one media and keeps it up to date during its conversion: by server-sent events, or by polling without them. */
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
        // The final state is fetched by a call: the stream does not know the language for the failure message.
        if (isProcessing(media)) keepMedia(queries, media);
        else void queries.invalidateQueries({ queryKey: mediaQuery(id).queryKey });
      },
      onStreaming: setStreaming,
    });
  }, [id, processing, queries]);
  return query;
}

/** Like `useLiveMedia`, for many media at a time, by polling: a browser allows only six streams to one server. */
export function usePolledMedia(media: Media): Media {
  const { data } = useQuery({
    ...mediaQuery(media.id),
    enabled: isProcessing(media),
    refetchInterval: ({ state }) => (isProcessing(state.data ?? media) ? POLL_MS : false),
  });
  return data && isProcessing(media) ? { ...media, ...data } : media;
}

/** What a list of the member's media shows, and in which order. */
export type MediaFilter = Omit<SentInputOf<Api['videos']>, 'page'>;
export type MediaSort = NonNullable<MediaFilter['sort']>;

/** The member's media; without a filter all, newest first. */
export const mediaListQuery = (filter: MediaFilter = {}) =>
  paged(['videos', filter], (at, signal) => call('videos', { input: { ...filter, ...at }, signal }));

/** How many media a list has, by month in the time zone of this browser, and which kinds exist. */
export const mediaSummaryQuery = ({ sort: _, ...filter }: MediaFilter = {}) =>
  queryOptions({
    queryKey: ['videos', 'summary', filter],
    queryFn: ({ signal }) => call('videosSummary', { input: { ...filter, ...zone() }, signal }),
    meta: QUIET,
  });

/** Stores the media of a response in the query cache, where every page reads it. */
function keepMedia(queries: QueryClient, media: MediaDetail): void {
  queries.setQueryData(mediaQuery(media.id).queryKey, media);
}

/** Refreshes every list that shows media. */
async function refreshLists(queries: QueryClient): Promise<void> {
  await Promise.all(['videos', 'orders'].map((list) => queries.invalidateQueries({ queryKey: [list] })));
}

/** Refreshes everything that shows one of these media, or lists media. */
export async function refreshMany(queries: QueryClient, ids: readonly string[]): Promise<void> {
  for (const id of ids) void queries.invalidateQueries({ queryKey: mediaQuery(id).queryKey, refetchType: 'none' });
  for (const list of ['albums', 'album']) void queries.invalidateQueries({ queryKey: [list] });
  await refreshLists(queries);
}

/** Returns a mutation whose response is the updated media. */
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

/** Changes to a finished conversion that need no new upload; omitted fields keep their values. */
export type MediaChange = SentInputOf<Api['changeMedia']>;

export const changeMedia = (id: string) =>
  changing((change: MediaChange) => call('changeMedia', { params: { id }, input: change }));

export const paintMediaDepth = (id: string) =>
  changing((strokes: StrokeInput[]) => call('paintMediaDepth', { params: { id }, input: { strokes } }));

/**
 * The layers of a picture that is not uploaded, for its preview.
 * @param shown what is previewed: the picture and its crop
 * @param copy makes the small copy that is sent; null if this browser cannot
 */
export const depthPreviewQuery = (shown: string, copy: () => Promise<Blob | null>) =>
  queryOptions({
    queryKey: ['depthPreview', shown],
    queryFn: async ({ signal }) => {
      const file = await copy();
      if (!file) throw new Error('The picture cannot be drawn');
      return call('previewDepth', { file, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: QUIET,
  });

/** Replaces the depth map; its aspect ratio has to match the crop. */
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

/** Undoes `deleteMedia`; possible for one day. */
export const restoreMedia = mutationOptions({
  mutationFn: (id: string) => call('restoreMedia', { input: { id } }),
  onSuccess: async (media, _id, _result, { client }) => {
    keepMedia(client, media);
    await refreshLists(client);
  },
});

export const renameMedia = mutationOptions({
  mutationFn: ({ id, name }: { id: string; name: string }) => call('renameMedia', { input: { id, name } }),
  onSuccess: (_media, { id }, _result, { client }) => refreshMany(client, [id]),
  meta: QUIET,
});

type MediaPages = InfiniteData<{ readonly data: readonly Media[] }>;

/**
 * Takes media out of every list that is shown. Reading a long list again takes a call for each of its pages, for which
 * nobody waits.
 */
function takeOut(queries: QueryClient, ids: readonly string[]): void {
  const gone = new Set(ids);
  const without = (page: MediaPages['pages'][number]) => ({
    ...page,
    data: page.data.filter(({ id }) => !gone.has(id)),
  });
  queries.setQueriesData<MediaPages>(
    { queryKey: ['videos'], predicate: ({ state }) => Array.isArray((state.data as Partial<MediaPages>)?.pages) },
    (list) => list && { ...list, pages: list.pages.map(without) },
  );
}

/** Deletes media; see `inParts`. */
export const deleteManyMedia = mutationOptions({
  mutationFn: (ids: string[]) => inParts(ids, (part) => call('deleteManyMedia', { input: { media_ids: part } })),
  onSuccess: ({ done }, _ids, _result, { client }) => {
    takeOut(client, done);
    void refreshMany(client, done);
  },
});

/** Undoes `deleteManyMedia`; possible for one day. */
export const restoreManyMedia = mutationOptions({
  mutationFn: (ids: readonly string[]) =>
    inParts(ids, (part) => call('restoreManyMedia', { input: { media_ids: part } })),
  onSuccess: ({ done }, _ids, _result, { client }) => refreshMany(client, done),
});

/** Converts those again whose depth can be better; see `inParts`. */
export const improveManyMedia = mutationOptions({
  async mutationFn(ids: string[]) {
    const [started, others]: [string[], string[]] = [[], []];
    const { refusal } = await inParts(ids, async (part) => {
      const answer = await call('improveManyMedia', { input: { media_ids: part } });
      started.push(...answer.started);
      others.push(...answer.passed_over);
    });
    return { started, others, refusal };
  },
  onSuccess: (_, ids, _result, { client }) => refreshMany(client, ids),
});

/** Converts one again whose depth can be better, and follows it. */
export const improveMedia = mutationOptions({
  mutationFn: (id: string) => call('improveManyMedia', { input: { media_ids: [id] } }),
  onSuccess: async (_, id, _result, { client }) => {
    await client.invalidateQueries({ queryKey: mediaQuery(id).queryKey });
    await refreshLists(client);
  },
});

/** Requests the link to an archive, and tells which files have to be made first. */
export const mediaZip = (ids: string[], signal: AbortSignal) => call('zipMedia', { input: { media_ids: ids }, signal });

/**
 * Requests download links of a finished conversion: for one format, or for one archive of several. Generating a format
 * for the first time takes seconds.
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
  /** Called with whether events arrive. The caller polls while they do not. */
  readonly onStreaming: (streaming: boolean) => void;
}

/**
 * Subscribes to the progress of one conversion. The browser reconnects a broken connection; a refused one stays closed
 * and is reported as not streaming.
 * @returns a function that unsubscribes
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
