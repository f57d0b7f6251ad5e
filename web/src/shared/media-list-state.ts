import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { type MediaFilter, mediaListQuery } from '../api/media.ts';

/** State of a link from a list of media to one of them: the list, in which the previous and the next one are found. */
export const fromList = (list: MediaFilter) => ({ list });

/** Pages that are read to find a media that is not among those already loaded. */
const MOST_PAGES = 10;

/**
 * Returns the list that the member came from (otherwise all media, newest first), as far as it is loaded, and the place
 * of one media in it. Loads more as its end comes near.
 */
export function useListAround(id: string, enabled = true) {
  const state = useLocation().state as { list?: MediaFilter } | null;
  const list = state?.list ?? {};
  const query = useInfiniteQuery({ ...mediaListQuery(list), enabled });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const items = data?.pages.flatMap((page) => page.data) ?? [];
  const index = items.findIndex((media) => media.id === id);
  const missing = index < 0 && (data?.pages.length ?? MOST_PAGES) < MOST_PAGES;
  const isIdle = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const wanted = isIdle && (missing || index === items.length - 1);
  useEffect(() => {
    if (wanted) void fetchNextPage();
  }, [wanted, fetchNextPage]);
  return { list, items, index, previous: items[index - 1], next: index < 0 ? undefined : items[index + 1] };
}
