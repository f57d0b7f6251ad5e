import { Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AskedQuery, QueryState, type QueryStateProps } from './QueryState.tsx';

interface Pages<T> {
  readonly pages: readonly { readonly data: readonly T[] }[];
}

/** Query of a paged list. */
export interface PagedQuery<T> extends AskedQuery<Pages<T>> {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: (options?: { cancelRefetch?: boolean }) => unknown;
}

interface InfiniteListProps<T, E extends HTMLElement> extends Omit<QueryStateProps<Pages<T>>, 'query' | 'children'> {
  readonly query: PagedQuery<T>;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
  /** Text that tells screen readers how many rows are shown. */
  readonly shown?: (count: number) => string;
  /** Selector of the element to focus in a row; the row itself when absent. */
  readonly focus?: string;
  /** Selector of the rows, where they are not the children of the place. */
  readonly row?: string;
  /** After the first "Show more" further pages come by themselves, as the end of the list comes near. */
  readonly goesOn?: boolean;
  /** Renders the rows as children of the element that `place` refers to. */
  readonly children: (rows: readonly T[], place: RefObject<E | null>) => ReactNode;
}

/** Two screens ahead: what comes is there before it is looked at. */
const NEAR = '200% 0px';

/**
 * A paged list in all its states: loading, failed, empty, and with more pages. "Show more" may be removed once the new
 * rows are loaded, so the focus moves to the first of them.
 */
export function InfiniteList<T, E extends HTMLElement>({
  query,
  empty,
  shown,
  focus,
  row = ':scope > *',
  gap = 'md',
  goesOn = false,
  children,
  ...states
}: InfiniteListProps<T, E>) {
  const { t } = useTranslation();
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const place = useRef<E>(null);
  const firstNew = useRef<number | null>(null);
  useEffect(() => {
    if (firstNew.current === null || rows.length <= firstNew.current) return;
    const shownRow = place.current?.querySelectorAll(row)[firstNew.current];
    const target = focus ? shownRow?.querySelector(focus) : shownRow;
    if (target instanceof HTMLElement) target.focus();
    firstNew.current = null;
  }, [rows.length, focus, row]);
  const end = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(false);
  const { hasNextPage, isFetching, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    // Rows that come another time, after a failure, do not move the focus.
    if (!isFetchingNextPage) firstNew.current = null;
  }, [isFetchingNextPage]);
  // Somebody who comes back to a list of several pages has asked before.
  const wasAsked = asked || (query.data?.pages.length ?? 0) > 1;
  const isWaiting = goesOn && wasAsked && hasNextPage && !isFetching && !isError;
  // An end that stays near after a page is told of again.
  useEffect(() => {
    const place = end.current;
    if (!isWaiting || !place) return;
    let isNear = false;
    const goOn = (focused: EventTarget | null) => {
      // The button would lose the focus while it loads.
      if (!isNear || (focused instanceof Node && place.contains(focused))) return;
      // One that is on its way is not asked for again.
      void fetchNextPage({ cancelRefetch: false });
    };
    const near = new IntersectionObserver(
      (entries) => {
        isNear = entries.at(-1)?.isIntersecting ?? false;
        goOn(document.activeElement);
      },
      { rootMargin: NEAR },
    );
    near.observe(place);
    // A window that is left keeps its focused element.
    const onFocusOut = ({ relatedTarget }: FocusEvent) => goOn(relatedTarget ?? document.activeElement);
    place.addEventListener('focusout', onFocusOut);
    return () => {
      near.disconnect();
      place.removeEventListener('focusout', onFocusOut);
    };
  }, [isWaiting, rows.length, fetchNextPage]);
  const showMore = () => {
    firstNew.current = rows.length;
    setAsked(true);
    void fetchNextPage();
  };
  return (
    <QueryState query={query} {...states}>
      {() => {
        // All rows that were loaded can be gone while more follow, e.g. after they were deleted.
        if (rows.length === 0 && !hasNextPage) return empty;
        if (rows.length === 0 && isFetching) return states.loading;
        return (
          <Stack gap={gap}>
            {children(rows, place)}
            {shown && <VisuallyHidden role="status">{shown(rows.length)}</VisuallyHidden>}
            {hasNextPage && (
              <Group justify="center" ref={end}>
                <Button variant="default" loading={isFetchingNextPage} onClick={showMore}>
                  {t('more')}
                </Button>
              </Group>
            )}
          </Stack>
        );
      }}
    </QueryState>
  );
}
