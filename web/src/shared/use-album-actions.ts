import type { Album } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createAlbum, deleteAlbum, renameAlbum, restoreAlbum } from '../api/albums.ts';
import { showAlert } from '../ui/alerts.ts';
import { showToast } from '../ui/toasts.ts';

/** Album actions for any page: each asks for its input and reports its result. */
export function useAlbumActions() {
  const { t } = useTranslation('albums');
  const { t: common } = useTranslation();
  const creation = useMutation(createAlbum);
  const renaming = useMutation(renameAlbum);
  const removal = useMutation(deleteAlbum);
  const restoring = useMutation(restoreAlbum);

  /** Asks for a name of 1 to 30 characters; null if the dialog was closed. */
  const askName = async (title: string, label: string, value = '', refusal?: string): Promise<string | null> => {
    const { button, input } = await showAlert({
      title,
      content: refusal,
      input: { label: t('name'), value },
      buttons: [
        { value: 'cancel', label: common('cancel') },
        { value: 'save', label, look: 'primary' },
      ],
    });
    const name = input.trim();
    return button === 'save' && name !== '' ? name : null;
  };

  return {
    /** Creates an album and returns it, or null. After a refusal it asks again, with the reason and the text. */
    async create(typed = '', refusal?: string): Promise<Album | null> {
      const name = await askName(t('newTitle'), t('create'), typed, refusal);
      if (name === null) return null;
      return creation.mutateAsync(name).catch((error) => this.create(name, error.message));
    },
    async rename(album: Album, typed = album.name, refusal?: string): Promise<void> {
      const name = await askName(t('renameTitle'), t('save'), typed, refusal);
      if (name === null || name === album.name) return;
      await renaming.mutateAsync({ id: album.id, name }).catch((error) => this.rename(album, name, error.message));
    },
    /** Deletes the album and returns true on success; the toast offers to undo it. */
    async remove({ id, name }: Album): Promise<boolean> {
      const restored = () => showToast({ kind: 'success', text: t('restored', { name }) });
      const undo = () => restoring.mutateAsync(id).then(restored, () => {});
      const deleted = () => {
        const action = { label: common('undo'), run: () => void undo() };
        showToast({ kind: 'info', text: t('deleted', { name }), action });
        return true;
      };
      return removal.mutateAsync(id).then(deleted, () => false);
    },
  };
}
