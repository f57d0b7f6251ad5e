import type { Language, LiveEvent, LiveSession } from '@framelift/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { allPages, paged } from './paged.ts';
import { QUIET } from './query-client.ts';

// The server answers in the caller's language, so every query is one of a language.

const LIVE = 'live';

/** The events that run or are to come, the earliest first. */
export const liveEventsQuery = (language: Language) =>
  paged([LIVE, 'next', language], (at, signal) => call('liveEvents', { input: at, signal }));

/** The events of a month in Taipei, `2026-11`. */
export const monthEventsQuery = (language: Language, month: string) =>
  queryOptions({
    queryKey: [LIVE, 'month', month, language],
    queryFn: ({ signal }) => allPages((at) => call('liveEvents', { input: { ...at, month }, signal })),
    staleTime: 5 * 60_000,
    meta: QUIET,
  });

export const liveEventQuery = (language: Language, id: string) =>
  queryOptions({
    queryKey: [LIVE, 'event', id, language],
    queryFn: ({ signal }) => call('liveEvent', { params: { event_id: id }, signal }),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** Whether another year of birth may be entered, and when. */
export const liveAccessQuery = queryOptions({
  queryKey: [LIVE, 'access'],
  queryFn: ({ signal }) => call('liveAccess', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

/** Begins to watch an event. */
export const startLive = (event_id: LiveEvent['id']) => call('watchLive', { input: { event_id } });

export const confirmAge = mutationOptions({
  mutationFn: (input: { birth_year: number; had_birthday: boolean }) => call('confirmAge', { input }),
  onSettled: (_data, _error, _input, _result, { client }) =>
    client.invalidateQueries({ queryKey: liveAccessQuery.queryKey }),
  meta: QUIET,
});

/** Keeps a session running. */
export const sendHeartbeat = (id: LiveSession['id']) => call('liveHeartbeat', { params: { id } });

/** Ends a session of which nobody waits for the answer: it would lapse by itself. */
export function endLive(id: LiveSession['id']): void {
  call('endLive', { params: { id } }).catch(() => {});
}

/**
 * Asks for bytes to measure the speed of the line.
 * @throws if they are refused, or there is no connection
 */
export async function openSpeedTest(bytes: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { ok, status, body } = await fetch(`/api/speedTest?bytes=${bytes}`, { signal, cache: 'no-store' });
  if (!ok || !body) throw new Error(`The speed test answered ${status}`);
  return body;
}
