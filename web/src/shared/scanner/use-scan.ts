import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type ScanProblem, scanCamera } from './scan-camera.ts';

export type ScanState = 'starting' | 'scanning' | 'found' | ScanProblem;

interface Scan {
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly state: ScanState;
  readonly mirrored: boolean;
  readonly again: () => void;
}

/**
 * Scans while the page is visible: the camera is released when the page is left or hidden, and restarted when it is
 * visible again, unless the scan was over.
 */
export function useScan(accept: (text: string) => string | null, onFound: (found: string) => void): Scan {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<ScanState>('starting');
  const [mirrored, setMirrored] = useState(false);
  const [hidden, setHidden] = useState(document.hidden);
  const running = !hidden && (state === 'starting' || state === 'scanning');
  const judge = useEffectEvent(accept);
  const tell = useEffectEvent(onFound);

  useEffect(() => {
    const onChange = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);

  useEffect(() => {
    const place = video.current;
    if (!running || !place) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    setState('starting');
    const onPlaying = (isMirrored: boolean) => {
      setMirrored(isMirrored);
      setState('scanning');
    };
    void scanCamera(place, { accept: (text) => judge(text), onPlaying, signal }).then((end) => {
      if (signal.aborted) return;
      setState('found' in end ? 'found' : end.problem);
      if ('found' in end) tell(end.found);
    });
    return () => leaving.abort();
  }, [running]);

  return { video, state, mirrored, again: () => setState('starting') };
}
