import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { configQuery } from '../../api/config.ts';
import { Spinner } from '../../ui/Spinner.tsx';

/**
 * The player site: the external one where the configuration names one, otherwise our own page. The external address is
 * opened without anything of the session. Our own page waits for the configuration, but not for a server that fails.
 */
export function PlayerSite({ children }: { children: ReactNode }) {
  const { data, isPending, failureCount } = useQuery(configQuery);
  const url = data?.playerUrl;
  useEffect(() => {
    if (url) window.location.replace(url);
  }, [url]);
  return url || (isPending && failureCount === 0) ? <Spinner /> : children;
}
