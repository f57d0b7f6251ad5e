import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteMedia, restoreMedia } from '../api/media.ts';
import { showToast } from '../ui/toasts.ts';
import { showError } from './show-error.ts';

/** Deletes a picture or video at once and offers to undo it. `onGone` runs before anything is said. */
export function useDeleteMedia(
  id: string,
  texts: { readonly deleted: string; readonly undo: string; readonly restored: string },
  onGone?: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => deleteMedia(queries, id),
    onSuccess: () => {
      onGone?.();
      const undo = () =>
        restoreMedia(queries, id).then(() => showToast({ kind: 'success', text: texts.restored }), showError);
      showToast({ kind: 'info', text: texts.deleted, action: { label: texts.undo, run: () => void undo() } });
    },
  });
}
