import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { configQuery } from '../../api/config.ts';
import { Spinner } from '../../ui/Spinner.tsx';

/**
 * The player site: the external one if the configuration names one, otherwise our own page. The external URL is opened
 * without any session data. Our own page waits for the configuration, but not if the server fails.
 */
export function PlayerSite({ children }: { children: ReactNode }) {
  const { data, isPending, failureCount } = useQuery(configQuery);
  const url = data?.playerUrl;
  useEffect(() => {
    if (url) window.location.replace(url);
  }, [url]);
  return url || (isPending && failureCount === 0) ? <Spinner /> : children;
}
