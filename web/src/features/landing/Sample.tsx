import { Suspense } from 'react';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './Sample.module.css';
import background from './sample/background.webp';
import backgroundDepth from './sample/background-depth.png';
import colour from './sample/colour.webp';
import depth from './sample/depth.png';

const DepthView = lazyNamed(() => import('../../shared/depth-view/DepthView.tsx'), 'DepthView');

const SIZE = { width: 1200, height: 960 };
const parts = { colour, depth, background, backgroundDepth };

/** The sample in motion. Until the preview is there the same picture stands still in the same place. */
export function Sample({ label }: { label: string }) {
  const still = <img src={colour} alt={label} {...SIZE} className={classes.still} fetchPriority="high" />;
  return (
    <Suspense fallback={still}>
      <DepthView parts={parts} label={label} size={SIZE} />
    </Suspense>
  );
}
