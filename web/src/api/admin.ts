import type { Api, AuditFilter, MemberFilter, SentInputOf } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { configQuery } from './config.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** First part of the key of every query of /admin, so that one change invalidates all of them. */
const KEY = 'admin';
const LOOK_MS = 5000;
/** Longer, because the server runs count queries for it. */
const COUNT_MS = 15_000;

/** State of the engine and its queue. */
export const engineStatusQuery = queryOptions({
  queryKey: [KEY, 'engine'],
  queryFn: ({ signal }) => call('engineStatus', { signal }),
  refetchInterval: LOOK_MS,
  meta: QUIET,
});

/** Health and statistics of the whole site. */
export const siteStatusQuery = queryOptions({
  queryKey: [KEY, 'status'],
  queryFn: ({ signal }) => call('siteStatus', { signal }),
  refetchInterval: COUNT_MS,
  meta: QUIET,
});

/** Members, newest first. */
export const usersQuery = (filter: MemberFilter) =>
  paged([KEY, 'users', filter], (at, signal) => call('users', { input: { ...filter, ...at }, signal }));

export const userDetailQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'user', id],
    queryFn: ({ signal }) => call('userDetail', { params: { id }, signal }),
    meta: QUIET,
  });

export const auditLogQuery = (filter: AuditFilter) =>
  paged([KEY, 'log', filter], (at, signal) => call('auditLog', { input: { ...filter, ...at }, signal }));

export const pinCodeBatchesQuery = paged([KEY, 'pinCodes'], (at, signal) =>
  call('pinCodeBatches', { input: at, signal }),
);

export const siteSettingsQuery = queryOptions({
  queryKey: [KEY, 'settings'],
  queryFn: ({ signal }) => call('siteSettings', { signal }),
  meta: QUIET,
});

/** Refreshes all of /admin and the public configuration after a change. */
export async function refreshAdmin(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [KEY] }),
    queries.invalidateQueries({ queryKey: configQuery.queryKey }),
  ]);
}

/** Creates a batch of serial codes. */
export const createPinCodes = mutationOptions({
  mutationFn: (input: SentInputOf<Api['createPinCodes']>) => call('createPinCodes', { input }),
  onSuccess: (_made, _input, _result, { client }) => void refreshAdmin(client),
});

// Calls for `useUndoableAction`, used to make a change and to undo it.
export const setUserConfirmed = (input: SentInputOf<Api['setUserConfirmed']>) => call('setUserConfirmed', { input });
export const setUserRestricted = (input: SentInputOf<Api['setUserRestricted']>) => call('setUserRestricted', { input });
export const setUserVip = (input: SentInputOf<Api['setUserVip']>) => call('setUserVip', { input });
export const setUserAdmin = (input: SentInputOf<Api['setUserAdmin']>) => call('setUserAdmin', { input });
export const signOutUser = (id: string) => call('signOutUser', { input: { id } });
export const setPinCodesRevoked = (id: string, revoked: boolean) =>
  call('setPinCodesRevoked', { input: { id, revoked } });
export const setMaintenance = (input: SentInputOf<Api['setMaintenance']>) => call('setMaintenance', { input });
export const setAnnouncement = (input: SentInputOf<Api['setAnnouncement']>) => call('setAnnouncement', { input });
export const setFeatures = (input: SentInputOf<Api['setFeatures']>) => call('setFeatures', { input });

/** URL of a list as a CSV file; the browser sends its session cookie with it. */
export function csvAddress(list: 'usersCsv' | 'auditLogCsv', filter: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return `/api/${list}?${new URLSearchParams(given)}`;
}
