import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './Spinner.module.css';

/** A waiting state that takes the place of its content. It appears only after a moment, so that short waits do not flicker. */
export function Spinner() {
  const { t } = useTranslation();
  return (
    <output className={classes.place} aria-label={t('loading')}>
      <Loader type="dots" aria-hidden />
    </output>
  );
}
