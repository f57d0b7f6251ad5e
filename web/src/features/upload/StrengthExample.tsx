import type { DeviceType } from '@framelift/contract';
import { shift } from '@framelift/engine/geometry';
import type { CSSProperties } from 'react';
import { parallaxOf } from '../../ui/depth/parallax.ts';
import { parseRatio } from './crop-rect.ts';
import classes from './StrengthExample.module.css';

/** Units of the drawing. The width is that of the frame's picture, so shifts are shares of it. */
const WIDTH = 400;
const HEIGHT = 200;
const CONVERGENCE = 0.5;

/** A landscape of paper: what is drawn at which depth, far first. */
const LAYERS = [
  { name: 'sun', depth: 0.05, shape: <circle cx="275" cy="72" r="34" /> },
  { name: 'mountains', depth: 0.25, shape: <path d="M-40 150 40 84l46 40 62-66 78 74 58-44 84 56 72-30v140H-40z" /> },
  { name: 'hills', depth: 0.5, shape: <path d="M-40 150c60-34 118-34 178-8s122 30 184 2 90-20 118-8v110H-40z" /> },
  { name: 'trees', depth: 0.75, shape: <path d="M-40 184c70-22 130-18 190-6s140 14 290-14v60H-40z" /> },
  { name: 'bird', depth: 1, shape: <path d="M96 96q22-26 44-4 20-24 46-2-26-6-44 14-20-18-46-8z" /> },
] as const;

/**
 * How far near and far things travel between the outermost views at a strength, by the very formula of the conversion.
 * An example: the depth of the person's own picture is not known before the upload.
 */
export function StrengthExample({ percent, device }: { percent: number; device: DeviceType | undefined }) {
  const [width, height] = parseRatio(device?.ratio);
  const parallax = parallaxOf('quilt', percent, { width, height }, CONVERGENCE);
  return (
    <svg className={classes.scene} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden preserveAspectRatio="xMidYMid slice">
      {LAYERS.map(({ name, depth, shape }) => (
        <g
          key={name}
          className={`${classes.layer} ${classes[name]}`}
          style={{ '--reach': `${shift(parallax, 1, depth, 0.5) * WIDTH}px` } as CSSProperties}
        >
          {shape}
        </g>
      ))}
    </svg>
  );
}
