import type { FrameItem, OwnFrame } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { moveFrameItem } from '../../../api/frames.ts';
import { SortableList } from '../../../ui/SortableList.tsx';
import classes from './FrameItems.module.css';
import { ItemRow } from './ItemRow.tsx';

/** The items of a frame, ordered by dragging and by keys. */
export function SortableItems({ frame, items }: { frame: OwnFrame; items: readonly FrameItem[] }) {
  const move = useMutation(moveFrameItem(frame.id));
  const list = useRef<HTMLUListElement>(null);
  /** The row, and the focus with it, is gone: the keyboard goes on at its neighbour. */
  const onGone = (index: number) => {
    const next = items[index + 1]?.id ?? items[index - 1]?.id;
    list.current?.querySelector<HTMLElement>(`[data-item="${next}"] button`)?.focus();
  };
  return (
    <SortableList
      rows={items}
      nameOf={({ name }) => name}
      // Its failure is shown as a toast.
      onMove={(item, before) => move.mutateAsync({ item, before }).catch(() => {})}
      className={classes.items}
      list={list}
    >
      {(item, index, onMove) => (
        <ItemRow
          key={item.id}
          frame={frame}
          item={item}
          index={index}
          total={items.length}
          onMove={onMove}
          onGone={() => onGone(index)}
        />
      )}
    </SortableList>
  );
}
