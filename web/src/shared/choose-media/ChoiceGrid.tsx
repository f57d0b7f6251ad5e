import { Checkbox, Skeleton, Text } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import type { ReactNode } from 'react';
import { InfiniteList, type PagedQuery } from '../../ui/InfiniteList.tsx';
import classes from './ChooseMedia.module.css';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

const waiting = (
  <div className={classes.choices} aria-hidden>
    {SKELETONS.map((key) => (
      <Skeleton key={key} className={classes.picture} />
    ))}
  </div>
);

/** What is chosen, by its ids. */
export interface Choosing {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Nothing more can be chosen. */
  readonly isFull: boolean;
}

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly cover: string | null;
}

interface ChoiceGridProps<T extends Choice> extends Choosing {
  readonly query: PagedQuery<T>;
  readonly failed: string;
  readonly empty: ReactNode;
  readonly label: string;
  /** The label is also shown above the cards. */
  readonly labelShown?: boolean;
  /** Whether an item of the list can be chosen; the others are not shown. */
  readonly accepts?: (item: T) => boolean;
  /** A line below the name. */
  readonly note?: (item: T) => string;
}

/** A paged list as cards, several of which can be chosen. */
export function ChoiceGrid<T extends Choice>({
  query,
  failed,
  empty,
  label,
  labelShown = false,
  accepts = () => true,
  note,
  chosen,
  onChange,
  isFull,
}: ChoiceGridProps<T>) {
  const card = (item: T) => {
    const { id, name, cover } = item;
    const isChosen = chosen.includes(id);
    return (
      <Checkbox.Card
        key={id}
        className={classes.choice}
        aria-label={name}
        checked={isChosen}
        disabled={!isChosen && isFull}
        onClick={() => onChange(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
      >
        <span className={classes.picture}>
          {cover ? <img src={cover} alt="" loading="lazy" decoding="async" /> : <IconAlbum aria-hidden />}
          <Checkbox.Indicator className={classes.check} size="md" />
        </span>
        <Text component="span" size="sm" lineClamp={1} aria-hidden>
          {name}
        </Text>
        {note && (
          <Text component="span" size="xs" c="dimmed">
            {note(item)}
          </Text>
        )}
      </Checkbox.Card>
    );
  };
  return (
    <InfiniteList<T, HTMLFieldSetElement> query={query} loading={waiting} failed={failed} empty={empty}>
      {(items) => (
        <fieldset className={classes.choices} aria-label={label}>
          {labelShown && <legend>{label}</legend>}
          {items.filter(accepts).map(card)}
        </fieldset>
      )}
    </InfiniteList>
  );
}
