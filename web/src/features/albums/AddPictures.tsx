import { LIMITS } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToAlbum } from '../../api/albums.ts';
import { mediaListQuery } from '../../api/media.ts';
import { ChoiceGrid } from '../../shared/choose-media/ChoiceGrid.tsx';
import { ChooseDialog } from '../../shared/choose-media/ChooseDialog.tsx';
import { showToast } from '../../ui/toasts.ts';

/** Dialog that adds media to an album. Choosing one that is already in it changes nothing. */
export function AddPictures({ albumId, onClose }: { albumId: string; onClose: () => void }) {
  const { t } = useTranslation('albums');
  const list = useInfiniteQuery(mediaListQuery());
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const add = useMutation(addToAlbum);
  const count = chosen.length;
  const addChosen = (close: () => void) =>
    add.mutate(
      { id: albumId, mediaIds: [...chosen] },
      {
        onSuccess: () => {
          showToast({ kind: 'success', text: t('added', { count }) });
          close();
        },
      },
    );
  return (
    <ChooseDialog
      title={t('addTitle')}
      action={t('addChosen', { count })}
      isEmpty={count === 0}
      busy={add.isPending}
      onAdd={addChosen}
      onClosed={onClose}
    >
      {() => (
        <ChoiceGrid
          query={list}
          failed={t('picturesFailed')}
          empty={<Text>{t('noPictures')}</Text>}
          label={t('choose', { max: LIMITS.mediaAtOnce })}
          labelShown
          chosen={chosen}
          onChange={setChosen}
          isFull={count >= LIMITS.mediaAtOnce}
        />
      )}
    </ChooseDialog>
  );
}
