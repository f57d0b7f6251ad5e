import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './InfiniteGrid.module.css';
import { useShowMore } from './use-show-more.ts';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A query of a list that comes a page at a time. */
interface PagedList<T> {
  readonly data: { readonly pages: readonly { readonly data: readonly T[] }[] } | undefined;
  readonly isPending: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface InfiniteGridProps<T> {
  readonly list: PagedList<T>;
  /** Of the pictures on its cards. */
  readonly shape: 'tall' | 'wide';
  readonly texts: { readonly failed: string; readonly retry: string; readonly more: string };
  /** Tells readers how many there are. */
  readonly shown: (count: number) => string;
  /** Stands where the list is empty. */
  readonly empty: ReactNode;
  /** The card of one of them, an `<li>` with a link and a key. */
  readonly children: (item: T) => ReactNode;
}

/** A wall of cards in all its states: on its way, failed, empty, and with more to show. */
export function InfiniteGrid<T>({ list, shape, texts, shown, empty, children }: InfiniteGridProps<T>) {
  const items = list.data?.pages.flatMap((page) => page.data) ?? [];
  const { place, showMore } = useShowMore<HTMLUListElement>(items.length, list.fetchNextPage, 'a');

  if (list.isPending) {
    return (
      <ul className={classes.grid} aria-hidden>
        {SKELETONS.map((key) => (
          <li key={key}>
            <Skeleton className={classes.skeleton} data-shape={shape} />
            <Skeleton className={classes.line} />
          </li>
        ))}
      </ul>
    );
  }
  if (!list.data) {
    return (
      <Stack align="center" className={classes.note} role="alert">
        <Text>{texts.failed}</Text>
        <Button variant="default" onClick={() => void list.refetch()}>
          {texts.retry}
        </Button>
      </Stack>
    );
  }
  if (items.length === 0) return <div className={classes.note}>{empty}</div>;
  return (
    <Stack gap="lg">
      <ul className={classes.grid} ref={place} data-guide="wall">
        {items.map(children)}
      </ul>
      <VisuallyHidden role="status">{shown(items.length)}</VisuallyHidden>
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={showMore}>
            {texts.more}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
