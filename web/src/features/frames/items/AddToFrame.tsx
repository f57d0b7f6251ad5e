import { type Album, LIMITS, MEDIA_STATUS, type Media, type OwnFrame } from '@framelift/contract';
import { Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { albumListQuery } from '../../../api/albums.ts';
import { showOnFrame } from '../../../api/frames.ts';
import { mediaListQuery } from '../../../api/media.ts';
import { useUploadDialog } from '../../../shared/upload-dialog.tsx';
import { InfiniteList } from '../../../ui/InfiniteList.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { showToast } from '../../../ui/toasts.ts';
import classes from './FrameItems.module.css';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const KINDS = ['pictures', 'albums'] as const;

/** Dialog that adds pictures, videos and albums to a frame. An album brings what is added to it later, too. */
export function AddToFrame({ frame, onClosed }: { frame: OwnFrame; onClosed: () => void }) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const [opened, setOpened] = useState(true);
  const [kind, setKind] = useState<(typeof KINDS)[number]>('pictures');
  const [media, setMedia] = useState<readonly string[]>([]);
  const [albums, setAlbums] = useState<readonly string[]>([]);
  const add = useMutation(showOnFrame);
  const count = media.length + albums.length;
  const isFull = count >= LIMITS.frames.items;
  const addChosen = () =>
    add.mutate(
      { frames: [frame.id], media_ids: [...media], album_ids: [...albums] },
      {
        onSuccess: () => {
          showToast({ kind: 'success', text: t('add.done', { count, name: frame.name }) });
          setOpened(false);
        },
      },
    );
  return (
    <Modal
      opened={opened}
      onClose={() => setOpened(false)}
      title={t('add.title', { name: frame.name })}
      size="lg"
      onExitTransitionEnd={onClosed}
    >
      <Stack>
        <SegmentedControl
          fullWidth
          aria-label={t('add.kind')}
          data={KINDS.map((value) => ({ value, label: t(`add.${value}`) }))}
          value={kind}
          onChange={(value) => setKind(value)}
        />
        {kind === 'pictures' ? (
          <Pictures chosen={media} onChange={setMedia} isFull={isFull} onLeave={() => setOpened(false)} />
        ) : (
          <Albums chosen={albums} onChange={setAlbums} isFull={isFull} />
        )}
        {add.isError && (
          <Text role="alert" c="var(--mantine-color-error)">
            {add.error.message}
          </Text>
        )}
        <Group justify="flex-end" className={classes.bottom ?? ''}>
          <Button variant="default" onClick={() => setOpened(false)}>
            {common('cancel')}
          </Button>
          <Button disabled={count === 0} loading={add.isPending} onClick={addChosen}>
            {count === 0 ? t('items.add') : t('add.go', { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly isFull: boolean;
}

const waiting = (
  <div className={classes.choices} aria-hidden>
    {SKELETONS.map((key) => (
      <Skeleton key={key} className={classes.picture} />
    ))}
  </div>
);

function Pictures({ chosen, onChange, isFull, onLeave }: ChoiceProps & { onLeave: () => void }) {
  const { t } = useTranslation('frames');
  const { open } = useUploadDialog();
  const list = useInfiniteQuery(mediaListQuery());
  const convert = () => {
    onLeave();
    open();
  };
  return (
    <InfiniteList<Media, HTMLFieldSetElement>
      query={list}
      loading={waiting}
      failed={t('add.failed')}
      empty={
        <Stack align="center">
          <Text>{t('add.noPictures')}</Text>
          <Button onClick={convert}>{t('add.convert')}</Button>
        </Stack>
      }
    >
      {(items) => (
        <fieldset className={classes.choices} aria-label={t('add.pictures')}>
          {items
            .filter(({ status }) => status === MEDIA_STATUS.finished || status === MEDIA_STATUS.processing)
            .map(({ id, name, cover }) => (
              <Choice key={id} {...{ id, name, cover, chosen, onChange, isFull }} />
            ))}
        </fieldset>
      )}
    </InfiniteList>
  );
}

function Albums({ chosen, onChange, isFull }: ChoiceProps) {
  const { t } = useTranslation('frames');
  const list = useInfiniteQuery(albumListQuery);
  return (
    <InfiniteList<Album, HTMLFieldSetElement>
      query={list}
      loading={waiting}
      failed={t('add.failed')}
      empty={<Text ta="center">{t('add.noAlbums')}</Text>}
    >
      {(items) => (
        <fieldset className={classes.choices} aria-label={t('add.albums')}>
          {items.map(({ id, name, cover, quantity }) => (
            <Choice
              key={id}
              {...{ id, name, cover, chosen, onChange, isFull }}
              note={t('items.album', { count: quantity })}
            />
          ))}
        </fieldset>
      )}
    </InfiniteList>
  );
}

interface CardProps extends ChoiceProps {
  readonly id: string;
  readonly name: string;
  readonly cover: string | null;
  readonly note?: string;
}

function Choice({ id, name, cover, note, chosen, onChange, isFull }: CardProps) {
  const isChosen = chosen.includes(id);
  return (
    <Checkbox.Card
      className={classes.choice}
      aria-label={name}
      checked={isChosen}
      disabled={!isChosen && isFull}
      onClick={() => onChange(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
    >
      <span className={classes.picture}>
        {cover ? <img src={cover} alt="" loading="lazy" decoding="async" /> : <IconAlbum aria-hidden />}
        <Checkbox.Indicator className={classes.check} size="md" />
      </span>
      <Text component="span" size="sm" lineClamp={1} aria-hidden>
        {name}
      </Text>
      {note && (
        <Text component="span" size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Checkbox.Card>
  );
}
