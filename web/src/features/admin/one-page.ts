import type { UseQueryResult } from '@tanstack/react-query';
import type { PagedQuery } from '../../ui/InfiniteList.tsx';

/** Presents a list that has one page to parts that show paged lists. */
export function onePage<Row>(query: UseQueryResult<Row[]>): PagedQuery<Row> {
  const { data, isError, isFetching, error, refetch } = query;
  return {
    data: data && { pages: [{ data }] },
    isError,
    isFetching,
    error,
    refetch,
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => {},
  };
}
