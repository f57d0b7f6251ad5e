import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIsClosed } from '../../api/config.ts';
import { frameListQuery, friendsFramesQuery, showOnFrame } from '../../api/frames.ts';
import { Modal } from '../../ui/Modal.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import { type Choice, ChooseFrames } from './ChooseFrames.tsx';
import { PairFirst } from './PairFirst.tsx';
import { rememberToShow, type ToShow } from './pending-show.ts';
import { Receipt } from './Receipt.tsx';
import classes from './ShowOnFrame.module.css';

interface Props {
  readonly what: ToShow;
  /** The frame, where it is known: it is not asked for. */
  readonly frame?: string;
  /** Called after the dialog has closed. `shown` is false where nothing was sent to a frame. */
  readonly onClosed: (shown: boolean) => void;
}

/**
 * Shows something on frames of the member and of friends: asks for the frames, unless there is only one, and follows what
 * becomes of it up to the moment when a frame shows it. Whoever has no frame is led to pair one first.
 */
export function ShowOnFrameDialog({ what, frame, onClosed }: Props) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const [opened, setOpened] = useState(true);
  const close = () => setOpened(false);
  const own = useInfiniteQuery(frameListQuery);
  const friends = useQuery(friendsFramesQuery);
  const isClosed = useIsClosed('friendPictures');
  const send = useMutation(showOnFrame);
  const begun = useRef(false);

  // Without an answer about friends' frames the member's own are offered.
  const loaded = own.isSuccess && !friends.isPending;
  const choices: readonly Choice[] = [
    ...(own.data?.pages.flatMap(({ data }) => data) ?? []).map((one) => ({ id: one.id, name: one.name, own: one })),
    ...((!isClosed && friends.data) || []).map(({ id, name, owner }) => ({ id, name, owner })),
  ];
  const only = frame ?? (choices.length === 1 && !own.hasNextPage ? choices[0]?.id : undefined);
  const show = (frames: readonly string[]) =>
    send.mutate({ frames: [...frames], media_ids: [...what.mediaIds], album_ids: [...what.albumIds] });
  const showNow = useRef(show);
  showNow.current = show;
  useEffect(() => {
    if (!loaded || only === undefined || begun.current) return;
    begun.current = true;
    showNow.current([only]);
  }, [loaded, only]);

  const content = () => {
    if (own.isError) return <TryAgain query={own} text={t('failed')} />;
    if (!loaded || send.isPending)
      return <Skeleton className={classes.waiting} role="status" aria-label={common('loading')} />;
    if (send.isSuccess) {
      return (
        <>
          <ul className={classes.receipts}>
            {send.data.map(({ frame: id, items }) => (
              <Receipt key={id} frame={choices.find((one) => one.id === id) ?? { id, name: '' }} sent={items} />
            ))}
          </ul>
          <Text size="sm" c="dimmed">
            {t('show.leave')}
          </Text>
          <Group justify="flex-end">
            {send.data.length === 1 && choices.some((one) => one.id === send.data[0]?.frame && one.own) && (
              <Button component={Link} variant="default" to={`/menu/frameSetting/${send.data[0]?.frame}`} replace>
                {t('show.open')}
              </Button>
            )}
            <Button onClick={close} data-autofocus>
              {t('show.done')}
            </Button>
          </Group>
        </>
      );
    }
    if (choices.length === 0) return <PairFirst onPair={() => rememberToShow(what)} />;
    if (only !== undefined && send.isError) {
      return (
        <Stack role="alert" gap="md">
          <Text>{send.error.message}</Text>
          <Group justify="flex-end">
            <Button onClick={() => show([only])}>{common('retry')}</Button>
          </Group>
        </Stack>
      );
    }
    if (only !== undefined) return null;
    return (
      <ChooseFrames
        choices={choices}
        problem={send.error?.message}
        onChoose={show}
        {...(own.hasNextPage && { more: { busy: own.isFetchingNextPage, load: () => void own.fetchNextPage() } })}
      />
    );
  };
  return (
    // Not centred: it would move while its content grows.
    <Modal
      opened={opened}
      onClose={close}
      title={t('show.button')}
      centered={false}
      onExitTransitionEnd={() => onClosed(send.isSuccess)}
    >
      <Stack>{content()}</Stack>
    </Modal>
  );
}
