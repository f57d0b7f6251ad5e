import type { Media } from '@framelift/contract';
import { Button, Skeleton, Text } from '@mantine/core';
import IconPhotoCheck from '@tabler/icons-react/icons/IconPhotoCheck';
import IconSlideshow from '@tabler/icons-react/icons/IconSlideshow';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceTypesQuery } from '../../api/device-types.ts';
import { type MediaFilter, mediaListQuery, mediaSummaryQuery } from '../../api/media.ts';
import { useSession } from '../../api/session.ts';
import { formatMonth, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { InfiniteGrid } from '../../ui/InfiniteGrid.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { EmptyContent } from './EmptyContent.tsx';
import { type CardAction, MediaCard } from './MediaCard.tsx';
import classes from './MediaWall.module.css';
import { SelectionBar } from './SelectionBar.tsx';
import { useMediaActions } from './use-media-actions.ts';
import { useSelection, useSelectionKeys } from './use-selection.ts';

const MediaViewer = lazyNamed(() => import('../../shared/media-viewer/MediaViewer.tsx'), 'MediaViewer');

interface Props {
  readonly filter?: MediaFilter;
  /** Shown if there is nothing. */
  readonly empty?: ReactNode;
  /** What belongs to a product: it can be looked at, downloaded and shown on frames, and not changed. */
  readonly fixed?: boolean;
}

const ALL: MediaFilter = {};
const NOTHING: readonly Media[] = [];

/** The member's media, by month where they are sorted by time: opened, selected, and shown one after the other. */
export function MediaWall({ filter: given = ALL, empty = <EmptyContent />, fixed = false }: Props) {
  const { t } = useTranslation('content');
  const language = currentLanguage();
  const { kind } = useSession();
  const isMember = kind === 'member';
  // The same object as long as the filter is the same, for the cards.
  const written = JSON.stringify(given);
  const filter = useMemo<MediaFilter>(() => JSON.parse(written), [written]);
  const isAlbum = filter.album !== undefined;
  const query = useInfiniteQuery({
    ...mediaListQuery(filter),
    // While a search is typed, what was found before stays.
    ...(!isAlbum && { placeholderData: keepPreviousData }),
  });
  const { data: summary } = useQuery({
    ...mediaSummaryQuery(filter),
    enabled: isMember,
    ...(!isAlbum && { placeholderData: keepPreviousData }),
  });
  const { data: devices } = useQuery(deviceTypesQuery);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? NOTHING, [query.data]);
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const selection = useSelection(ids);
  useSelectionKeys(isMember, selection.selecting, selection);
  const actions = useMediaActions(filter.album);
  const [viewer, setViewer] = useState<{ readonly start: string; readonly playing: boolean } | null>(null);
  const wall = useRef<HTMLDivElement>(null);

  const latest = useRef(actions);
  latest.current = actions;
  const act = useCallback((action: CardAction, media: Media) => {
    if (action === 'view') setViewer({ start: media.id, playing: false });
    else void latest.current[action]([media]);
  }, []);

  const counts = useMemo(() => new Map(summary?.months.map(({ month, count }) => [month, count])), [summary]);
  const headingOf = ({ date }: Media) => {
    const time = new Date(date);
    const count = counts.get(`${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}`);
    const month = formatMonth(time, language);
    return count === undefined ? month : t('month', { month, count: formatNumber(count, language) });
  };
  const [first] = items;

  return (
    <div
      ref={wall}
      className={classes.place}
      data-stale={query.isPlaceholderData || undefined}
      data-selecting={selection.selecting || undefined}
    >
      {isMember && (first || query.isPending || hasNextPage) && (
        <div className={classes.head}>
          {summary ? (
            <Text c="dimmed">{t('total', { count: summary.total })}</Text>
          ) : (
            <Skeleton className={classes.total} />
          )}
          <Button
            variant="default"
            leftSection={<IconSlideshow size="1.25rem" aria-hidden />}
            disabled={!first}
            onClick={() => first && setViewer({ start: first.id, playing: true })}
          >
            {t('slideshow')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconPhotoCheck size="1.25rem" aria-hidden />}
            disabled={!first || selection.selecting}
            onClick={selection.begin}
          >
            {t('select')}
          </Button>
        </div>
      )}
      <InfiniteGrid
        query={query}
        shape="tall"
        failed={t('failed')}
        shown={(count) => t('shown', { count })}
        empty={empty}
        headingOf={isMember && filter.sort !== 'name' ? headingOf : undefined}
      >
        {(media) => (
          <MediaCard
            key={media.id}
            media={media}
            list={filter}
            fixed={fixed}
            device={devices?.find(({ id }) => id === media.device_type_id)?.name}
            isGuest={kind === 'guest'}
            isSelecting={selection.isSelecting}
            selected={selection.has(media.id)}
            leaving={actions.leaving.has(media.id)}
            onSelect={selection.toggle}
            onAction={act}
          />
        )}
      </InfiniteGrid>
      {selection.selecting && (
        <SelectionBar
          media={items.filter(({ id }) => selection.has(id))}
          inAlbum={isAlbum}
          fixed={fixed}
          actions={actions}
          onAll={selection.all}
          onEnd={selection.end}
        />
      )}
      <Suspense fallback={null}>
        {viewer && (
          <MediaViewer
            items={items}
            total={summary?.total ?? items.length}
            {...viewer}
            // After a failure the viewer stays within what is loaded; "Show more" asks again.
            onMore={hasNextPage && !isFetchNextPageError ? more : undefined}
            onClosed={(id) => {
              setViewer(null);
              wall.current?.querySelector(`a[href*="${id}"]`)?.scrollIntoView({ block: 'nearest' });
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
