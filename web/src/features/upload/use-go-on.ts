import { useEffect, useRef } from 'react';

/** Calls `run` once, as soon as it can. */
export function useGoOn(can: boolean, run: () => void): void {
  const done = useRef(false);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!can || done.current) return;
    done.current = true;
    latest.current();
  }, [can]);
}
