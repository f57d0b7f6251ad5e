import { advance, isMoving, restAt, SETTLE_MS, SWAY_MS, SWAY_REACH, setTarget } from '@framelift/engine/webgl';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Returns where a layer is that a viewer sees from (x, y), each −1 … 1. Near layers move against the viewer. */
const placeOf = (x: number, y: number) =>
  `translate(calc(${x} * var(--lift) * -1 * var(--travel)), calc(${y} * var(--lift) * -1 * var(--rise))) skewX(calc(${x} * var(--lean) * 4.65deg))`;

/** The sine of a sway, from one side to the other. */
const SINE = 'cubic-bezier(0.37, 0, 0.63, 1)';

/**
 * Moves the layers of an element to the position of its viewer, as set by the caller, and from side to side while there is
 * no input. The sway is an animation of the browser's compositor: one by script would take the main thread of a phone for
 * as long as the page is open.
 * @param sways false under reduced motion: the view then moves only by input
 */
export function useSway(host: RefObject<HTMLElement | null>, sways: boolean) {
  const sideways = useRef(restAt(0));
  const upright = useRef(restAt(0));
  const wake = useRef(() => {});
  const whereNow = useRef(() => sideways.current.position);

  useEffect(() => {
    const layers = [...(host.current?.querySelectorAll<SVGElement>('[data-layer]') ?? [])];
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;
    let animations: Animation[] = [];

    const draw = (now: number) => {
      frame = 0;
      sideways.current = advance(sideways.current, now, false);
      upright.current = advance(upright.current, now, false);
      const place = placeOf(sideways.current.position, upright.current.position);
      for (const { style } of layers) style.transform = place;
      if (isMoving(sideways.current, false) || isMoving(upright.current, false)) frame = requestAnimationFrame(draw);
      else if (sways) rest = setTimeout(sway, SETTLE_MS);
    };
    /** Begins where the view is, so that it does not jump. */
    const sway = () => {
      const { position } = sideways.current;
      const y = upright.current.position;
      const reach = Math.max(SWAY_REACH, Math.abs(position));
      animations = layers.map((layer) =>
        layer.animate(
          { transform: [placeOf(-reach, y), placeOf(reach, y)] },
          { duration: SWAY_MS / 2, easing: SINE, direction: 'alternate', iterations: Number.POSITIVE_INFINITY },
        ),
      );
      const from = (Math.acos(-position / reach) / Math.PI) * (SWAY_MS / 2);
      for (const animation of animations) {
        animation.currentTime = from;
        // Rejected when it is cancelled, which is how each of them ends.
        animation.finished.catch(() => {});
      }
      whereNow.current = () => -reach * Math.cos((Number(animations[0]?.currentTime ?? 0) / (SWAY_MS / 2)) * Math.PI);
    };
    const stop = () => {
      sideways.current = { ...sideways.current, position: whereNow.current() };
      whereNow.current = () => sideways.current.position;
      for (const animation of animations) animation.cancel();
      animations = [];
      clearTimeout(rest);
    };
    wake.current = () => {
      stop();
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    if (sways) sway();
    return () => {
      wake.current = () => {};
      stop();
      cancelAnimationFrame(frame);
    };
  }, [host, sways]);

  return {
    moveTo: useCallback((x: number, y: number) => {
      const now = performance.now();
      const position = whereNow.current();
      // Between two inputs the view may have swayed: it moves on from where it is, and from now.
      sideways.current = setTarget(
        { ...sideways.current, position, at: Math.max(sideways.current.at, now - 16) },
        x,
        now,
      );
      upright.current = setTarget({ ...upright.current, at: Math.max(upright.current.at, now - 16) }, y, now);
      wake.current();
    }, []),
    /** Returns the position that was set last. */
    wanted: useCallback(() => ({ x: sideways.current.wanted, y: upright.current.wanted }), []),
  };
}
