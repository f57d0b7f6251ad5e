import { viewPosition } from '@framelift/engine/geometry';
import type { DepthImage, DepthMode } from '@framelift/engine/webgl';
import {
  advance,
  createDepthRenderer,
  type DepthParts,
  isMoving,
  type LoadedParts,
  loadParts,
  restAt,
  setTarget,
  viewOfSweep,
} from '@framelift/engine/webgl';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** `still`: WebGL 2 is not available; `lost`: the WebGL context was lost and may be restored. */
export type CanvasState = 'loading' | 'ready' | 'failed' | 'still' | 'lost';

export interface CanvasOptions {
  readonly parts: DepthParts;
  readonly mode: DepthMode;
  readonly strength: number;
  readonly budget?: number | undefined;
  readonly convergence?: number | undefined;
  /** Replaces the depth map of the parts, e.g. while it is being painted. */
  readonly painted?: DepthImage | undefined;
  /** Fixes the view at the centre, whatever the input. */
  readonly held?: boolean | undefined;
  readonly views: number;
  /** Sways and sweeps automatically while there is no input. */
  readonly sways: boolean;
  readonly onView?: ((view: number) => void) | undefined;
  readonly onParts?: ((parts: LoadedParts) => void) | undefined;
}

const LONGEST_SIDE_PX = 2048;

/**
 * Manages the canvas inside `host`: loads the parts, draws while something moves and is visible, and recovers from a
 * lost context.
 */
export function useDepthCanvas(host: RefObject<HTMLElement | null>, options: CanvasOptions) {
  const { colour, depth, background, backgroundDepth } = options.parts;
  const [state, setState] = useState<CanvasState>('loading');
  const [loaded, setLoaded] = useState<LoadedParts | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [restored, setRestored] = useState(0);
  const latest = useRef(options);
  latest.current = options;
  const motion = useRef(restAt(performance.now()));
  const wake = useRef(() => {});

  useEffect(() => {
    const stop = new AbortController();
    setState('loading');
    setLoaded(null);
    loadParts({ colour, depth, background, backgroundDepth }, stop.signal).then(
      (parts) => {
        if (stop.signal.aborted) return;
        setLoaded(parts);
        latest.current.onParts?.(parts);
      },
      () => {
        if (!stop.signal.aborted) setState('failed');
      },
    );
    return () => stop.abort();
  }, [colour, depth, background, backgroundDepth, attempt]);

  useEffect(() => {
    const place = host.current;
    if (!loaded || !place) return;
    // A new canvas for every renderer: a canvas can have only one context.
    const canvas = document.createElement('canvas');
    const renderer = tryRenderer(canvas, loaded);
    if (!renderer) return setState('still');
    place.append(canvas);
    setState('ready');

    let frame = 0;
    let visible = true;
    let shown: DepthImage | undefined;
    const schedule = () => {
      if (visible && frame === 0) frame = requestAnimationFrame(draw);
    };
    const draw = (now: number) => {
      frame = 0;
      const { mode, strength, budget, convergence, painted, held, views, sways, onView } = latest.current;
      if (painted !== shown) {
        renderer.setDepth(painted ?? loaded.depth);
        shown = painted;
      }
      fit(canvas, place, loaded.colour);
      const sweeping = mode === 'quilt' && sways;
      const swaying = mode === 'parallax' && sways && !held;
      motion.current = advance(motion.current, now, swaying);
      let { position } = motion.current;
      if (mode === 'quilt') {
        const view = viewNow(motion.current, now, views, sweeping);
        position = viewPosition(view, views);
        onView?.(view);
      }
      renderer.draw({ mode, position: held ? 0 : position, strength, budget, convergence });
      if (sweeping || isMoving(motion.current, swaying)) schedule();
    };
    wake.current = schedule;

    const onLost = (event: Event) => {
      event.preventDefault();
      cancelAnimationFrame(frame);
      setState('lost');
    };
    const onRestored = () => setRestored((count) => count + 1);
    canvas.addEventListener('webglcontextlost', onLost);
    canvas.addEventListener('webglcontextrestored', onRestored);
    const resized = new ResizeObserver(schedule);
    resized.observe(place);
    const seen = new IntersectionObserver((entries) => {
      visible = entries.at(-1)?.isIntersecting ?? true;
      schedule();
    });
    seen.observe(place);
    schedule();

    return () => {
      cancelAnimationFrame(frame);
      wake.current = () => {};
      resized.disconnect();
      seen.disconnect();
      canvas.removeEventListener('webglcontextlost', onLost);
      canvas.removeEventListener('webglcontextrestored', onRestored);
      canvas.remove();
      renderer.dispose();
    };
  }, [loaded, restored, host]);

  const { mode, strength, budget, convergence, painted, held, views, sways } = options;
  useEffect(() => wake.current(), [mode, strength, budget, convergence, painted, held, views, sways]);

  return {
    state,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
    /** Sets the viewer position, −1 … 1. */
    moveTo: useCallback((position: number) => {
      motion.current = setTarget(motion.current, position, performance.now());
      wake.current();
    }, []),
    /** Returns the last position that was set. */
    wanted: useCallback(() => motion.current.wanted, []),
  };
}

function tryRenderer(canvas: HTMLCanvasElement, parts: LoadedParts) {
  try {
    return createDepthRenderer(canvas, parts);
  } catch {
    return null;
  }
}

function viewNow(motion: ReturnType<typeof restAt>, now: number, views: number, sweeping: boolean): number {
  const idleFor = now - motion.inputAt - SWEEP_AFTER_MS;
  const put = Math.round(((motion.position + 1) / 2) * (views - 1));
  return sweeping && idleFor >= 0 ? viewOfSweep(idleFor, views) : put;
}
const SWEEP_AFTER_MS = 2500;

function fit(canvas: HTMLCanvasElement, place: HTMLElement, picture: { width: number; height: number }): void {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const wanted = place.clientWidth * ratio;
  const scale = Math.min(wanted / picture.width, LONGEST_SIDE_PX / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  if (canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
}
