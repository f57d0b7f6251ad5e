import { Button, Group, Select, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MediaListType, mediaListQuery } from '../../api/media.ts';
import { useUploadDialog } from '../../ui/uploadDialog.tsx';
import classes from './ContentPage.module.css';
import { EmptyContent } from './EmptyContent.tsx';
import { MediaCard } from './MediaCard.tsx';

const TYPES: readonly MediaListType[] = ['all', '0', '1', '2'];
const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** One's own pictures and films, newest first. */
export default function ContentPage() {
  const { t } = useTranslation('content');
  const { open } = useUploadDialog();
  const [type, setType] = useState<MediaListType>('all');
  const list = useInfiniteQuery(mediaListQuery(type));
  const items = list.data?.pages.flatMap((page) => page.data) ?? [];
  const grid = useRef<HTMLUListElement>(null);

  const showMore = async () => {
    const before = items.length;
    await list.fetchNextPage();
    // The button may be gone: whoever used the keyboard goes on at the first new card.
    requestAnimationFrame(() => grid.current?.children[before]?.querySelector('a')?.focus());
  };

  return (
    <div className={classes.page}>
      <Group justify="space-between" align="flex-end" className={classes.head}>
        <Title order={1} size="h2">
          {t('title')}
        </Title>
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <Select
            aria-label={t('type.label')}
            className={classes.type}
            size="md"
            allowDeselect={false}
            data={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
            value={type}
            onChange={(value) => value && setType(value as MediaListType)}
          />
          <Button leftSection={<IconPlus size="1.1em" aria-hidden />} onClick={() => open()}>
            {t('convert')}
          </Button>
        </Group>
      </Group>

      {list.isPending && (
        <ul className={classes.grid} aria-hidden>
          {SKELETONS.map((key) => (
            <li key={key}>
              <Skeleton className={classes.skeleton} />
              <Skeleton height="1rem" width="70%" mt="sm" />
            </li>
          ))}
        </ul>
      )}
      {list.isError && items.length === 0 && (
        <Stack align="center" className={classes.note} role="alert">
          <Text>{t('failed')}</Text>
          <Button variant="default" onClick={() => void list.refetch()}>
            {t('retry')}
          </Button>
        </Stack>
      )}
      {list.isSuccess && items.length === 0 && <EmptyContent filtered={type !== 'all'} onConvert={() => open()} />}

      <ul className={classes.grid} ref={grid}>
        {items.map((media) => (
          <MediaCard key={media.id} media={media} />
        ))}
      </ul>
      <VisuallyHidden role="status">{items.length > 0 && t('shown', { count: items.length })}</VisuallyHidden>
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void showMore()}>
            {t('more')}
          </Button>
        </Group>
      )}
    </div>
  );
}
