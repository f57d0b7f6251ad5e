import type { Album } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createAlbum, deleteAlbum, renameAlbum, restoreAlbum } from '../../api/albums.ts';
import { showAlert } from '../../ui/alerts.ts';
import { showToast } from '../../ui/toasts.ts';

/** What can be done to albums from any page: each asks for what it needs and shows how it went. */
export function useAlbumActions() {
  const { t } = useTranslation('albums');
  const { t: common } = useTranslation();
  const creation = useMutation(createAlbum);
  const renaming = useMutation(renameAlbum);
  const removal = useMutation(deleteAlbum);
  const restoring = useMutation(restoreAlbum);

  /** A name of 1 to 30 characters, or null when the dialog was closed. */
  const askName = async (title: string, label: string, value = ''): Promise<string | null> => {
    const { button, input } = await showAlert({
      title,
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
    /** The new album, or null. A name that was refused is asked for again, with what was typed. */
    async create(typed = ''): Promise<Album | null> {
      const name = await askName(t('newTitle'), t('create'), typed);
      if (name === null) return null;
      return creation.mutateAsync(name).catch(() => this.create(name));
    },
    async rename(album: Album, typed = album.name): Promise<void> {
      const name = await askName(t('renameTitle'), t('save'), typed);
      if (name === null || name === album.name) return;
      await renaming.mutateAsync({ id: album.id, name }).catch(() => this.rename(album, name));
    },
    /** True when it is deleted; the toast offers to undo it. */
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
