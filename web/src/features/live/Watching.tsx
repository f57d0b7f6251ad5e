import { LIMITS, type LiveEvent } from '@framelift/contract';
import { ActionIcon, Button, Group, Loader, Text } from '@mantine/core';
import IconDevices from '@tabler/icons-react/icons/IconDevices';
import IconX from '@tabler/icons-react/icons/IconX';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { AgeForm } from './AgeForm.tsx';
import player from './LivePlayer.module.css';
import { LivePlayer } from './LivePlayer.tsx';
import { useLiveSession } from './use-live-session.ts';
import { type Line, type Speed, useSpeed } from './use-speed.ts';
import classes from './WatchPage.module.css';

/** The broadcast of an event that runs, or why it cannot be watched, and what to do about it. */
export function Watching({ event }: { event: LiveEvent }) {
  const { state, start, check } = useLiveSession(event.id);
  // Here, so that a session that follows another one asks nothing that was answered.
  const line = useSpeed(state.kind === 'watching');
  const again = () => void start();
  switch (state.kind) {
    case 'starting':
      return <Waiting text="page.starting" />;
    case 'replaced':
      return <Replaced onHere={again} />;
    case 'refused':
      return <Refusal error={state.error} onAgain={again} />;
    case 'watching':
      return (
        <WithSpeed line={line}>
          <div className={player.place}>
            <LivePlayer key={state.session.id} session={state.session} onRefused={() => void check()} />
          </div>
        </WithSpeed>
      );
  }
}

function Waiting({ text, children }: { text: 'page.starting' | 'speed.checking'; children?: ReactNode }) {
  const { t } = useTranslation('live');
  return (
    <div className={classes.screen}>
      <Loader color="white" aria-hidden />
      <Text role="status">{t(text)}</Text>
      {children}
    </div>
  );
}

/** Stands where the picture would be, and takes the focus that the player had. */
function Panel({ title, icon, children }: { title: string; icon?: ReactNode; children?: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, []);
  return (
    <div ref={place} tabIndex={-1} className={classes.panel} role="alert">
      {icon}
      <Text fw={600} size="lg">
        {title}
      </Text>
      {children}
    </div>
  );
}

function Replaced({ onHere }: { onHere: () => void }) {
  const { t } = useTranslation(['live', 'errors']);
  return (
    <Panel title={t('replaced.title')} icon={<IconDevices size="2.5rem" stroke={1.3} aria-hidden />}>
      <Text c="dimmed">{t('errors:liveSessionReplaced')}</Text>
      <Button onClick={onHere}>{t('replaced.here')}</Button>
    </Panel>
  );
}

/** Refusals that another attempt does not change. */
const FINAL = ['underAge', 'liveEventNotRunning', 'liveEventNotFound'];

function Refusal({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation('live');
  const code = isCallError(error) ? error.code : '';
  if (code === 'ageNotConfirmed' || code === 'underAge') return <AgeForm onConfirmed={onAgain} />;
  return (
    <Panel title={error instanceof Error ? error.message : String(error)}>
      <Group justify="center">
        {code === 'not_member_please_buy' && (
          <Button component={Link} to="/plan">
            {t('page.plans')}
          </Button>
        )}
        {!FINAL.includes(code) && (
          <Button variant="default" onClick={onAgain}>
            {t('page.tryAgain')}
          </Button>
        )}
      </Group>
    </Panel>
  );
}

/** What a measured speed means. */
function SpeedText({ speed }: { speed: Speed }) {
  const { t } = useTranslation('live');
  const number = (value: number) => formatNumber(Math.round(value * 10) / 10, currentLanguage());
  const { minMbps, recommendedMbps } = LIMITS.stream;
  const figures = { mbps: number(speed.mbps), min: number(minMbps), recommended: number(recommendedMbps) };
  return t(speed.level === 'slow' ? 'speed.slow' : 'speed.fair', figures);
}

/** Tells what the speed of the line means for the picture, before it loads anything. */
function WithSpeed({ line, children }: { line: Line; children: ReactNode }) {
  const { t } = useTranslation('live');
  const { speed, isAccepted, accept, again, skip } = line;
  if (speed === null) {
    return (
      <Waiting text="speed.checking">
        <Button variant="default" onClick={skip}>
          {t('speed.skip')}
        </Button>
      </Waiting>
    );
  }
  const measured = speed === 'unknown' ? null : speed;
  if (measured?.level === 'slow' && !isAccepted) {
    return (
      <Panel title={t('speed.slowTitle')}>
        <Text c="dimmed">
          <SpeedText speed={measured} />
        </Text>
        <Group justify="center">
          <Button onClick={accept}>{t('speed.continue')}</Button>
          <Button variant="default" onClick={again}>
            {t('speed.again')}
          </Button>
        </Group>
      </Panel>
    );
  }
  return (
    <>
      {children}
      {measured?.level === 'fair' && !isAccepted && (
        <div className={classes.note} role="status">
          <Text size="sm">
            <SpeedText speed={measured} />
          </Text>
          <ActionIcon aria-label={t('speed.close')} onClick={accept}>
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </div>
      )}
    </>
  );
}
