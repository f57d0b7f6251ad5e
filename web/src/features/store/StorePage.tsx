import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Store.module.css';
import { StoreFeed } from './StoreFeed.tsx';

/** /store: the feed as a page. */
export function StorePage() {
  const { t } = useTranslation('store');
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <Title order={1}>{t('title')}</Title>
      <StoreFeed />
    </div>
  );
}
