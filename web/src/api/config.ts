import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';

/** Public configuration: sandbox mode, maintenance, feature switches. Nearly every page needs it. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call('config', { signal }),
  staleTime: 5 * 60_000,
  meta: QUIET,
});
