import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon } from '@mantine/core';
import IconGripVertical from '@tabler/icons-react/icons/IconGripVertical';
import type { KeyboardEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './SortableRow.module.css';

interface Props {
  readonly id: string;
  /** Names the handle. */
  readonly name: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A row of a `SortableList`: the mouse and a finger drag it anywhere, the keys move it by the handle before its content. */
export function SortableRow({ id, name, className, children }: Props) {
  const { t } = useTranslation('sorting');
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    attributes: { roleDescription: t('role') },
  });
  // The space bar lifts the row only at its handle: it also presses the other buttons of the row.
  const { onKeyDown, ...pointer } = listeners ?? {};
  return (
    <li
      ref={setNodeRef}
      className={`${classes.row} ${className ?? ''}`}
      data-item={id}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      {...pointer}
    >
      <ActionIcon
        {...attributes}
        ref={setActivatorNodeRef}
        aria-label={t('move', { name })}
        className={classes.handle ?? ''}
        onKeyDown={onKeyDown as KeyboardEventHandler | undefined}
      >
        <IconGripVertical size="1.25rem" stroke={1.5} aria-hidden />
      </ActionIcon>
      {children}
    </li>
  );
}
