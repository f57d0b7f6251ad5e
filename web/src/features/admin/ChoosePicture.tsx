import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaListQuery } from '../../api/media.ts';
import { ChoiceGrid } from '../../shared/choose-media/ChoiceGrid.tsx';
import { ChooseDialog } from '../../shared/choose-media/ChooseDialog.tsx';

interface Props {
  readonly title: string;
  /** Label of the button that takes the picture. */
  readonly action: string;
  readonly onChoose: (id: string) => void;
  readonly onClosed: () => void;
}

/** Dialog that chooses one of the operator's own pictures. */
export function ChoosePicture({ title, action, onChoose, onClosed }: Props) {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(mediaListQuery());
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [id] = chosen;
  const take = (close: () => void) => {
    if (id !== undefined) onChoose(id);
    close();
  };
  return (
    <ChooseDialog
      title={title}
      action={action}
      isEmpty={id === undefined}
      busy={false}
      onAdd={take}
      onClosed={onClosed}
    >
      {() => (
        <ChoiceGrid
          query={list}
          failed={t('shop.picturesFailed')}
          empty={<Text>{t('shop.noPictures')}</Text>}
          label={t('shop.iconHint')}
          labelShown
          chosen={chosen}
          // Only one: another choice takes the place of the first.
          onChange={(ids) => setChosen(ids.slice(-1))}
          isFull={false}
        />
      )}
    </ChooseDialog>
  );
}
