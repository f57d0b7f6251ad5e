import { LIMITS, MEDIA_STATUS, type Media, type OwnFrame } from '@framelift/contract';
import { Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { albumListQuery } from '../../../api/albums.ts';
import { showOnFrame } from '../../../api/frames.ts';
import { mediaListQuery } from '../../../api/media.ts';
import { ChoiceGrid, type Choosing } from '../../../shared/choose-media/ChoiceGrid.tsx';
import { ChooseDialog } from '../../../shared/choose-media/ChooseDialog.tsx';
import { useUploadDialog } from '../../../shared/upload-dialog.tsx';
import { showToast } from '../../../ui/toasts.ts';

const KINDS = ['pictures', 'albums'] as const;

/** Dialog that adds pictures, videos and albums to a frame. An album brings what is added to it later, too. */
export function AddToFrame({ frame, onClosed }: { frame: OwnFrame; onClosed: () => void }) {
  const { t } = useTranslation('frames');
  const [kind, setKind] = useState<(typeof KINDS)[number]>('pictures');
  const [media, setMedia] = useState<readonly string[]>([]);
  const [albums, setAlbums] = useState<readonly string[]>([]);
  const add = useMutation(showOnFrame);
  const count = media.length + albums.length;
  const isFull = count >= LIMITS.frames.items;
  const addChosen = (close: () => void) =>
    add.mutate(
      { frames: [frame.id], media_ids: [...media], album_ids: [...albums] },
      {
        onSuccess: () => {
          showToast({ kind: 'success', text: t('add.done', { count, name: frame.name }) });
          close();
        },
      },
    );
  return (
    <ChooseDialog
      title={t('add.title', { name: frame.name })}
      action={count === 0 ? t('items.add') : t('add.go', { count })}
      isEmpty={count === 0}
      busy={add.isPending}
      onAdd={addChosen}
      onClosed={onClosed}
    >
      {(close) => (
        <>
          <SegmentedControl
            fullWidth
            aria-label={t('add.kind')}
            data={KINDS.map((value) => ({ value, label: t(`add.${value}`) }))}
            value={kind}
            onChange={(value) => setKind(value)}
          />
          {kind === 'pictures' ? (
            <Pictures frame={frame} chosen={media} onChange={setMedia} isFull={isFull} onLeave={close} />
          ) : (
            <Albums chosen={albums} onChange={setAlbums} isFull={isFull} />
          )}
          {add.isError && (
            <Text role="alert" c="var(--mantine-color-error)">
              {add.error.message}
            </Text>
          )}
        </>
      )}
    </ChooseDialog>
  );
}

const isPlayable = ({ status }: Media) => status === MEDIA_STATUS.finished || status === MEDIA_STATUS.processing;

function Pictures({ frame, onLeave, ...choosing }: Choosing & { frame: OwnFrame; onLeave: () => void }) {
  const { t } = useTranslation('frames');
  const { open } = useUploadDialog();
  const list = useInfiniteQuery(mediaListQuery());
  const convert = () => {
    onLeave();
    open({ to: frame.id, deviceTypeId: frame.device_type_id ?? undefined });
  };
  return (
    <ChoiceGrid
      {...choosing}
      query={list}
      failed={t('add.failed')}
      empty={
        <Stack align="center">
          <Text>{t('add.noPictures')}</Text>
          <Button onClick={convert}>{t('add.convert')}</Button>
        </Stack>
      }
      label={t('add.pictures')}
      accepts={isPlayable}
    />
  );
}

function Albums(choosing: Choosing) {
  const { t } = useTranslation('frames');
  const list = useInfiniteQuery(albumListQuery);
  return (
    <ChoiceGrid
      {...choosing}
      query={list}
      failed={t('add.failed')}
      empty={<Text ta="center">{t('add.noAlbums')}</Text>}
      label={t('add.albums')}
      note={({ quantity }) => t('items.album', { count: quantity })}
    />
  );
}
