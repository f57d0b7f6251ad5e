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
  /** Returns the heading under which a card stands; neighbours with the same one stand together. */
  readonly headingOf?: ((item: T) => string) | undefined;
  /** Renders one card, an `<li>` with a link and a key. */
  readonly children: (item: T) => ReactNode;
}

/** Returns the items in runs of the same heading. */
function grouped<T>(items: readonly T[], headingOf: (item: T) => string) {
  const groups: { heading: string; items: T[] }[] = [];
  for (const item of items) {
    const heading = headingOf(item);
    const last = groups.at(-1);
    if (last?.heading === heading) last.items.push(item);
    else groups.push({ heading, items: [item] });
  }
  return groups;
}

/** Grid of cards of a paged list. */
export function InfiniteGrid<T>({ shape, empty, headingOf, children, ...list }: InfiniteGridProps<T>) {
  return (
    <InfiniteList<T, HTMLDivElement>
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
      row="li"
      goesOn
      focus="a"
      gap="lg"
    >
      {(items, place) => (
        <div className={classes.groups} ref={place} data-guide="wall">
          {headingOf ? (
            grouped(items, headingOf).map((group) => (
              <section key={group.heading}>
                <h2 className={classes.heading}>{group.heading}</h2>
                <ul className={classes.grid}>{group.items.map(children)}</ul>
              </section>
            ))
          ) : (
            <ul className={classes.grid}>{items.map(children)}</ul>
          )}
        </div>
      )}
    </InfiniteList>
  );
}
