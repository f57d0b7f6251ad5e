import type { LiveEvent, LiveSession } from '@framelift/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isCallError } from '../../api/client.ts';
import { endLive, sendHeartbeat, startLive } from '../../api/live.ts';

export type LiveState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'watching'; readonly session: LiveSession }
  /** Another screen of the account watches now. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'refused'; readonly error: unknown };

/** Refusals of a session that a new one may not have. */
const RENEWED = ['liveSessionNotFound', 'liveSessionEnded', 'liveLinkExpired', 'liveLinkInvalid'];
/** Milliseconds between two sessions begun by themselves: one that ends at once would be followed by the next. */
const RENEW_PAUSE_MS = 30_000;

/**
 * Watches an event: begins a session, keeps it by heartbeats and ends it when the page is left. A session that ended is
 * followed by a new one, except where another screen has taken over.
 */
export function useLiveSession(event: LiveEvent['id']) {
  const [state, setState] = useState<LiveState>({ kind: 'starting' });
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  /** Counts the beginnings, of which the last one counts. */
  const turn = useRef(0);

  const start = useCallback(async () => {
    const mine = ++turn.current;
    setState({ kind: 'starting' });
    try {
      const session = await startLive(event);
      if (turn.current === mine) setState({ kind: 'watching', session });
      else endLive(session.id);
    } catch (error) {
      if (turn.current === mine) setState({ kind: 'refused', error });
    }
  }, [event]);
  useEffect(() => {
    // React's strict mode runs effects twice: the second session would be replaced by the first, if that is later.
    const timer = setTimeout(() => void start());
    return () => {
      clearTimeout(timer);
      turn.current++;
    };
  }, [start]);

  const session = state.kind === 'watching' ? state.session : null;
  /** Asks whether the session still runs, and acts upon the answer. Without an answer it goes on. */
  const check = useCallback(async () => {
    if (!session) return;
    const mine = turn.current;
    try {
      await sendHeartbeat(session.id);
    } catch (error) {
      // Every angle that is refused asks: the first answer counts, the others are about a session that is gone.
      if (turn.current !== mine) return;
      if (!isCallError(error) || error.status === 0 || error.status === 429 || error.status >= 500) return;
      if (error.code === 'liveSessionReplaced') return setState({ kind: 'replaced' });
      if (!RENEWED.includes(error.code) || Date.now() - renewedAt.current < RENEW_PAUSE_MS) {
        return setState({ kind: 'refused', error });
      }
      renewedAt.current = Date.now();
      await start();
    }
  }, [session, start]);
  useEffect(() => {
    if (!session) return;
    const timer = setInterval(() => void check(), session.heartbeat_seconds * 1000);
    // A page that was asleep learns at once whether another screen has taken over.
    const seen = () => document.visibilityState === 'visible' && void check();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [session, check]);
  useEffect(() => () => void (session && endLive(session.id)), [session]);

  return { state, start, check };
}
