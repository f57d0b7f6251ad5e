import type { AuditFilter, api, MemberFilter, SentInputOf } from '@framelift/contract';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { configQuery } from './config.ts';
import { cursorOf } from './media.ts';

/** Everything of /admin is kept under this key, so that one change makes all of it fresh. Pages show failures themselves. */
const KEY = 'admin';
const quiet = { quiet: true };
/** While a state is looked at. */
const LOOK_MS = 5000;
/** Counting everything costs more. */
const COUNT_MS = 15_000;

/** What converts on the server. Asked for again every few seconds while it is looked at. */
export const engineStatusQuery = queryOptions({
  queryKey: [KEY, 'engine'],
  queryFn: ({ signal }) => call('engineStatus', { signal }),
  refetchInterval: LOOK_MS,
  meta: quiet,
});

/** Whether everything runs. */
export const siteStatusQuery = queryOptions({
  queryKey: [KEY, 'status'],
  queryFn: ({ signal }) => call('siteStatus', { signal }),
  refetchInterval: COUNT_MS,
  meta: quiet,
});

const pages = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: { readonly next: string | null }) => cursorOf(page.next),
  staleTime: 0,
  meta: quiet,
};
const at = (page: string | null) => (page === null ? {} : { page });

/** Members, newest first, a page at a time. */
export const usersQuery = (filter: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: [KEY, 'users', filter],
    queryFn: ({ pageParam, signal }) => call('users', { input: { ...filter, ...at(pageParam) }, signal }),
    ...pages,
  });

export const userDetailQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'user', id],
    queryFn: ({ signal }) => call('userDetail', { params: { id }, signal }),
    meta: quiet,
  });

export const auditLogQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [KEY, 'log', filter],
    queryFn: ({ pageParam, signal }) => call('auditLog', { input: { ...filter, ...at(pageParam) }, signal }),
    ...pages,
  });

export const pinCodeBatchesQuery = infiniteQueryOptions({
  queryKey: [KEY, 'pinCodes'],
  queryFn: ({ pageParam, signal }) => call('pinCodeBatches', { input: at(pageParam), signal }),
  ...pages,
});

export const siteSettingsQuery = queryOptions({
  queryKey: [KEY, 'settings'],
  queryFn: ({ signal }) => call('siteSettings', { signal }),
  meta: quiet,
});

/** After a change: what is shown of it is asked for again, and what every page knows of the site. */
export async function refreshAdmin(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [KEY] }),
    queries.invalidateQueries({ queryKey: configQuery.queryKey }),
  ]);
}

export const setUserConfirmed = (input: SentInputOf<typeof api.setUserConfirmed>) =>
  call('setUserConfirmed', { input });
export const setUserRestricted = (input: SentInputOf<typeof api.setUserRestricted>) =>
  call('setUserRestricted', { input });
export const setUserVip = (input: SentInputOf<typeof api.setUserVip>) => call('setUserVip', { input });
export const setUserAdmin = (input: SentInputOf<typeof api.setUserAdmin>) => call('setUserAdmin', { input });
export const signOutUser = (id: string) => call('signOutUser', { input: { id } });
export const createPinCodes = (input: SentInputOf<typeof api.createPinCodes>) => call('createPinCodes', { input });
export const setPinCodesRevoked = (id: string, revoked: boolean) =>
  call('setPinCodesRevoked', { input: { id, revoked } });
export const setMaintenance = (input: SentInputOf<typeof api.setMaintenance>) => call('setMaintenance', { input });
export const setAnnouncement = (input: SentInputOf<typeof api.setAnnouncement>) => call('setAnnouncement', { input });
export const setFeatures = (input: SentInputOf<typeof api.setFeatures>) => call('setFeatures', { input });

/** Address of a list as a CSV file; the browser sends its cookie along. */
export function csvAddress(list: 'usersCsv' | 'auditLogCsv', filter: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return `/api/${list}?${new URLSearchParams(given)}`;
}
