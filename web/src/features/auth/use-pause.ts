import { useEffect, useState } from 'react';

/** Returns the seconds until another mail may be requested, counted down after `pause` was called; 0 if it may. */
export function usePause(): readonly [seconds: number, pause: (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [seconds, setSeconds] = useState(0);

  useEffect(() => {
    const count = () => setSeconds(Math.max(0, Math.ceil((until - performance.now()) / 1000)));
    count();
    if (until <= performance.now()) return;
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [until]);

  return [until > performance.now() ? seconds : 0, (wait) => setUntil(performance.now() + wait * 1000)];
}
