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
  /** Shows only this album, and `empty` if it has no media. */
  readonly album?: { readonly id: string; readonly empty: ReactNode };
}

/** The member's media of one type, newest first. */
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

/** Placeholder for an empty list, with a button for the first conversion. */
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
