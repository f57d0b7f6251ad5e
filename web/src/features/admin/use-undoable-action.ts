import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { refreshAdmin } from '../../api/admin.ts';
import { showError } from '../../shared/show-error.ts';
import { showToast } from '../../ui/toasts.ts';

export interface UndoableAction {
  readonly run: () => Promise<unknown>;
  /** What is said when it is done. */
  readonly done: string;
  /** Makes it as it was before; offered for as long as the toast stands. */
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/** Does something at once, says so, and offers to undo it. */
export function useUndoableAction() {
  const { t } = useTranslation('admin');
  const queries = useQueryClient();
  const takeBack = async (undo: () => Promise<unknown>) => {
    try {
      await undo();
      await refreshAdmin(queries);
      showToast({ kind: 'success', text: t('undone') });
    } catch (error) {
      showError(error);
    }
  };
  return useMutation({
    mutationFn: async ({ run }: UndoableAction) => {
      await run();
      await refreshAdmin(queries);
    },
    onSuccess: (_, { done, undo }) =>
      showToast({
        kind: 'success',
        text: done,
        ...(undo && { action: { label: t('undo'), run: () => void takeBack(undo) } }),
      }),
  });
}
