import type { Media } from '@framelift/contract';
import { ActionIcon, Modal, NativeSelect, VisuallyHidden } from '@mantine/core';
import IconArrowsMaximize from '@tabler/icons-react/icons/IconArrowsMaximize';
import IconArrowsMinimize from '@tabler/icons-react/icons/IconArrowsMinimize';
import IconPlayerPause from '@tabler/icons-react/icons/IconPlayerPause';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import IconX from '@tabler/icons-react/icons/IconX';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useModalHistory } from '../../ui/use-modal-history.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { MediaStage } from './MediaStage.tsx';
import classes from './MediaViewer.module.css';
import { StepButtons } from './StepButtons.tsx';
import { INTERVALS, useSlideshow } from './use-slideshow.ts';
import { useSwipe } from './use-swipe.ts';

interface Props {
  /** The list as far as it is loaded. */
  readonly items: readonly Media[];
  /** Number of items of the whole list. */
  readonly total: number;
  /** Id of the first one to show. */
  readonly start: string;
  /** Begins as a slideshow. */
  readonly playing?: boolean;
  /** Loads more of the list; undefined at its end, and where that has failed. */
  readonly onMore?: (() => void) | undefined;
  /** Called once it has closed, with the id of the last one shown. */
  readonly onClosed: (id: string) => void;
}

/**
 * Shows media one at a time over the whole window, by hand or as a slideshow. Arrow keys and swipes lead to the next
 * and the previous one, the space bar plays and pauses, "back" and Escape close it.
 */
export function MediaViewer({ items, total, start, playing: playsAtOnce = false, onMore, onClosed }: Props) {
  const { t } = useTranslation('viewer');
  const [opened, setOpened] = useState(true);
  const [shown, setShown] = useState(start);
  const close = () => setOpened(false);
  const closeTop = useModalHistory(opened, close);
  useReturnFocus(opened);

  const found = items.findIndex(({ id }) => id === shown);
  // Deleted meanwhile: its place is taken by another.
  const [place, setPlace] = useState(Math.max(0, found));
  const index = found >= 0 ? found : Math.min(place, items.length - 1);
  const media = items[index];
  useEffect(() => {
    if (found >= 0) setPlace(found);
  }, [found]);
  useEffect(() => {
    if (index >= items.length - 2) onMore?.();
  }, [index, items.length, onMore]);
  const goTo = (next: Media | undefined) => next && setShown(next.id);
  const isLast = index === items.length - 1;
  const waits = isLast && onMore !== undefined;
  const show = useSlideshow({
    begins: playsAtOnce,
    shown: media?.id,
    isVideo: media?.media_type === 0,
    waits,
    onNext: () => goTo(isLast ? items[0] : items[index + 1]),
  });
  const go = (by: 1 | -1) => goTo(items[index + by]);
  const swipe = useSwipe(go);
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', changed);
    return () => {
      document.removeEventListener('fullscreenchange', changed);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    // The video and the list of intervals use these keys themselves.
    if (target.closest('select, video')) return;
    if (event.key === 'ArrowLeft') go(-1);
    else if (event.key === 'ArrowRight') go(1);
    else if (event.key === ' ' && !target.closest('button')) show.toggle();
    else return;
    event.preventDefault();
    // Not to the picture, whose view the arrow keys move elsewhere.
    event.stopPropagation();
  };

  if (!media) return null;
  const { name } = media;
  return (
    <Modal.Root
      opened={opened}
      onClose={closeTop}
      fullScreen
      returnFocus={false}
      transitionProps={{ transition: 'fade' }}
      onExitTransitionEnd={() => onClosed(media.id)}
    >
      <Modal.Content
        aria-label={t('title', { name })}
        className={classes.content ?? ''}
        onKeyDownCapture={onKeyDown}
        onPointerMove={show.wake}
        onFocus={show.wake}
        data-idle={show.idle || undefined}
      >
        <div className={classes.stage} {...swipe}>
          <div key={media.id} className={classes.slide}>
            <MediaStage media={media} onEnded={show.playing ? show.videoEnded : undefined} />
          </div>
        </div>
        <div className={classes.top}>
          <span className={classes.name}>{name}</span>
          <VisuallyHidden role="status">
            {t('position', { name, number: index + 1, count: Math.max(total, items.length) })}
          </VisuallyHidden>
          <ActionIcon className={classes.button ?? ''} aria-label={t('close')} onClick={close} data-autofocus>
            <IconX aria-hidden />
          </ActionIcon>
        </div>
        <StepButtons
          index={index}
          count={items.length}
          onGo={go}
          labels={{ previous: t('previous'), next: t('next') }}
          classes={classes}
        />
        <div className={classes.bottom}>
          <ActionIcon
            className={classes.button ?? ''}
            aria-label={t(show.playing ? 'pause' : 'play')}
            onClick={show.toggle}
          >
            {show.playing ? <IconPlayerPause aria-hidden /> : <IconPlayerPlay aria-hidden />}
          </ActionIcon>
          <NativeSelect
            className={classes.interval ?? ''}
            aria-label={t('interval')}
            value={String(show.seconds)}
            data={INTERVALS.map((seconds) => ({ value: String(seconds), label: t('seconds', { count: seconds }) }))}
            onChange={({ currentTarget }) => show.setSeconds(Number(currentTarget.value))}
          />
          <span className={classes.count} aria-hidden>
            {index + 1} / {Math.max(total, items.length)}
          </span>
          {document.fullscreenEnabled && (
            <ActionIcon
              className={classes.button ?? ''}
              aria-label={t(full ? 'endFullScreen' : 'fullScreen')}
              onClick={() => void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen())}
            >
              {full ? <IconArrowsMinimize aria-hidden /> : <IconArrowsMaximize aria-hidden />}
            </ActionIcon>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
