import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { configQuery } from '../../api/config.ts';
import { Spinner } from '../../ui/Spinner.tsx';

/**
 * The player site: an outside one where the operator has set one up, else our own page. Everything that leads to the
 * player leads here. The outside address is opened as it is set: nothing of the session goes along. Our own page waits for
 * the settings, which are on their way since the app began to load, but not for a server that does not answer.
 */
export function PlayerSite({ children }: { children: ReactNode }) {
  const { data, isPending, failureCount } = useQuery(configQuery);
  const url = data?.playerUrl;
  useEffect(() => {
    if (url) window.location.replace(url);
  }, [url]);
  return url || (isPending && failureCount === 0) ? <Spinner /> : children;
}
