import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { refreshAdmin } from '../../api/admin.ts';
import { showError } from '../../shared/show-error.ts';
import { showToast } from '../../ui/toasts.ts';

export interface UndoableAction {
  readonly run: () => Promise<unknown>;
  /** Text of the success toast. */
  readonly done: string;
  /** Restores the previous state; offered while the toast is shown. */
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/** Returns the action that replaces `from` by `to`, and puts `from` back; null if there is nothing to put back. */
export function replacing<Input>(
  set: (input: Input) => Promise<unknown>,
  from: Input | null,
  to: Input,
  done: string,
): UndoableAction {
  return { run: () => set(to), done, undo: from === null ? undefined : () => set(from) };
}

/** Runs an action immediately, shows a toast, and offers to undo it. */
export function useUndoableAction() {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  return useMutation({
    mutationFn: async ({ run }: UndoableAction, { client }) => {
      // Also after a failure: of several calls the first ones may have changed something.
      try {
        await run();
      } finally {
        await refreshAdmin(client);
      }
    },
    onSuccess: (_data, { done, undo }, _result, { client }) => {
      const takeBack = async () => {
        await undo?.();
        await refreshAdmin(client);
        showToast({ kind: 'success', text: t('undone') });
      };
      const action = undo && { label: common('undo'), run: () => void takeBack().catch(showError) };
      showToast({ kind: 'success', text: done, action });
    },
  });
}
