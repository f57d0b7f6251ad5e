import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { Catalogue } from './Catalogue.tsx';
import { Controls } from './Controls.tsx';
import classes from './GalleryPage.module.css';
import { Messages } from './Messages.tsx';
import { Waiting } from './Waiting.tsx';

/** Every part that screens are made of, in every state: to look at while working on it. */
export function GalleryPage() {
  const { t } = useTranslation('dev');
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div>
        <Title order={1}>{t('title')}</Title>
        <Text c="dimmed">{t('intro')}</Text>
      </div>
      <Messages />
      <Waiting />
      <Controls />
      <Catalogue />
    </div>
  );
}
