import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** What converts on the server, for administrators. Asked for again every few seconds while it is looked at. */
export const engineStatusQuery = queryOptions({
  queryKey: ['engineStatus'],
  queryFn: ({ signal }) => call('engineStatus', { signal }),
  refetchInterval: 5000,
  meta: { quiet: true },
});
