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
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Pixels that the mouse moves before it drags, so that a click stays a click. */
const DRAG_PX = 6;
/** A touch drags after this time; before, it scrolls the page. */
const PRESS = { delay: 250, tolerance: 8 } as const;

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
  /** Moves a row before another one, or to the end with null; done when the rows are in their new order, or stayed. */
  readonly onMove: (id: string, before: string | null) => Promise<unknown>;
  readonly className: string | undefined;
  readonly list?: RefObject<HTMLUListElement | null>;
  /** The `SortableRow` of a row, at its place from 0. `move` takes it to another one. */
  readonly children: (row: Row, index: number, move: (index: number) => void) => ReactNode;
}

/**
 * A list that is ordered by dragging with the mouse, by a long press and drag on a touch screen, and by the keys of the
 * handle: space lifts, arrows move, space drops, Escape takes back. A live region tells every step. Its texts are those
 * of the area `sorting`, which the page loads with its own.
 */
export function SortableList<Row extends { readonly id: string }>(props: Props<Row>) {
  const { rows, nameOf, onMove, className, list, children } = props;
  const { t } = useTranslation('sorting');
  // A row that is dropped is drawn at its new place at once. The cache learns of the order a moment later: until then,
  // the row would be back where it was lifted, and then slide in from beyond its place.
  const [dropped, setDropped] = useState<readonly string[]>();
  const shown =
    dropped?.length === rows.length
      ? rows.toSorted((one, other) => dropped.indexOf(one.id) - dropped.indexOf(other.id))
      : rows;
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_PX } }),
    useSensor(TouchSensor, { activationConstraint: PRESS }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = shown.map(({ id }) => id);
  const step = (id: UniqueIdentifier, at: UniqueIdentifier = id) => {
    const row = rows.find((one) => one.id === id);
    return { name: row ? nameOf(row) : '', place: ids.indexOf(String(at)) + 1, total: rows.length };
  };

  /** Moves a row to a place of the list, which is counted from 0. */
  const moveTo = (id: string, index: number) => {
    const others = ids.filter((other) => other !== id);
    if (index === ids.indexOf(id) || index < 0 || index >= rows.length) return;
    const order = others.toSpliced(index, 0, id);
    setDropped(order);
    // A row that was dropped meanwhile stays at its new place.
    void onMove(id, others[index] ?? null).finally(() => setDropped((now) => (now === order ? undefined : now)));
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) moveTo(String(active.id), ids.indexOf(String(over.id)));
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('lifted', step(active.id)),
    // Also called right after the start, over the row's own place: its words would replace those of the start.
    onDragOver: ({ active, over }) =>
      !over ? undefined : over.id === active.id ? t('lifted', step(active.id)) : t('over', step(active.id, over.id)),
    onDragEnd: ({ active, over }) => t('dropped', step(active.id, over?.id)),
    onDragCancel: ({ active }) => t('cancelled', step(active.id)),
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('how') } }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul ref={list} className={className}>
          {shown.map((row, index) => children(row, index, (to) => moveTo(row.id, to)))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}
