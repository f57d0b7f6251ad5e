import type { DeviceType } from '@framelift/contract';
import { shift } from '@framelift/engine/geometry';
import { parallaxOf } from '@framelift/engine/webgl';
import type { CSSProperties } from 'react';
import { parseRatio } from '../../ui/crop/crop-rect.ts';
import classes from './StrengthExample.module.css';

/** Size of the drawing in units. The width corresponds to the picture's, so shifts are fractions of it. */
const WIDTH = 400;
const HEIGHT = 225;
const CONVERGENCE = 0.5;

/** A paper-cut landscape: shapes with their depths, far first. */
const LAYERS = [
  { name: 'sun', depth: 0.05, shape: <circle cx="272" cy="84" r="36" /> },
  {
    name: 'mountains',
    depth: 0.25,
    shape: <path d="M-40 170 34 96l44 46 66-78 82 92 60-52 84 66 90-44v140H-40z" />,
  },
  {
    name: 'hills',
    depth: 0.5,
    shape: <path d="M-40 160c60-26 118-26 178 0s122 24 184 2 90-16 118-4v100H-40z" />,
  },
  { name: 'meadow', depth: 0.8, shape: <path d="M-40 188c70-18 130-14 190-2s140 16 290-12v80H-40z" /> },
  { name: 'bird', depth: 1, shape: <path d="M84 106q24-28 48-4 22-26 50-2-28-7-48 15-20-20-50-9z" /> },
] as const;

/**
 * Shows how far near and far objects move between the outermost views at a strength, by the same formula as the
 * conversion. It is only an example: the depth of the user's picture is not known before the upload.
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
