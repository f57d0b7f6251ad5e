import type { Album } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createAlbum, deleteAlbum, renameAlbum, restoreAlbum } from '../../api/albums.ts';
import { showError } from '../../shared/show-error.ts';
import { showAlert } from '../../ui/alerts.ts';
import { showToast } from '../../ui/toasts.ts';

/** What can be done to albums from any page: each asks for what it needs and tells how it went. */
export function useAlbumActs() {
  const { t } = useTranslation('albums');
  const { t: common } = useTranslation();
  const queries = useQueryClient();

  /** A name of 1 to 30 characters, or null when nothing was wanted. */
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
      try {
        return await createAlbum(queries, name);
      } catch (error) {
        showError(error);
        return this.create(name);
      }
    },
    async rename(album: Album, typed = album.name): Promise<void> {
      const name = await askName(t('renameTitle'), t('save'), typed);
      if (name === null || name === album.name) return;
      try {
        await renameAlbum(queries, album.id, name);
      } catch (error) {
        showError(error);
        return this.rename(album, name);
      }
    },
    /** True when it is gone; the toast brings it back. */
    async remove({ id, name }: Album): Promise<boolean> {
      try {
        await deleteAlbum(queries, id);
      } catch (error) {
        showError(error);
        return false;
      }
      const undo = () =>
        restoreAlbum(queries, id).then(() => showToast({ kind: 'success', text: t('restored', { name }) }), showError);
      showToast({
        kind: 'info',
        text: t('deleted', { name }),
        action: { label: t('undo'), run: () => void undo() },
      });
      return true;
    },
  };
}
