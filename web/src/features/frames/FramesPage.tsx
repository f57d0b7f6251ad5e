import type { OwnFrame } from '@framelift/contract';
import { Button, Skeleton, Text, Title } from '@mantine/core';
import IconDeviceTv from '@tabler/icons-react/icons/IconDeviceTv';
import IconQrcode from '@tabler/icons-react/icons/IconQrcode';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frameListQuery } from '../../api/frames.ts';
import { PairSteps } from '../../shared/show-on-frame/PairSteps.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { FrameCard } from './FrameCard.tsx';
import classes from './Frames.module.css';

const SKELETONS = ['a', 'b'];
/** Refresh interval in milliseconds: each frame sends a heartbeat once a minute. */
const REFRESH_MS = 30_000;

/** The member's paired frames. */
export function FramesPage() {
  const { t } = useTranslation('frames');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useInfiniteQuery({ ...frameListQuery, refetchInterval: REFRESH_MS });
  const empty = list.data?.pages[0]?.data.length === 0;
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div className={classes.head}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {t('title')}
        </Title>
        {!empty && <PairButton />}
      </div>
      <InfiniteList<OwnFrame, HTMLUListElement>
        query={list}
        loading={
          <ul className={classes.frames} aria-hidden>
            {SKELETONS.map((key) => (
              <li key={key}>
                <Skeleton className={classes.waiting} />
              </li>
            ))}
          </ul>
        }
        failed={t('failed')}
        className={classes.note ?? ''}
        empty={<NoFrames />}
        focus="button"
        gap="lg"
      >
        {(frames, place) => (
          <ul ref={place} className={classes.frames}>
            {frames.map((frame) => (
              <FrameCard key={frame.id} frame={frame} onGone={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </div>
  );
}

function PairButton() {
  const { t } = useTranslation('frames');
  return (
    <Button component={Link} to="/menu/qrcode" leftSection={<IconQrcode size="1.25rem" aria-hidden />}>
      {t('pair')}
    </Button>
  );
}

/** Explains what a frame is and how to pair the first one. */
function NoFrames() {
  const { t } = useTranslation('frames');
  return (
    <section className={classes.empty}>
      <IconDeviceTv size="3rem" stroke={1.2} aria-hidden />
      <Title order={2} size="h3">
        {t('empty.title')}
      </Title>
      <Text c="dimmed">{t('empty.text')}</Text>
      <PairSteps />
      <PairButton />
    </section>
  );
}
