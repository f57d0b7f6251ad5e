import type { Media } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToAlbum, chooseCover, removeFromAlbum } from '../../api/albums.ts';
import { deleteManyMedia, improveManyMedia, restoreManyMedia } from '../../api/media.ts';
import { useAddToAlbum } from '../../shared/use-add-to-album.ts';
import { showToast } from '../../ui/toasts.ts';

/** What can be done with one or many media of a wall; each reports its result, and a removal can be undone. */
export function useMediaActions(albumId: string | undefined) {
  const { t } = useTranslation('content');
  const { t: common } = useTranslation();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const remove = useMutation(deleteManyMedia);
  const restore = useMutation(restoreManyMedia);
  const takeOut = useMutation(removeFromAlbum);
  const putBack = useMutation(addToAlbum);
  const cover = useMutation(chooseCover);
  const improving = useMutation(improveManyMedia);
  const add = useAddToAlbum();

  const undoable = (text: string, run: () => void) =>
    showToast({ kind: 'info', text, action: { label: common('undo'), run } });
  /** Returns whether it succeeded; the cards fade meanwhile. */
  const leave = async (ids: readonly string[], work: Promise<unknown>): Promise<boolean> => {
    setLeaving(new Set(ids));
    const done = await work.then(
      () => true,
      () => false,
    );
    setLeaving(new Set());
    return done;
  };
  const idsOf = (media: readonly Media[]) => media.map(({ id }) => id);

  return {
    leaving,
    isRemoving: remove.isPending,
    isImproving: improving.isPending,
    async remove(media: readonly Media[]): Promise<boolean> {
      const [ids, [first]] = [idsOf(media), media];
      const count = ids.length;
      if (!first || !(await leave(ids, remove.mutateAsync(ids)))) return false;
      const one = { name: first.name };
      const restored = () =>
        showToast({ kind: 'success', text: count === 1 ? t('restored', one) : t('selection.restored', { count }) });
      const text = count === 1 ? t('deleted', one) : t('selection.deleted', { count });
      undoable(text, () => void restore.mutateAsync(ids).then(restored, () => {}));
      return true;
    },
    async removeFromAlbum(media: readonly Media[]): Promise<boolean> {
      const [ids, [first]] = [idsOf(media), media];
      const count = ids.length;
      if (albumId === undefined || !first) return false;
      const content = { id: albumId, mediaIds: ids };
      if (!(await leave(ids, takeOut.mutateAsync(content)))) return false;
      const text = count === 1 ? t('takenOut', { name: first.name }) : t('selection.removed', { count });
      undoable(text, () => putBack.mutate(content));
      return true;
    },
    addToAlbum: (media: readonly Media[]) => add.run(idsOf(media)),
    async useAsCover([media]: readonly Media[]): Promise<boolean> {
      if (albumId === undefined || !media) return false;
      const { id: mediaId, name } = media;
      return cover.mutateAsync({ id: albumId, mediaId }).then(
        () => {
          showToast({ kind: 'success', text: t('coverChosen', { name }) });
          return true;
        },
        () => false,
      );
    },
    /** Converts those again whose depth can be better. */
    improve: (media: readonly Media[]): Promise<boolean> =>
      improving.mutateAsync(idsOf(media)).then(
        ({ started, passed_over: others }) => {
          if (started.length === 0) showToast({ kind: 'info', text: t('selection.bestAlready') });
          else {
            const lines = others.length > 0 ? [t('selection.passedOver', { count: others.length })] : [];
            showToast({ kind: 'success', text: t('selection.improving', { count: started.length }), lines });
          }
          return true;
        },
        () => false,
      ),
  };
}
