import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './InfiniteGrid.module.css';
import { InfiniteList, type PagedQuery } from './InfiniteList.tsx';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

interface InfiniteGridProps<T> {
  readonly query: PagedQuery<T>;
  /** Aspect ratio of the cards' pictures. */
  readonly shape: 'tall' | 'wide';
  readonly failed: string;
  /** Text that tells screen readers how many cards are shown. */
  readonly shown: (count: number) => string;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
  /** Renders one card, an `<li>` with a link and a key. */
  readonly children: (item: T) => ReactNode;
}

/** Grid of cards of a paged list. */
export function InfiniteGrid<T>({ shape, empty, children, ...list }: InfiniteGridProps<T>) {
  return (
    <InfiniteList<T, HTMLUListElement>
      {...list}
      loading={
        <ul className={classes.grid} aria-hidden>
          {SKELETONS.map((key) => (
            <li key={key}>
              <Skeleton className={classes.skeleton} data-shape={shape} />
              <Skeleton className={classes.line} />
            </li>
          ))}
        </ul>
      }
      className={classes.note ?? ''}
      empty={<div className={classes.note}>{empty}</div>}
      focus="a"
      gap="lg"
    >
      {(items, place) => (
        <ul className={classes.grid} ref={place} data-guide="wall">
          {items.map(children)}
        </ul>
      )}
    </InfiniteList>
  );
}
