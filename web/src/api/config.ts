import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** What the app must know before anybody is logged in: sandbox mode, maintenance, feature switches. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call('config', { signal }),
  staleTime: 5 * 60_000,
});
