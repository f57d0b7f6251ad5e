import { Select, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MediaListType } from '../../api/media.ts';
import classes from './ContentPage.module.css';
import { MediaWall } from './MediaWall.tsx';

const TYPES: readonly MediaListType[] = ['all', '0', '1', '2'];

/** The member's own media, filtered by type. */
export function ContentPage() {
  const { t } = useTranslation('content');
  const [type, setType] = useState<MediaListType>('all');
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={1}>{t('title')}</Title>
        <Select
          aria-label={t('type.label')}
          className={classes.type}
          size="md"
          allowDeselect={false}
          data={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
          value={type}
          onChange={(value) => value && setType(value as MediaListType)}
        />
      </div>
      <MediaWall type={type} />
    </div>
  );
}
