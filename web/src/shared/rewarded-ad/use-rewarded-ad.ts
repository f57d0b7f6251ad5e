import type { AdSession } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, isCallError } from '../../api/client.ts';
import { adsQuery, refreshPoints } from '../../api/points.ts';
import { AdClosed, type AdWatch, type Reward, watchAd } from './watch-ad.ts';

export type AdPhase =
  | { readonly name: 'asked' }
  | { readonly name: 'starting' }
  | { readonly name: 'playing'; readonly ad: AdSession; readonly watch: AdWatch }
  | { readonly name: 'rewarded'; readonly ad: AdSession; readonly reward: Reward }
  | { readonly name: 'failed'; readonly problem: 'none' | 'early' | Error };

/** Returns the state of an ad in an open dialog, and what starts one. It ends when the dialog closes. */
export function useRewardedAd(opened: boolean) {
  const queries = useQueryClient();
  const [phase, setPhase] = useState<AdPhase>({ name: 'asked' });
  const [interrupted, setInterrupted] = useState(false);
  const running = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!opened) return;
    setPhase({ name: 'asked' });
    return () => running.current?.abort();
  }, [opened]);

  const start = async () => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setInterrupted(false);
    setPhase({ name: 'starting' });
    try {
      const ad = await call('startAd', { signal: stop.signal });
      const watch = watchAd(ad, { call, signal: stop.signal, onInterrupted: setInterrupted });
      setPhase({ name: 'playing', ad, watch });
      const reward = await watch.reward;
      // Also if the dialog was closed while it was claimed.
      void refreshPoints(queries);
      if (stop.signal.aborted) return;
      setPhase({ name: 'rewarded', ad, reward });
    } catch (error) {
      if (stop.signal.aborted || (isCallError(error) && error.status === 401)) return;
      stop.abort();
      const problem = error instanceof AdClosed ? (error.isMissing ? 'none' : 'early') : (error as Error);
      setPhase({ name: 'failed', problem });
      // The limit may have been reached, or the pause begun, in another tab.
      void queries.invalidateQueries({ queryKey: adsQuery.queryKey });
    }
  };
  return { phase, interrupted, start: () => void start() };
}
