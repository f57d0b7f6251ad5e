import type { api, OutputOf } from '@framelift/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';

type Config = OutputOf<typeof api.config>;

let isFirst = true;

/**
 * Returns the first configuration, which the first picture of most pages waits for, without the client of the API, whose
 * code is many times as large; `index.html` has begun to load it. Null if it did not come: the client tells why.
 */
async function firstConfig(signal: AbortSignal): Promise<Config | null> {
  if (!isFirst) return null;
  isFirst = false;
  try {
    const answer = await fetch('/api/config', { signal });
    const { success, message } = (await answer.json()) as { success?: boolean; message?: Config };
    return (success && message) || null;
  } catch {
    return null;
  }
}

/** Public configuration: sandbox mode, maintenance, feature switches. Nearly every page needs it. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await firstConfig(signal)) ?? call('config', { signal }),
  staleTime: 5 * 60_000,
  meta: QUIET,
});

/**
 * Returns whether an operator has switched off something that the server then refuses. The app asks for the configuration
 * when it starts: what uses this neither asks again nor waits.
 */
export function useIsClosed(name: 'signUp' | 'guests' | 'shares' | 'store' | 'live' | 'friendPictures'): boolean {
  const { data } = useQuery({ ...configQuery, enabled: false });
  return data !== undefined && data.features[name] !== 'on';
}
