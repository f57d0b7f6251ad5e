import { Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type MediaListType, mediaListQuery } from '../../api/media.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { InfiniteGrid } from '../../ui/InfiniteGrid.tsx';
import { MediaCard } from './MediaCard.tsx';
import classes from './MediaWall.module.css';

interface Props {
  readonly type?: MediaListType;
  /** Shows only this album, and `empty` where it has no pictures. */
  readonly album?: { readonly id: string; readonly empty: ReactNode };
}

/** The member's pictures and videos of a type, newest first. */
export function MediaWall({ type = 'all', album }: Props) {
  const { t } = useTranslation('content');
  const { open } = useUploadDialog();
  return (
    <InfiniteGrid
      query={useInfiniteQuery(mediaListQuery(type, album?.id))}
      shape="tall"
      failed={t('failed')}
      shown={(count) => t('shown', { count })}
      empty={album?.empty ?? <EmptyContent filtered={type !== 'all'} onConvert={() => open()} />}
    >
      {(media) => <MediaCard key={media.id} media={media} albumId={album?.id} />}
    </InfiniteGrid>
  );
}

/** Shown where there are no pictures, with a button to convert the first. */
function EmptyContent({ filtered, onConvert }: { filtered: boolean; onConvert: () => void }) {
  const { t } = useTranslation('content');
  if (filtered) return <Text>{t('empty.filtered')}</Text>;
  return (
    <Stack align="center" gap="md">
      <div className={classes.wall} aria-hidden>
        <span />
        <span />
        <span />
      </div>
      <Title order={2} size="h3">
        {t('empty.title')}
      </Title>
      <Text c="dimmed">{t('empty.text')}</Text>
      <Button size="lg" onClick={onConvert}>
        {t('convert')}
      </Button>
    </Stack>
  );
}
