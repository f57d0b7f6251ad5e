import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DepthView, type DepthViewProps } from '../../shared/depth-view/DepthView.tsx';
import classes from './CompareView.module.css';

/** Comparison: the flat picture left of a handle, the live depth view right of it. */
export function CompareView(view: Omit<DepthViewProps, 'mode'>) {
  const { t } = useTranslation('result');
  const [at, setAt] = useState(50);
  return (
    <div className={classes.compare} style={{ '--at': `${at}%` } as CSSProperties}>
      <DepthView {...view} />
      <img className={classes.flat} src={view.parts.colour} alt="" />
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
