import { useCallback, useEffect, useRef, useState } from 'react';
import { localStored } from '../../api/stored.ts';
import { useWakeLock } from './use-wake-lock.ts';

/** Seconds that a picture may be shown. */
export const INTERVALS = [3, 5, 10, 30, 60] as const;
const USUAL_SECONDS = 5;
const KEY = 'slideshow-seconds';
/** Controls are hidden this long after the last movement of a slideshow's viewer. */
const IDLE_MS = 3000;

interface Options {
  readonly begins: boolean;
  /** Changes with each item. */
  readonly shown: string | undefined;
  /** A video is followed by the next item when it has ended. */
  readonly isVideo: boolean;
  /** The next item is not loaded yet. */
  readonly waits: boolean;
  readonly onNext: () => void;
}

/** The clock of a slideshow. While it plays, the screen stays on and the controls disappear. */
export function useSlideshow({ begins, shown, isVideo, waits, onNext }: Options) {
  const [playing, setPlaying] = useState(begins);
  const [seconds, setSeconds] = useState(() => {
    const stored = Number(localStored.get(KEY));
    return INTERVALS.find((one) => one === stored) ?? USUAL_SECONDS;
  });
  const [idle, setIdle] = useState(false);
  const hiding = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(onNext);
  latest.current = onNext;

  /** The video shown, once it has ended. */
  const [ended, setEnded] = useState<string>();
  if (ended !== undefined && ended !== shown) setEnded(undefined);

  // Each item is shown for the whole time.
  useEffect(() => {
    if (!playing || waits || (isVideo && ended !== shown)) return;
    const timer = setTimeout(() => latest.current(), isVideo ? 0 : seconds * 1000);
    return () => clearTimeout(timer);
  }, [playing, isVideo, waits, ended, seconds, shown]);

  const wake = useCallback(() => {
    clearTimeout(hiding.current);
    setIdle(false);
    if (playing) hiding.current = setTimeout(() => setIdle(true), IDLE_MS);
  }, [playing]);
  useEffect(() => {
    wake();
    return () => clearTimeout(hiding.current);
  }, [wake]);

  useWakeLock(playing);

  return {
    playing,
    seconds,
    idle: playing && idle,
    wake,
    toggle: () => setPlaying(!playing),
    videoEnded: () => setEnded(shown),
    setSeconds(next: number) {
      setSeconds(INTERVALS.find((one) => one === next) ?? USUAL_SECONDS);
      localStored.set(KEY, String(next));
    },
  };
}
