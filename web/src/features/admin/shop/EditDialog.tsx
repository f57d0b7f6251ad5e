import type { ReactNode } from 'react';
import { Modal } from '../../../ui/Modal.tsx';

/** What a form edits: a row, or another one; null while it is closed. */
export type Edited<Row> = Row | 'new' | null;

interface Props<Row> {
  readonly edited: Edited<Row>;
  /** Title of the form of another one. */
  readonly newTitle: string;
  readonly titleOf: (row: Row) => string;
  readonly onClose: () => void;
  /** The form; null adds one. */
  readonly children: (row: Row | null) => ReactNode;
}

/** Dialog of a form. A click outside does not close it, so that nothing that was typed is lost. */
export function EditDialog<Row extends object>({ edited, newTitle, titleOf, onClose, children }: Props<Row>) {
  const row = edited === 'new' ? null : edited;
  return (
    <Modal opened={edited !== null} onClose={onClose} title={row ? titleOf(row) : newTitle} closeOnClickOutside={false}>
      {edited !== null && children(row)}
    </Modal>
  );
}
