import type { FeatureSwitches } from '@framelift/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';

/** Public configuration: sandbox mode, maintenance, feature switches. Nearly every page needs it. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call('config', { signal }),
  staleTime: 5 * 60_000,
  meta: QUIET,
});

/** Returns whether the switches are exactly those of the preset `literal`. */
export async function isLiteral(features: FeatureSwitches): Promise<boolean> {
  const { featurePreset } = await import('./wire.ts');
  return Object.entries(featurePreset('literal')).every(
    ([name, state]) => features[name as keyof FeatureSwitches] === state,
  );
}

/**
 * Returns whether an operator has switched off something that the server then refuses. The app asks for the configuration
 * when it starts: what uses this neither asks again nor waits.
 */
export function useIsClosed(name: 'signUp' | 'guests' | 'shares'): boolean {
  const { data } = useQuery({ ...configQuery, enabled: false });
  return data !== undefined && data.features[name] !== 'on';
}
