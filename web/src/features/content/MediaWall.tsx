import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type MediaListType, mediaListQuery } from '../../api/media.ts';
import { useUploadDialog } from '../../ui/uploadDialog.tsx';
import { EmptyContent } from './EmptyContent.tsx';
import { MediaCard } from './MediaCard.tsx';
import classes from './MediaWall.module.css';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

interface Props {
  readonly type?: MediaListType;
  /** Only what lies in this album, and what to show where that is nothing. */
  readonly album?: { readonly id: string; readonly empty: ReactNode };
}

/** One's own pictures and films of a kind, newest first, a page at a time. */
export function MediaWall({ type = 'all', album }: Props) {
  const { t } = useTranslation('content');
  const { open } = useUploadDialog();
  const list = useInfiniteQuery(mediaListQuery(type, album?.id));
  const items = list.data?.pages.flatMap((page) => page.data) ?? [];
  const grid = useRef<HTMLUListElement>(null);

  // The button may be gone: whoever used the keyboard goes on at the first new card.
  const firstNew = useRef<number | null>(null);
  useEffect(() => {
    if (firstNew.current === null || items.length <= firstNew.current) return;
    grid.current?.children[firstNew.current]?.querySelector('a')?.focus();
    firstNew.current = null;
  }, [items.length]);
  const showMore = () => {
    firstNew.current = items.length;
    void list.fetchNextPage();
  };

  if (list.isPending) {
    return (
      <ul className={classes.grid} aria-hidden>
        {SKELETONS.map((key) => (
          <li key={key}>
            <Skeleton className={classes.skeleton} />
            <Skeleton className={classes.line} />
          </li>
        ))}
      </ul>
    );
  }
  if (list.isError && items.length === 0) {
    return (
      <Stack align="center" className={classes.note} role="alert">
        <Text>{t('failed')}</Text>
        <Button variant="default" onClick={() => void list.refetch()}>
          {t('retry')}
        </Button>
      </Stack>
    );
  }
  if (items.length === 0) {
    if (album) return album.empty;
    return (
      <div className={classes.note}>
        <EmptyContent filtered={type !== 'all'} onConvert={() => open()} />
      </div>
    );
  }
  return (
    <Stack gap="lg">
      <ul className={classes.grid} ref={grid} data-guide="wall">
        {items.map((media) => (
          <MediaCard key={media.id} media={media} albumId={album?.id} />
        ))}
      </ul>
      <VisuallyHidden role="status">{t('shown', { count: items.length })}</VisuallyHidden>
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={showMore}>
            {t('more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
