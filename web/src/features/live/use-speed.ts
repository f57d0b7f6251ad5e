import { useEffect, useState } from 'react';
import { sessionStored } from '../../api/stored.ts';
import { levelOf, measureSpeed, type SpeedLevel } from './measure-speed.ts';

const KEY = 'lineSpeed';

export interface Speed {
  readonly mbps: number;
  readonly level: SpeedLevel;
}

/** Whether the member told the browser to load as little as possible. */
export const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Measured once in a tab; not where the member saves data. */
function known(): Speed | 'unknown' | null {
  const stored = sessionStored.get(KEY);
  if (stored !== null) return { mbps: Number(stored), level: levelOf(Number(stored)) };
  return savesData() ? 'unknown' : null;
}

export interface Line {
  /** Null until it is measured, `unknown` if it could not be or was not waited for. */
  readonly speed: Speed | 'unknown' | null;
  /** The member was told what the speed means, and goes on. */
  readonly isAccepted: boolean;
  readonly accept: () => void;
  readonly again: () => void;
  readonly skip: () => void;
}

/** Returns the speed of the line, which is measured once it is wanted. */
export function useSpeed(isWanted: boolean): Line {
  const [speed, setSpeed] = useState(known);
  const [isAccepted, setAccepted] = useState(false);
  const isMeasuring = isWanted && speed === null;
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
  return {
    speed,
    isAccepted,
    accept: () => setAccepted(true),
    again: () => setSpeed(null),
    skip: () => setSpeed('unknown'),
  };
}
