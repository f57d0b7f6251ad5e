import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { addToAlbum, allAlbumsQuery } from '../api/albums.ts';
import { showAlert } from '../ui/alerts.ts';
import { showToast } from '../ui/toasts.ts';
import { useAlbumActions } from './use-album-actions.ts';

/** Adds media to an album that the member chooses or makes. */
export function useAddToAlbum() {
  const { t } = useTranslation('albums', { useSuspense: false });
  const { t: common } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const actions = useAlbumActions();
  const add = useMutation(addToAlbum);

  /** Asks for an album; null if the dialog was closed. Without any album, a new one is made at once. */
  const choose = async (): Promise<{ readonly id: string; readonly name: string } | null> => {
    // Those of products cannot be changed.
    const albums = (await queries.fetchQuery(allAlbumsQuery)).filter(({ product }) => !product);
    if (albums.length === 0) return actions.create();
    const { button, album: id } = await showAlert({
      title: t('chooseTitle'),
      album: { label: t('chooseLabel'), albums, value: albums[0]?.id ?? '' },
      buttons: [
        { value: 'cancel', label: common('cancel') },
        { value: 'new', label: t('new') },
        { value: 'add', label: t('addTo'), look: 'primary' },
      ],
    });
    if (button === 'new') return actions.create();
    return button === 'add' ? (albums.find((album) => album.id === id) ?? null) : null;
  };

  return {
    isPending: add.isPending,
    /** Returns whether they were added. Failures are shown. */
    async run(mediaIds: readonly string[]): Promise<boolean> {
      const album = await choose().catch(() => null);
      if (!album) return false;
      const { id, name } = album;
      const added = ({ done, refusal }: Awaited<ReturnType<typeof add.mutateAsync>>) => {
        const action = { label: t('showAlbum'), run: () => void navigate(`/album/${id}`) };
        const [kind, lines] = refusal ? (['warning', [refusal.message]] as const) : (['success', []] as const);
        showToast({ kind, text: t('addedTo', { name, count: done.length }), lines, action });
        return true;
      };
      return add.mutateAsync({ id, mediaIds: [...mediaIds] }).then(added, () => false);
    },
  };
}
