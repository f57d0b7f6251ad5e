import type { Media } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToAlbum, chooseCover, removeFromAlbum } from '../../api/albums.ts';
import { deleteManyMedia, improveManyMedia, restoreManyMedia } from '../../api/media.ts';
import { useAddToAlbum } from '../../shared/use-add-to-album.ts';
import { showToast } from '../../ui/toasts.ts';

const linesOf = (refusal: Error | null) => (refusal ? [refusal.message] : []);

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

  /** Tells what was done, with the reason if some of it was not. */
  const undoable = (text: string, refusal: Error | null, run: () => void) =>
    showToast({ kind: 'info', text, lines: linesOf(refusal), action: { label: common('undo'), run } });
  /** Returns what was done, null if nothing was; the cards fade meanwhile. */
  const leave = async <T>(ids: readonly string[], work: Promise<T>): Promise<T | null> => {
    setLeaving(new Set(ids));
    const done = await work.catch(() => null);
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
      const gone = first && (await leave(ids, remove.mutateAsync(ids)));
      if (!gone) return false;
      const { done, refusal } = gone;
      const one = { name: first.name };
      const restored = ({ done: { length: count }, refusal }: typeof gone) => {
        const text = count === 1 ? t('restored', one) : t('selection.restored', { count });
        showToast({ kind: refusal ? 'warning' : 'success', text, lines: linesOf(refusal) });
      };
      const count = done.length;
      const text = count === 1 ? t('deleted', one) : t('selection.deleted', { count });
      undoable(text, refusal, () => void restore.mutateAsync(done).then(restored, () => {}));
      return true;
    },
    async removeFromAlbum(media: readonly Media[]): Promise<boolean> {
      const [ids, [first]] = [idsOf(media), media];
      if (albumId === undefined || !first) return false;
      const out = await leave(ids, takeOut.mutateAsync({ id: albumId, mediaIds: ids }));
      if (!out) return false;
      const { done, refusal } = out;
      const count = done.length;
      const text = count === 1 ? t('takenOut', { name: first.name }) : t('selection.removed', { count });
      const back = ({ refusal }: typeof out) => {
        if (refusal) showToast({ kind: 'warning', text: refusal.message });
      };
      undoable(text, refusal, () => void putBack.mutateAsync({ id: albumId, mediaIds: done }).then(back, () => {}));
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
        ({ started, others, refusal }) => {
          if (started.length === 0) {
            const nothing = { kind: 'info', text: t('selection.bestAlready') } as const;
            showToast(refusal ? { kind: 'warning', text: refusal.message } : nothing);
          } else {
            const passed = others.length > 0 ? [t('selection.passedOver', { count: others.length })] : [];
            const text = t('selection.improving', { count: started.length });
            showToast({ kind: refusal ? 'warning' : 'success', text, lines: [...passed, ...linesOf(refusal)] });
          }
          return true;
        },
        () => false,
      ),
  };
}
