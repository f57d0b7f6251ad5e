import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { configQuery } from '../../api/config.ts';
import { Spinner } from '../../ui/Spinner.tsx';

/**
 * The player site: an outside one where the operator has set one up, else our own page. Everything that leads to the
 * player leads here. The outside address is opened as it is set: nothing of the session goes along. Until the settings
 * are known our own page is shown, as nearly every installation has no other.
 */
export function PlayerSite({ children }: { children: ReactNode }) {
  const url = useQuery({ ...configQuery, meta: { quiet: true } }).data?.playerUrl;
  useEffect(() => {
    if (url) window.location.replace(url);
  }, [url]);
  return url ? <Spinner /> : children;
}
