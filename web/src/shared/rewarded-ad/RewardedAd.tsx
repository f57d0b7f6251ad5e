import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { adsQuery } from '../../api/points.ts';
import { formatNumber, formatSeconds } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { AdOffer } from './AdOffer.tsx';
import { GoogleAd } from './GoogleAd.tsx';
import { HouseAd } from './HouseAd.tsx';
import classes from './RewardedAd.module.css';
import { type AdPhase, useRewardedAd } from './use-rewarded-ad.ts';

/** How often the time that is left is drawn, in milliseconds. */
const DRAW_MS = 250;

interface RewardedAdProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The page of the ad is offered after it, where leaving loses nothing. */
  readonly leads?: boolean;
}

/** Asks whether to watch an ad, shows it, and gives its reward. It can be left at any time, without the reward then. */
export function RewardedAd({ opened, onClose, leads = false }: RewardedAdProps) {
  const { t } = useTranslation(['ads', 'points']);
  const { t: common } = useTranslation();
  const { phase, interrupted, start } = useRewardedAd(opened);
  const ads = useQuery({ ...adsQuery, enabled: opened });
  const offer = ads.data;
  const canStart = offer?.next_at === null && offer.left > 0;
  // What had the focus goes with each phase.
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (phase.name === 'asked') return;
    (body.current?.querySelector<HTMLElement>('[data-autofocus]') ?? body.current)?.focus();
  }, [phase.name]);
  const closing = (
    <Group justify="flex-end">
      <Button onClick={onClose} data-autofocus>
        {common('close')}
      </Button>
    </Group>
  );
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t(phase.name === 'asked' ? 'modal.ask' : 'points:watch')}
      size="lg"
      closeOnClickOutside={phase.name !== 'playing'}
    >
      <div ref={body} tabIndex={-1} className={classes.body}>
        {phase.name === 'asked' && (
          <Stack>
            {ads.isError && !offer ? (
              <TryAgain query={ads} text={t('points:adsFailed')} />
            ) : (
              <Text className={classes.offer ?? ''} role="status">
                <AdOffer />
              </Text>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('modal.no')}
              </Button>
              <Button disabled={!canStart} onClick={start} data-autofocus>
                {t('modal.yes')}
              </Button>
            </Group>
          </Stack>
        )}
        {phase.name === 'starting' && (
          <Stack align="center" role="status">
            <Spinner />
            <Text>{t('modal.starting')}</Text>
          </Stack>
        )}
        {phase.name === 'playing' && <Playing phase={phase} interrupted={interrupted} onLeave={onClose} />}
        {phase.name === 'rewarded' && (
          <Stack>
            <Text role="status" fw={600} size="lg">
              {t('modal.rewarded', {
                amount: formatNumber(phase.reward.amount, currentLanguage()),
                type: t(`modal.type.${phase.reward.type}`, { count: phase.reward.amount }),
              })}
            </Text>
            {leads && phase.ad.ad && (
              <Anchor component={Link} to={phase.ad.ad.click} replace className={classes.link ?? ''}>
                {phase.ad.ad.title}
              </Anchor>
            )}
            {closing}
          </Stack>
        )}
        {phase.name === 'failed' && (
          <Stack>
            {/* Why there is none now, and until when, says more than the refusal. */}
            <Text role="alert">
              {typeof phase.problem === 'string' ? (
                t(`modal.${phase.problem}`)
              ) : offer && !canStart ? (
                <AdOffer />
              ) : (
                phase.problem.message
              )}
            </Text>
            {canStart ? (
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  {common('close')}
                </Button>
                <Button onClick={start} data-autofocus>
                  {t('modal.again')}
                </Button>
              </Group>
            ) : (
              closing
            )}
          </Stack>
        )}
      </div>
    </Modal>
  );
}

/** The ad, with the time that is left. */
function Playing({
  phase: { ad, watch },
  interrupted,
  onLeave,
}: {
  readonly phase: Extract<AdPhase, { name: 'playing' }>;
  readonly interrupted: boolean;
  readonly onLeave: () => void;
}) {
  const { t } = useTranslation('ads');
  const [watchedMs, setWatchedMs] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setWatchedMs(watch.watchedMs()), DRAW_MS);
    return () => clearInterval(timer);
  }, [watch]);
  const leftMs = ad.duration - watchedMs;
  const text =
    leftMs > 0 ? t('modal.wait', { time: formatSeconds(leftMs / 1000, currentLanguage()) }) : t('modal.nearly');
  return (
    <Stack>
      {ad.ad ? <HouseAd ad={ad} events={watch.events} /> : <GoogleAd ad={ad} events={watch.events} />}
      <Progress value={(watchedMs / ad.duration) * 100} aria-label={text} transitionDuration={DRAW_MS} />
      {/* The seconds are not read out one by one; what interrupts them is. */}
      <Text className="tabular" role="status" aria-live={interrupted || leftMs <= 0 ? 'polite' : 'off'}>
        {interrupted ? t('modal.interrupted') : text}
      </Text>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('modal.stay')}
        </Text>
        <Button variant="subtle" color="gray" onClick={onLeave}>
          {t('modal.leave')}
        </Button>
      </Group>
    </Stack>
  );
}
