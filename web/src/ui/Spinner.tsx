import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './Spinner.module.css';

/** Loading indicator that replaces the content. It appears after a short delay, so that short waits do not flicker. */
export function Spinner() {
  const { t } = useTranslation();
  return (
    <output className={classes.place} aria-label={t('loading')}>
      <Loader type="dots" aria-hidden />
    </output>
  );
}
