import { useCallback, useEffect, useRef, useState } from 'react';
import { localStored } from '../../api/stored.ts';

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
  readonly onNext: () => void;
}

/** The clock of a slideshow. While it plays, the screen stays on and the controls disappear. */
export function useSlideshow({ begins, shown, isVideo, onNext }: Options) {
  const [playing, setPlaying] = useState(begins);
  const [seconds, setSeconds] = useState(() => {
    const stored = Number(localStored.get(KEY));
    return INTERVALS.find((one) => one === stored) ?? USUAL_SECONDS;
  });
  const [idle, setIdle] = useState(false);
  const hiding = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(onNext);
  latest.current = onNext;

  // Each item is shown for the whole time.
  useEffect(() => {
    if (!playing || isVideo) return;
    const timer = setTimeout(() => latest.current(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [playing, isVideo, seconds, shown]);

  const wake = useCallback(() => {
    clearTimeout(hiding.current);
    setIdle(false);
    if (playing) hiding.current = setTimeout(() => setIdle(true), IDLE_MS);
  }, [playing]);
  useEffect(() => {
    wake();
    return () => clearTimeout(hiding.current);
  }, [wake]);

  useEffect(() => {
    if (!playing) return;
    let lock: WakeLockSentinel | null = null;
    let ended = false;
    const release = () => lock?.release().catch(() => {});
    // Refused e.g. in power saving mode, and absent in some browsers: the screen then goes off as usual.
    navigator.wakeLock?.request('screen').then(
      (got) => {
        lock = got;
        if (ended) void release();
      },
      () => {},
    );
    return () => {
      ended = true;
      void release();
    };
  }, [playing]);

  return {
    playing,
    seconds,
    idle: playing && idle,
    wake,
    toggle: () => setPlaying(!playing),
    setSeconds(next: number) {
      setSeconds(INTERVALS.find((one) => one === next) ?? USUAL_SECONDS);
      localStored.set(KEY, String(next));
    },
  };
}
