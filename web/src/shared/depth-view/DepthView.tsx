import type { DepthImage, DepthMode, DepthParts, LoadedParts } from '@framelift/engine/webgl';
import { positionOfPointer } from '@framelift/engine/webgl';
import { Button } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import IconDeviceMobileRotated from '@tabler/icons-react/icons/IconDeviceMobileRotated';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './DepthView.module.css';
import { useDepthCanvas } from './use-depth-canvas.ts';
import { useTilt } from './use-tilt.ts';

export interface DepthViewProps {
  readonly parts: DepthParts;
  /** Text alternative of the picture. */
  readonly label: string;
  /** Width and height of the picture in any unit; reserves its space before it is loaded. */
  readonly size: { readonly width: number; readonly height: number };
  /** Effect percent, 0 … 100; may change at any time. */
  readonly strength?: number;
  readonly mode?: DepthMode;
  /** Disparity budget of the device in percent of the width; limits the disparity as in its files. */
  readonly budget?: number | undefined;
  /** Depth in the plane of the frame; chosen from the subject when absent. */
  readonly convergence?: number | undefined;
  /** Replaces the depth map of the parts, e.g. while it is being painted. */
  readonly painted?: DepthImage | undefined;
  /** Fixes the view at the centre, so that pointer and picture coordinates match. */
  readonly held?: boolean | undefined;
  readonly onParts?: ((parts: LoadedParts) => void) | undefined;
  /** Number of views in the quilt sweep. */
  readonly views?: number;
  readonly className?: string;
}

const KEY_STEP = 0.1;

/**
 * Live depth view of a picture: it follows pointer, touch, tilt and arrow keys, and sways slowly when idle. Under
 * reduced motion it moves only by pointer, touch and keys. Without WebGL 2 the flat picture is shown.
 */
export function DepthView({
  parts,
  label,
  size,
  strength = 100,
  mode = 'parallax',
  views = 48,
  className = '',
  budget,
  convergence,
  painted,
  held,
  onParts,
}: DepthViewProps) {
  const { t } = useTranslation('depth', { useSuspense: false });
  const still = useReducedMotion();
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(0);
  const { state, retry, moveTo, wanted } = useDepthCanvas(host, {
    parts,
    mode,
    strength,
    budget,
    convergence,
    painted,
    held,
    views,
    sways: !still,
    onView: setView,
    onParts,
  });
  const movable = state === 'ready' && !held && (mode === 'parallax' || mode === 'quilt');
  const askTilt = useTilt(movable && !still, moveTo);

  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    moveTo(positionOfPointer(clientX - left, width));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = mode === 'quilt' && views > 1 ? 2 / (views - 1) : KEY_STEP;
    const to: Record<string, number> = {
      ArrowLeft: wanted() - step,
      ArrowRight: wanted() + step,
      Home: -1,
      End: 1,
    };
    const position = to[event.key];
    if (position === undefined) return;
    event.preventDefault();
    moveTo(position);
  };

  return (
    <div
      className={`${classes.view} ${className}`}
      style={{ '--aspect': size.width / size.height } as CSSProperties}
      data-state={state}
    >
      <img className={classes.still} src={parts.colour} alt="" />
      <div
        ref={host}
        className={classes.canvas}
        role="img"
        aria-label={movable ? `${label} ${t('keys')}` : label}
        tabIndex={movable ? 0 : undefined}
        onPointerMove={movable ? onPointerMove : undefined}
        onKeyDown={movable ? onKeyDown : undefined}
      />
      {state !== 'ready' && state !== 'loading' && (
        <div className={classes.note} role="status">
          <span>{t(state)}</span>
          {state === 'failed' && (
            <Button size="compact-md" variant="default" onClick={retry}>
              {t('retry')}
            </Button>
          )}
        </div>
      )}
      {state === 'loading' && <div className={classes.shimmer} aria-hidden />}
      {mode === 'quilt' && state === 'ready' && (
        <div className={classes.counter} aria-hidden>
          {t('viewOf', { view: view + 1, views })}
        </div>
      )}
      {askTilt && (
        <Button
          className={classes.tilt ?? ''}
          variant="default"
          leftSection={<IconDeviceMobileRotated aria-hidden />}
          onClick={askTilt}
        >
          {t('tilt')}
        </Button>
      )}
    </div>
  );
}
