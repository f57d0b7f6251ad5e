import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { FrameItem, OwnFrame } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { moveFrameItem } from '../../../api/frames.ts';
import classes from './FrameItems.module.css';
import { ItemRow } from './ItemRow.tsx';

/** Pixels that the mouse moves before it drags, so that a click stays a click. */
const DRAG_PX = 6;
/** A touch drags after this time; before, it scrolls the page. */
const PRESS = { delay: 250, tolerance: 8 } as const;

/**
 * The items of a frame, ordered by dragging with the mouse, by a long press and drag on a touch screen, and by the keys
 * of the handle: space lifts, arrows move, space drops, Escape takes back. A live region tells every step.
 */
export function SortableItems({ frame, items }: { frame: OwnFrame; items: readonly FrameItem[] }) {
  const { t } = useTranslation('frames');
  const move = useMutation(moveFrameItem(frame.id));
  const list = useRef<HTMLUListElement>(null);
  // A row that is dropped is drawn at its new place at once. The cache learns of the order a moment later: until then,
  // the row would be back where it was lifted, and then slide in from beyond its place.
  const [dropped, setDropped] = useState<readonly string[]>();
  const shown =
    dropped?.length === items.length
      ? items.toSorted((one, other) => dropped.indexOf(one.id) - dropped.indexOf(other.id))
      : items;
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_PX } }),
    useSensor(TouchSensor, { activationConstraint: PRESS }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = shown.map(({ id }) => id);
  const total = items.length;
  const about = (id: UniqueIdentifier) => items.find((one) => one.id === id)?.name ?? '';
  const place = (id: UniqueIdentifier) => ids.indexOf(String(id)) + 1;

  /** Moves an item to a place of the list, which is counted from 0. */
  const moveTo = (item: string, index: number) => {
    const others = ids.filter((id) => id !== item);
    if (index === ids.indexOf(item) || index < 0 || index >= total) return;
    setDropped(others.toSpliced(index, 0, item));
    move.mutate({ item, before: others[index] ?? null }, { onSettled: () => setDropped(undefined) });
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) moveTo(String(active.id), ids.indexOf(String(over.id)));
  };
  const lifted = (id: UniqueIdentifier) => t('order.lifted', { name: about(id), place: place(id), total });
  const announcements: Announcements = {
    onDragStart: ({ active }) => lifted(active.id),
    // Also called right after the start, over the item's own place: its words would replace those of the start.
    onDragOver: ({ active, over }) =>
      !over
        ? undefined
        : over.id === active.id
          ? lifted(active.id)
          : t('order.over', { name: about(active.id), place: place(over.id), total }),
    onDragEnd: ({ active, over }) =>
      t('order.dropped', { name: about(active.id), place: place(over?.id ?? active.id), total }),
    onDragCancel: ({ active }) => t('order.cancelled', { name: about(active.id), place: place(active.id), total }),
  };
  /** The row, and the focus with it, is gone: the keyboard goes on at its neighbour. */
  const onGone = (item: string) => {
    const next = ids[ids.indexOf(item) + 1] ?? ids[ids.indexOf(item) - 1];
    list.current?.querySelector<HTMLElement>(`[data-item="${next}"] button`)?.focus();
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('order.how') } }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul ref={list} className={classes.items}>
          {shown.map((item, index) => (
            <ItemRow
              key={item.id}
              frame={frame}
              item={item}
              index={index}
              total={total}
              onMove={(to) => moveTo(item.id, to)}
              onGone={() => onGone(item.id)}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}
