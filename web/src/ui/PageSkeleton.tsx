import { useTranslation } from 'react-i18next';
import classes from './PageSkeleton.module.css';

const TILES = ['1', '2', '3', '4', '5', '6'];

/**
 * Outline of a page while its code or the session is loading, shown from the first paint on. Without Mantine's
 * skeleton, which the first load does not contain.
 */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <output className={classes.page} aria-label={t('loading')} data-outline>
      <span className={classes.title} />
      <span className={classes.line} />
      <span className={classes.tiles}>
        {TILES.map((tile) => (
          <span key={tile} />
        ))}
      </span>
    </output>
  );
}
