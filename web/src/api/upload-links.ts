import type { UploadLink } from '@framelift/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** The member's upload links, newest first. */
export const uploadLinksQuery = paged(['uploadLinks'], (at, signal) => call('uploadLinks', { input: at, signal }));

/** What a link is for. Its page shows a failure itself. */
export const openLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['uploadLink', token],
    queryFn: ({ signal }) => call('openUploadLink', { input: { token }, signal }),
    meta: QUIET,
  });

interface NewLink {
  readonly name: string;
  readonly device_type_id: number;
  readonly days: number;
  readonly max_uploads: number;
}

/** Makes a link. The form shows a failure itself. */
export const createUploadLink = mutationOptions({
  mutationFn: (input: NewLink): Promise<UploadLink> => call('createUploadLink', { input }),
  onSuccess: (_link, _input, _result, { client }) => client.invalidateQueries({ queryKey: uploadLinksQuery.queryKey }),
  meta: QUIET,
});

export const revokeUploadLink = mutationOptions({
  mutationFn: (id: string) => call('revokeUploadLink', { input: { id } }),
  onSettled: (_answer, _error, _id, _result, { client }) =>
    client.invalidateQueries({ queryKey: uploadLinksQuery.queryKey }),
});

/** Undoes `revokeUploadLink`; possible for one day. */
export const restoreUploadLink = mutationOptions({
  mutationFn: (id: string) => call('restoreUploadLink', { input: { id } }),
  onSettled: (_link, _error, _id, _result, { client }) =>
    client.invalidateQueries({ queryKey: uploadLinksQuery.queryKey }),
});
