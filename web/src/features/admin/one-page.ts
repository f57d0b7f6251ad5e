import type { PagedQuery } from '../../ui/InfiniteList.tsx';
import type { AskedQuery } from '../../ui/QueryState.tsx';

/** Presents a list that has one page to parts that show paged lists. */
export function onePage<Row>(query: AskedQuery<Row[]>): PagedQuery<Row> {
  const { data, isError, isFetching = false, error, refetch } = query;
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
