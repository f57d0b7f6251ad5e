import type { Stroke } from '@framelift/engine/edit';
import type { DepthImage } from '@framelift/engine/webgl';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { extended, MOST_POINTS, pointOf } from './depth-sketch.ts';
import classes from './PaintSurface.module.css';

export type Brush = Omit<Stroke, 'points'>;

interface PaintSurfaceProps {
  readonly brush: Brush;
  readonly disabled: boolean;
  /** Fraction of the picture's width that is cropped at each side of the view. */
  readonly inset: number;
  /** Aspect ratio of the picture, width : height. */
  readonly aspect: number;
  /** Depth map to draw over the picture; null to show the picture. */
  readonly depth: DepthImage | null;
  /** Called with true while the user paints or is about to: the picture must not move then. */
  readonly onHold: (held: boolean) => void;
  /** Called with a stroke that is still being drawn. */
  readonly onDraw: (stroke: Stroke) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

/** Distance that an arrow key moves the brush, as a fraction of the picture. */
const KEY_STEP = 0.02;
const FAST_KEY_STEP = 0.1;

/** Overlay for painting on the picture: by mouse, finger, pen, or arrow keys and the space bar. */
export function PaintSurface({ brush, disabled, inset, aspect, depth, onHold, onDraw, onStroke }: PaintSurfaceProps) {
  const { t } = useTranslation('edit');
  const points = useRef<readonly (readonly [number, number])[] | null>(null);
  /** Position of the brush as fractions of the surface; null while no pointer is over it. */
  const [at, setAt] = useState<readonly [number, number] | null>(null);

  const toPicture = ([x, y]: readonly [number, number]) => pointOf(x * (1 - 2 * inset) + inset, y);
  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent): readonly [number, number] => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  };

  const onPointerDown = (event: PointerEvent) => {
    if (disabled || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const place = placeOf(event);
    setAt(place);
    onHold(true);
    points.current = [toPicture(place)];
    onDraw({ ...brush, points: points.current });
  };
  const onPointerMove = (event: PointerEvent) => {
    const place = placeOf(event);
    setAt(place);
    onHold(true);
    const before = points.current;
    if (!before) return;
    const now = extended(before, toPicture(place), brush.radius);
    if (now === before) return;
    if (now.length >= MOST_POINTS) onStroke({ ...brush, points: now });
    points.current = now.length >= MOST_POINTS ? now.slice(-1) : now;
    onDraw({ ...brush, points: points.current });
  };
  const onPointerUp = () => {
    const line = points.current;
    points.current = null;
    if (line) onStroke({ ...brush, points: line });
  };
  const onPointerLeave = () => {
    if (points.current) return;
    setAt(null);
    onHold(false);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const [x, y] = at ?? [0.5, 0.5];
    if ((event.key === ' ' || event.key === 'Enter') && !disabled) {
      event.preventDefault();
      onStroke({ ...brush, points: [toPicture([x, y])] });
      return;
    }
    const step = event.shiftKey ? FAST_KEY_STEP : KEY_STEP;
    const to: Record<string, readonly [number, number]> = {
      ArrowLeft: [x - step, y],
      ArrowRight: [x + step, y],
      ArrowUp: [x, y - step],
      ArrowDown: [x, y + step],
    };
    const place = to[event.key];
    if (!place) return;
    event.preventDefault();
    setAt([Math.min(1, Math.max(0, place[0])), Math.min(1, Math.max(0, place[1]))]);
  };

  return (
    // There is no native element for painting: this is the page's only part with the role `application`, and its label
    // explains its use.
    <div
      className={classes.surface}
      role="application"
      aria-label={t('depth.surface')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is painted on with the keyboard too
      tabIndex={0}
      data-disabled={disabled || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onPointerLeave={onPointerLeave}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (!event.currentTarget.matches(':focus-visible')) return;
        setAt((before) => before ?? [0.5, 0.5]);
        onHold(true);
      }}
      onBlur={() => {
        setAt(null);
        onHold(false);
      }}
    >
      {depth && <DepthSheet depth={depth} />}
      {at && (
        <span
          className={classes.brush}
          data-kind={brush.kind}
          style={
            {
              '--x': `${at[0] * 100}%`,
              '--y': `${at[1] * 100}%`,
              '--width': `${(200 * brush.radius) / (1 - 2 * inset)}%`,
              '--height': `${200 * brush.radius * aspect}%`,
            } as CSSProperties
          }
        />
      )}
    </div>
  );
}

/** The current depth map: white is near. */
function DepthSheet({ depth }: { depth: DepthImage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const { data, width, height } = depth;
    const image = context.createImageData(width, height);
    for (let i = 0; i < data.length; i++) {
      const grey = data[i] as number;
      image.data[4 * i] = grey;
      image.data[4 * i + 1] = grey;
      image.data[4 * i + 2] = grey;
      image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }, [depth]);
  return <canvas ref={canvas} className={classes.sheet} width={depth.width} height={depth.height} aria-hidden />;
}
