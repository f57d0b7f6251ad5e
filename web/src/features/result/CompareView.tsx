import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import DepthView from '../../ui/depth/DepthView.tsx';
import type { DepthParts } from '../../ui/depth/load-parts.ts';
import classes from './CompareView.module.css';

interface CompareViewProps {
  readonly parts: DepthParts;
  readonly size: { readonly width: number; readonly height: number };
  readonly strength: number;
  readonly label: string;
}

/** Before and after: the flat picture left of a handle, the living one right of it. */
export function CompareView({ parts, size, strength, label }: CompareViewProps) {
  const { t } = useTranslation('result');
  const [at, setAt] = useState(50);
  return (
    <div className={classes.compare} style={{ '--at': `${at}%` } as CSSProperties}>
      <DepthView parts={parts} size={size} strength={strength} label={label} />
      <img className={classes.flat} src={parts.colour} alt="" />
      <span className={classes.before} aria-hidden>
        {t('compare.flat')}
      </span>
      <span className={classes.after} aria-hidden>
        {t('compare.deep')}
      </span>
      <input
        className={classes.range}
        type="range"
        min={0}
        max={100}
        value={at}
        aria-label={t('compare.handle')}
        onChange={(event) => setAt(event.currentTarget.valueAsNumber)}
      />
      <span className={classes.handle} aria-hidden />
    </div>
  );
}
