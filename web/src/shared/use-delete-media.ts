import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deleteMedia, restoreMedia } from '../api/media.ts';
import { showToast } from '../ui/toasts.ts';

/** Deletes a media immediately and offers to undo it. `onGone` runs before the toast. */
export function useDeleteMedia(
  id: string,
  texts: { readonly deleted: string; readonly restored: string },
  onGone?: () => void,
) {
  const { t } = useTranslation();
  const restore = useMutation(restoreMedia);
  const remove = useMutation(deleteMedia);
  const undo = () =>
    restore.mutateAsync(id).then(
      () => showToast({ kind: 'success', text: texts.restored }),
      () => {},
    );
  const done = () => {
    onGone?.();
    showToast({ kind: 'info', text: texts.deleted, action: { label: t('undo'), run: () => void undo() } });
  };
  return {
    isPending: remove.isPending,
    run: () => {
      // Not as a callback of `mutate`, which is not called if the component unmounts first.
      remove.mutateAsync(id).then(done, () => {});
    },
  };
}
