import { LIMITS, type Media } from '@framelift/contract';
import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToAlbum } from '../../api/albums.ts';
import { mediaListQuery } from '../../api/media.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './Albums.module.css';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Dialog that adds media to an album. Choosing one that is already in it changes nothing. */
export function AddPictures({ albumId, onClose }: { albumId: string; onClose: () => void }) {
  const { t } = useTranslation('albums');
  const { t: common } = useTranslation();
  const list = useInfiniteQuery(mediaListQuery());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState(true);
  const add = useMutation(addToAlbum);
  const addChosen = () =>
    add.mutate(
      { id: albumId, mediaIds: [...chosen] },
      {
        onSuccess: () => {
          showToast({ kind: 'success', text: t('added', { count: chosen.size }) });
          setOpened(false);
        },
      },
    );
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };

  return (
    <Modal
      opened={opened}
      onClose={() => setOpened(false)}
      title={t('addTitle')}
      size="lg"
      onExitTransitionEnd={onClose}
    >
      <Stack>
        <InfiniteList<Media, HTMLFieldSetElement>
          query={list}
          loading={
            <div className={classes.choices} aria-hidden>
              {SKELETONS.map((key) => (
                <Skeleton key={key} className={classes.picture} />
              ))}
            </div>
          }
          failed={t('picturesFailed')}
          empty={<Text>{t('noPictures')}</Text>}
        >
          {(items) => (
            <fieldset className={classes.choices}>
              <legend>{t('choose', { max: LIMITS.mediaAtOnce })}</legend>
              {items.map(({ id, name, cover }) => (
                <Checkbox.Card
                  key={id}
                  className={classes.choice}
                  aria-label={name}
                  checked={chosen.has(id)}
                  disabled={!chosen.has(id) && chosen.size >= LIMITS.mediaAtOnce}
                  onClick={() => toggle(id)}
                >
                  <span className={classes.picture}>
                    {cover && <img src={cover} alt="" loading="lazy" decoding="async" />}
                    <Checkbox.Indicator className={classes.check} size="md" />
                  </span>
                  <Text component="span" size="sm" lineClamp={1} aria-hidden>
                    {name}
                  </Text>
                </Checkbox.Card>
              ))}
            </fieldset>
          )}
        </InfiniteList>
        <Group justify="flex-end" className={classes.bottom}>
          <Button variant="default" onClick={() => setOpened(false)}>
            {common('cancel')}
          </Button>
          <Button disabled={chosen.size === 0} loading={add.isPending} onClick={addChosen}>
            {t('addChosen', { count: chosen.size })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
