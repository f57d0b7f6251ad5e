import { useCallback, useEffect, useState } from 'react';
import { sessionStored } from '../../api/stored.ts';
import { levelOf, measureSpeed, type SpeedLevel } from './measure-speed.ts';

const KEY = 'lineSpeed';

export interface Speed {
  readonly mbps: number;
  readonly level: SpeedLevel;
}

/** Measured once in a tab; not where the member saves data. */
function known(): Speed | 'unknown' | null {
  const stored = sessionStored.get(KEY);
  if (stored !== null) return { mbps: Number(stored), level: levelOf(Number(stored)) };
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ? 'unknown' : null;
}

/** Returns the speed of the line: null while it is measured, `unknown` if it could not be or was not waited for. */
export function useSpeed() {
  const [speed, setSpeed] = useState<Speed | 'unknown' | null>(known);
  const isMeasuring = speed === null;
  useEffect(() => {
    if (!isMeasuring) return;
    const stop = new AbortController();
    measureSpeed(stop.signal).then(
      (mbps) => {
        sessionStored.set(KEY, String(mbps));
        setSpeed({ mbps, level: levelOf(mbps) });
      },
      () => stop.signal.aborted || setSpeed('unknown'),
    );
    return () => stop.abort();
  }, [isMeasuring]);
  return { speed, again: useCallback(() => setSpeed(null), []), skip: useCallback(() => setSpeed('unknown'), []) };
}
