import { advance, isMoving, restAt, setTarget } from '@framelift/engine/webgl';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Sets the custom properties `--sway-x` and `--sway-y` of the layers of an element to the position of its viewer, −1 … 1,
 * as moved by the caller, and by itself from side to side while there is no input. Not those of the element itself: every
 * shape below it would get a new style with every picture.
 * @param sways false under reduced motion: the view then moves only by input
 */
export function useSway(host: RefObject<HTMLElement | null>, sways: boolean) {
  const sideways = useRef(restAt(performance.now()));
  const upright = useRef(restAt(performance.now()));
  const wake = useRef(() => {});

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const layers = element.querySelectorAll<SVGElement>('[data-layer]');
    let frame = 0;
    let visible = true;
    const schedule = () => {
      if (visible && frame === 0) frame = requestAnimationFrame(draw);
    };
    const draw = (now: number) => {
      frame = 0;
      sideways.current = advance(sideways.current, now, sways);
      upright.current = advance(upright.current, now, false);
      const [x, y] = [sideways.current.position.toFixed(4), upright.current.position.toFixed(4)];
      for (const { style } of layers) {
        style.setProperty('--sway-x', x);
        style.setProperty('--sway-y', y);
      }
      if (isMoving(sideways.current, sways) || isMoving(upright.current, false)) schedule();
    };
    wake.current = schedule;
    const seen = new IntersectionObserver((entries) => {
      visible = entries.at(-1)?.isIntersecting ?? true;
      schedule();
    });
    seen.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      wake.current = () => {};
      seen.disconnect();
    };
  }, [host, sways]);

  return {
    moveTo: useCallback((x: number, y: number) => {
      const now = performance.now();
      sideways.current = setTarget(sideways.current, x, now);
      upright.current = setTarget(upright.current, y, now);
      wake.current();
    }, []),
    /** Returns the position that was set last. */
    wanted: useCallback(() => ({ x: sideways.current.wanted, y: upright.current.wanted }), []),
  };
}
