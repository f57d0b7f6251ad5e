import type { ReactNode } from 'react';
import { Modal } from '../../ui/Modal.tsx';
import type { Editing } from './use-editing.ts';

interface Props<Row extends object> {
  readonly editing: Editing<Row>;
  /** Title of the form of another one. */
  readonly newTitle?: string;
  readonly titleOf: (row: Row) => string;
  /** The form; null adds one. */
  readonly children: (row: Row | null) => ReactNode;
}

/** Dialog of a form. A click outside does not close it, so that nothing that was typed is lost. */
export function EditDialog<Row extends object>({ editing, newTitle = '', titleOf, children }: Props<Row>) {
  const { isOpen, row, close } = editing;
  return (
    <Modal opened={isOpen} onClose={close} title={row ? titleOf(row) : newTitle} closeOnClickOutside={false}>
      {isOpen && children(row)}
    </Modal>
  );
}
