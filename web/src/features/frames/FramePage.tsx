import type { OwnFrame } from '@framelift/contract';
import { Skeleton, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { frameQuery } from '../../api/frames.ts';
import { FrameLight } from '../../shared/show-on-frame/FrameLight.tsx';
import { type ToShow, takeToShow } from '../../shared/show-on-frame/pending-show.ts';
import { ShowOnFrameDialog } from '../../shared/show-on-frame/ShowOnFrameDialog.tsx';
import { BackLink } from '../../ui/BackLink.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import { FrameFacts } from './FrameFacts.tsx';
import { FrameName } from './FrameName.tsx';
import { FrameOptionsForm } from './FrameOptionsForm.tsx';
import classes from './FramePage.module.css';
import { FrameProblems } from './FrameProblems.tsx';
import { FrameItems } from './items/FrameItems.tsx';
import { NowShowing } from './NowShowing.tsx';
import { Senders } from './Senders.tsx';

/** A frame reports once a minute; what it shows changes more often. */
const REFRESH_MS = 5000;

const TABS = ['pictures', 'settings', 'friends'] as const;

/** One frame of the member: what it does now, what it plays, how, and who may send to it. */
export function FramePage() {
  const { t } = useTranslation('frames');
  const { id = '' } = useParams();
  const query = useQuery({ ...frameQuery(id), refetchInterval: REFRESH_MS });
  const { data: frame, error } = query;
  const gone = isCallError(error) && (error.status === 404 || error.status === 400);
  const back = <BackLink to="/menu/frameSetting">{t('title')}</BackLink>;
  return (
    <div className={classes.page}>
      {back}
      {gone ? (
        <Text role="alert" className={classes.note ?? ''}>
          {t('gone')}
        </Text>
      ) : frame ? (
        <Frame key={frame.id} frame={frame} />
      ) : error ? (
        <TryAgain query={query} text={t('frameFailed')} className={classes.note ?? ''} />
      ) : (
        <div className={classes.head} role="status" aria-label={t('title')}>
          <Skeleton className={classes.heading} />
          <Skeleton className={classes.nowSkeleton} />
        </div>
      )}
    </div>
  );
}

function Frame({ frame }: { frame: OwnFrame }) {
  const { t } = useTranslation('frames');
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'pictures';
  const [toShow, setToShow] = useState<ToShow | null>(null);
  // What was chosen before there was a frame is shown on the one just paired.
  useEffect(() => setToShow((known) => known ?? takeToShow()), []);
  const choose = (next: string | null) =>
    setQuery(
      (before) => {
        if (next === null || next === 'pictures') before.delete('tab');
        else before.set('tab', next);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <>
      <DocumentTitle title={frame.name} />
      <div className={classes.head}>
        <FrameName frame={frame}>
          <Title order={1} className={classes.title ?? ''}>
            {frame.name}
          </Title>
        </FrameName>
        <FrameLight frame={frame} />
      </div>
      <NowShowing frame={frame} />
      <FrameProblems problems={frame.problems} />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List grow aria-label={frame.name}>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one} className={classes.tab ?? ''}>
              {t(`tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="pictures" className={classes.panel ?? ''}>
          <FrameItems frame={frame} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={classes.panel ?? ''}>
          <FrameOptionsForm frame={frame} />
          <FrameFacts frame={frame} onGone={() => void navigate('/menu/frameSetting', { replace: true })} />
        </Tabs.Panel>
        <Tabs.Panel value="friends" className={classes.panel ?? ''}>
          <Senders frame={frame} />
        </Tabs.Panel>
      </Tabs>
      {toShow && <ShowOnFrameDialog what={toShow} frame={frame.id} onClosed={() => setToShow(null)} />}
    </>
  );
}
