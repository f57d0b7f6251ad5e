import { useCallback, useEffect, useRef, useState } from 'react';
import type { AngleStream, DatedVideo } from './angle-stream.ts';
import { canTakeOver, follow } from './follow.ts';

/** Milliseconds between two comparisons of the programme dates. */
const TICK_MS = 250;
/** Comparisons after which an angle that plays takes over, even if it cannot be brought to the same moment. */
const PATIENCE = 40;
/** Seconds beyond the usual delay from which on "back to live" makes a difference. */
const LATE = 4;

interface OpenAngle {
  readonly video: DatedVideo;
  stream: AngleStream | null;
}

export interface Delay {
  readonly seconds: number;
  readonly isLate: boolean;
}

export interface Angles {
  /** The angle that is watched. */
  readonly main: string;
  /** The angle that takes over once its picture is there; null without one. */
  readonly next: string | null;
  readonly delay: Delay | null;
  /** The watched angle waits for data. */
  readonly isWaiting: boolean;
  readonly choose: (id: string) => void;
  readonly toLive: () => void;
  /** The video of an angle is there, or gone. */
  readonly setVideo: (id: string, video: DatedVideo | null) => void;
  readonly setStream: (id: string, stream: AngleStream | null) => void;
  readonly videoOf: (id: string) => DatedVideo | undefined;
}

/** Which of several angles is watched, and all the others held at its programme date. */
export function useAngles(first: string): Angles {
  const open = useRef(new Map<string, OpenAngle>());
  const [main, setMain] = useState(first);
  const [next, setNext] = useState<string | null>(null);
  const [delay, setDelay] = useState<Delay | null>(null);
  const [isWaiting, setWaiting] = useState(true);
  const waited = useRef(0);
  const now = useRef({ main, next });
  now.current = { main, next };

  const tick = useCallback(() => {
    const { main, next } = now.current;
    const watched = open.current.get(main);
    if (next !== null) {
      const video = open.current.get(next)?.video;
      const isImpatient = ++waited.current > PATIENCE && (video?.readyState ?? 0) >= HTMLMediaElement.HAVE_FUTURE_DATA;
      if (video && (isImpatient || canTakeOver(video, watched?.video))) {
        video.playbackRate = 1;
        setMain(next);
        setNext(null);
        return;
      }
    }
    setWaiting((watched?.video.readyState ?? 0) < HTMLMediaElement.HAVE_FUTURE_DATA);
    const told = watched?.stream?.delay() ?? null;
    setDelay((before) => {
      if (told === null) return null;
      const seconds = Math.round(told.seconds);
      const isLate = told.seconds > told.usual + LATE;
      return before?.seconds === seconds && before.isLate === isLate ? before : { seconds, isLate };
    });
    if (!watched) return;
    for (const [id, { video }] of open.current) if (id !== main) follow(video, watched.video, id !== next);
  }, []);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [tick]);

  return {
    main,
    next,
    delay,
    isWaiting,
    choose: (id) => {
      waited.current = 0;
      now.current = { main, next: id === main ? null : id };
      setNext(now.current.next);
      // A preview that plays already takes over at once.
      tick();
    },
    toLive: () => open.current.get(main)?.stream?.toLive(),
    setVideo: useCallback((id: string, video: DatedVideo | null) => {
      if (video) open.current.set(id, { video, stream: open.current.get(id)?.stream ?? null });
      else open.current.delete(id);
    }, []),
    setStream: useCallback((id: string, stream: AngleStream | null) => {
      const angle = open.current.get(id);
      if (angle) angle.stream = stream;
    }, []),
    videoOf: useCallback((id: string) => open.current.get(id)?.video, []),
  };
}
