import type { FrameItem, OwnFrame } from '@framelift/contract';
import { Loader, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleDashed from '@tabler/icons-react/icons/IconCircleDashed';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { frameItemsQuery, frameQuery } from '../../api/frames.ts';
import { formatMoment } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import type { Choice } from './ChooseFrames.tsx';
import classes from './ShowOnFrame.module.css';

const POLL_MS = 2000;

const STEPS = ['added', 'ready', 'downloaded', 'shown'] as const;

/** How far something has come on its way to a frame: the number of finished steps, and what holds up the next one. */
interface Way {
  readonly done: number;
  /** `turn`: it is on the frame and waits for its turn. */
  readonly now: 'ready' | 'downloaded' | 'offline' | 'turn' | 'friend' | null;
  /** Why it cannot go on. */
  readonly failure: string | null;
  readonly shownAt: string | null;
}

/** Returns how far these items have come. `frame` is null for the frame of a friend, whose state is not known. */
function wayOf(items: readonly FrameItem[], frame: Pick<OwnFrame, 'state'> | null): Way {
  const shownAt = items.map((item) => item.shown_at).filter((time) => time !== null);
  const failed = items.find(({ state }) => state === 'failed');
  const way = { failure: null, shownAt: shownAt.toSorted()[0] ?? null };
  if (way.shownAt !== null) return { ...way, done: 4, now: null };
  if (items.some(({ state }) => state === 'waiting')) return { ...way, done: 1, now: 'ready' };
  if (failed && items.every(({ state }) => state === 'failed')) {
    return { ...way, done: 1, now: null, failure: failed.failure?.message ?? '' };
  }
  if (frame === null) return { ...way, done: 2, now: 'friend' };
  switch (frame.state) {
    case 'offline':
    case 'never':
      return { ...way, done: 2, now: 'offline' };
    case 'upToDate':
      return { ...way, done: 3, now: 'turn' };
    default:
      return { ...way, done: 2, now: 'downloaded' };
  }
}

/** What becomes of something that was sent to a frame, up to the time at which the frame shows it. */
export function Receipt({ frame, sent }: { frame: Choice; sent: readonly string[] }) {
  const { t } = useTranslation('frames');
  const isShownIn = (items: readonly FrameItem[] | undefined) =>
    items?.some(({ id, shown_at }) => sent.includes(id) && shown_at !== null) ?? false;
  const items = useQuery({
    ...frameItemsQuery(frame.id),
    refetchInterval: ({ state: { data } }) => (isShownIn(data) ? false : POLL_MS),
  });
  const known = items.data?.filter(({ id }) => sent.includes(id)) ?? [];
  const state = useQuery({
    ...frameQuery(frame.id),
    enabled: frame.own !== undefined,
    refetchInterval: isShownIn(items.data) ? false : POLL_MS,
  });
  const way = wayOf(known, frame.own ? (state.data ?? frame.own) : null);
  const time = way.shownAt === null ? '' : formatMoment(way.shownAt, new Date(), currentLanguage());
  const { name } = frame;
  const sentence =
    way.failure !== null
      ? t('show.failed', { reason: way.failure })
      : way.shownAt !== null
        ? t('show.shownAt', { name, time })
        : way.now && t(`show.now.${way.now}`, { name });
  return (
    <li className={classes.receipt}>
      <Text fw={600} className={classes.name}>
        {name}
      </Text>
      <ol className={classes.way}>
        {STEPS.map((step, index) => {
          const isDone = index < way.done;
          const isNow = index === way.done && way.now !== null;
          return (
            <li key={step} data-done={isDone || undefined} aria-current={isNow ? 'step' : undefined}>
              {isDone ? (
                <IconCircleCheck size="1.25rem" aria-hidden />
              ) : isNow && (way.now === 'ready' || way.now === 'downloaded') ? (
                <Loader size="1.125rem" color="var(--accent-text)" aria-hidden />
              ) : way.failure !== null && index === way.done ? (
                <IconAlertTriangle size="1.25rem" aria-hidden />
              ) : (
                <IconCircleDashed size="1.25rem" aria-hidden />
              )}
              {t(`show.steps.${step}`)}
            </li>
          );
        })}
      </ol>
      <Text role="status" size="sm" className={classes.sentence ?? ''}>
        {sentence}
      </Text>
    </li>
  );
}
