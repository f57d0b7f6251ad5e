import type { LiveSession } from '@framelift/contract';
import { ActionIcon, Button, Loader, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import IconArrowsMaximize from '@tabler/icons-react/icons/IconArrowsMaximize';
import IconArrowsMinimize from '@tabler/icons-react/icons/IconArrowsMinimize';
import IconLayoutGrid from '@tabler/icons-react/icons/IconLayoutGrid';
import IconPlayerPauseFilled from '@tabler/icons-react/icons/IconPlayerPauseFilled';
import IconPlayerPlayFilled from '@tabler/icons-react/icons/IconPlayerPlayFilled';
import IconPlayerTrackNextFilled from '@tabler/icons-react/icons/IconPlayerTrackNextFilled';
import IconVolume from '@tabler/icons-react/icons/IconVolume';
import IconVolumeOff from '@tabler/icons-react/icons/IconVolumeOff';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useWakeLock } from '../../shared/media-viewer/use-wake-lock.ts';
import { AngleVideo } from './AngleVideo.tsx';
import { playsSeveral, type StreamFailure } from './angle-stream.ts';
import classes from './LivePlayer.module.css';
import { useAngles } from './use-angles.ts';
import { useFullScreen } from './use-full-screen.ts';
import { usePlayerKeys } from './use-player-keys.ts';
import { savesData } from './use-speed.ts';

/** Milliseconds until a stream that is interrupted is tried again. */
const RETRY_MS = 5000;
/** Angles shown small at once: more pictures than most decoders play. */
const MOST_PREVIEWS = 6;

interface Props {
  readonly session: LiveSession;
  /** The server refuses the stream: the session knows why. */
  readonly onRefused: () => void;
}

interface Failure {
  readonly kind: StreamFailure['kind'];
  readonly retry: () => void;
}

/** Plays the angles of an event: one large, with sound, the others small and silent, all at the same moment. */
export function LivePlayer({ session, onRefused }: Props) {
  const { t } = useTranslation('live');
  const { event, angles } = session;
  const isWide = useMediaQuery('(width >= 48em)', false, { getInitialValueInEffect: false });
  const [previews, setPreviews] = useState(() => isWide && playsSeveral() && !savesData());
  const [isPaused, setPaused] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [failures, setFailures] = useState<Readonly<Record<string, Failure | undefined>>>({});
  const player = useRef<HTMLElement>(null);
  const state = useAngles(angles[0]?.id ?? '');
  const { main, next, delay } = state;
  const full = useFullScreen(player, () => state.videoOf(main));
  const hasChoice = angles.length > 1;
  useWakeLock(!isPaused);

  const fail = (id: string, failure: StreamFailure, retry: () => void) => {
    if (failure.kind === 'network' && failure.status >= 400 && failure.status < 500) onRefused();
    setFailures((before) => ({ ...before, [id]: { kind: failure.kind, retry } }));
  };
  const clear = (id: string) => setFailures((before) => (before[id] ? { ...before, [id]: undefined } : before));
  useEffect(() => {
    const interrupted = Object.values(failures).filter((one) => one?.kind === 'network');
    if (interrupted.length === 0) return;
    const timer = setTimeout(() => {
      for (const failure of interrupted) failure?.retry();
    }, RETRY_MS);
    return () => clearTimeout(timer);
  }, [failures]);
  const toggle = () => setPaused((before) => !before);
  const toggleSound = () => setMuted((before) => !before);
  usePlayerKeys({
    ' ': toggle,
    f: full.toggle,
    m: toggleSound,
    ...Object.fromEntries(angles.map(({ id }, n) => [String(n + 1), () => state.choose(id)])),
  });

  const placeOf = (id: string, n: number) => {
    if (id === main) return 'stage';
    if (previews && n < MOST_PREVIEWS) return 'tile';
    return id === next ? 'hidden' : null;
  };
  const failure = failures[main];
  const isLoading = state.isWaiting && !isPaused && !failure;
  const nameOf = (id: string) => angles.find((one) => one.id === id)?.name ?? '';
  return (
    <section ref={player} className={classes.player} aria-label={t('player.label', { title: event.title })}>
      <div className={classes.stage} aria-hidden />
      <div className={classes.over}>
        {failure ? (
          <Problem
            text={t(`player.failed.${failure.kind}`)}
            {...(failure.kind !== 'unsupported' && {
              onRetry: () => {
                clear(main);
                failure.retry();
              },
            })}
          />
        ) : (
          isLoading && <Loader color="white" aria-hidden />
        )}
      </div>
      <div className={classes.bar}>
        <Control label={t(isPaused ? 'player.play' : 'player.pause')} keys="Space" onPress={toggle}>
          {isPaused ? <IconPlayerPlayFilled aria-hidden /> : <IconPlayerPauseFilled aria-hidden />}
        </Control>
        <Control label={t(isMuted ? 'player.unmute' : 'player.mute')} keys="M" onPress={toggleSound}>
          {isMuted ? <IconVolumeOff aria-hidden /> : <IconVolume aria-hidden />}
        </Control>
        <div className={classes.now}>
          {delay && !delay.isLate && (
            <>
              <span className={classes.live}>{t('live')}</span>
              <Text component="span" size="sm" className={classes.delay ?? ''}>
                {t('player.delay', { time: formatDuration(delay.seconds, currentLanguage()) })}
              </Text>
            </>
          )}
          {delay?.isLate && (
            <Button
              size="compact-md"
              variant="default"
              className={classes.back ?? ''}
              leftSection={<IconPlayerTrackNextFilled size="1em" aria-hidden />}
              onClick={() => {
                setPaused(false);
                state.toLive();
              }}
            >
              {t('player.toLive')}
            </Button>
          )}
        </div>
        {hasChoice && playsSeveral() && (
          <Control label={t('player.previews')} isPressed={previews} onPress={() => setPreviews((before) => !before)}>
            <IconLayoutGrid aria-hidden />
          </Control>
        )}
        <Control label={t(full.isFull ? 'player.window' : 'player.full')} keys="F" onPress={full.toggle}>
          {full.isFull ? <IconArrowsMinimize aria-hidden /> : <IconArrowsMaximize aria-hidden />}
        </Control>
      </div>
      {/* The videos stay where they are in the document: a video that moves there starts anew. */}
      <ul className={classes.angles} aria-label={t('player.angles')} data-choice={hasChoice || undefined}>
        {angles.map(({ id, name, manifest }, n) => {
          const place = placeOf(id, n);
          return (
            <li key={id} className={classes.angle} data-previews={previews || undefined}>
              {place && (
                <AngleVideo
                  id={id}
                  name={name}
                  manifest={manifest}
                  poster={event.cover}
                  place={place}
                  isMuted={isMuted}
                  isPaused={isPaused}
                  angles={state}
                  onSilenced={() => setMuted(true)}
                  onFailure={(problem, retry) => fail(id, problem, retry)}
                  onPlaying={() => clear(id)}
                />
              )}
              {hasChoice && (
                <button
                  type="button"
                  className={classes.choose}
                  aria-pressed={id === main}
                  aria-keyshortcuts={String(n + 1)}
                  data-next={id === next || undefined}
                  onClick={() => state.choose(id)}
                >
                  <span className={classes.name}>
                    <span className={classes.number} aria-hidden>
                      {n + 1}
                    </span>
                    {name}
                  </span>
                  {id === next && <Loader size="1.25rem" color="white" aria-hidden />}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <VisuallyHidden role="status">
        {isLoading ? t('player.loading') : hasChoice && t('player.watching', { name: nameOf(main) })}
      </VisuallyHidden>
    </section>
  );
}

interface ControlProps {
  readonly label: string;
  readonly keys?: string;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Control({ label, keys, isPressed, onPress, children }: ControlProps) {
  return (
    <ActionIcon
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      aria-keyshortcuts={keys}
      aria-pressed={isPressed}
      className={classes.control ?? ''}
      onClick={onPress}
    >
      {children}
    </ActionIcon>
  );
}

/** Why nothing is to be seen, with another try where it may change something. */
function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.problem} role="alert">
      <Text>{text}</Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}
