import { useState } from 'react';
import { type UndoableAction, useUndoableAction } from './use-undoable-action.ts';

export type Editing<Row extends object> = ReturnType<typeof useEditing<Row>>;

/** State of a dialog that edits a row or adds one, and the action that saves it and closes the dialog. */
export function useEditing<Row extends object>() {
  const [edited, setEdited] = useState<Row | 'new' | null>(null);
  const action = useUndoableAction();
  const edit = (next: typeof edited) => {
    // What an earlier form was refused for is not shown in this one.
    action.reset();
    setEdited(next);
  };
  const close = () => edit(null);
  return {
    isOpen: edited !== null,
    /** The row that is edited, as it was; null if one is added. */
    row: edited === 'new' ? null : edited,
    edit,
    close,
    save: (change: UndoableAction) => action.mutate(change, { onSuccess: close }),
    /** State of the form. */
    form: { saving: action.isPending, refused: action.error },
  };
}
