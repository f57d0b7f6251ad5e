import { useEffect, useRef, useState } from 'react';
import { type AngleStream, type DatedVideo, openStream, programmeTime, type StreamFailure } from './angle-stream.ts';
import classes from './LivePlayer.module.css';
import type { Angles } from './use-angles.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly manifest: string;
  readonly poster: string | null;
  /** Watched, shown small, or not seen until its picture is there. */
  readonly place: 'stage' | 'tile' | 'hidden';
  readonly isMuted: boolean;
  readonly isPaused: boolean;
  readonly angles: Pick<Angles, 'main' | 'setVideo' | 'setStream' | 'videoOf'>;
  /** The browser plays nothing with sound before a press. */
  readonly onSilenced: () => void;
  readonly onFailure: (failure: StreamFailure, retry: () => void) => void;
  readonly onPlaying: () => void;
}

/** The video of one angle, with its stream for as long as it is here. */
export function AngleVideo({ id, name, manifest, poster, place, isMuted, isPaused, angles, ...on }: Props) {
  const ref = useRef<DatedVideo>(null);
  const [stream, setStream] = useState<AngleStream | null>(null);
  /** Counts the attempts to load the code of the player. */
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ angles, on });
  latest.current = { angles, on };
  const isStage = place === 'stage';
  const opensSmall = useRef(place === 'tile');

  useEffect(() => {
    const video = ref.current;
    if (!video) return;
    let isGone = false;
    let opened: AngleStream | null = null;
    const { setVideo, setStream: tell } = latest.current.angles;
    setVideo(id, video);
    void openStream(video, manifest, {
      isSmall: opensSmall.current,
      startAt: () => {
        const { main, videoOf } = latest.current.angles;
        const watched = main === id ? undefined : videoOf(main);
        return watched ? programmeTime(watched) : null;
      },
      onFailure: (failure) => latest.current.on.onFailure(failure, () => isGone || opened?.retry()),
    }).then(
      (made) => {
        if (isGone) return made.destroy();
        opened = made;
        setStream(made);
        tell(id, made);
      },
      () =>
        isGone ||
        latest.current.on.onFailure({ kind: 'network', status: 0 }, () => isGone || setAttempt((count) => count + 1)),
    );
    return () => {
      isGone = true;
      opened?.destroy();
      setVideo(id, null);
    };
  }, [id, manifest, attempt]);

  // A hidden one is about to be watched.
  useEffect(() => stream?.setSmall(place === 'tile'), [stream, place]);

  const play = async () => {
    const video = ref.current;
    if (!video || isPaused) return;
    try {
      await video.play();
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError' || video.muted) return;
      latest.current.on.onSilenced();
      video.muted = true;
      video.play().catch(() => {});
    }
  };
  useEffect(() => {
    if (isPaused) ref.current?.pause();
    else void play();
  }, [isPaused]);

  return (
    <video
      ref={ref}
      className={classes.video}
      data-place={place}
      data-angle={id}
      aria-label={name}
      aria-hidden={!isStage}
      poster={(isStage && poster) || undefined}
      muted={isMuted || !isStage}
      playsInline
      disablePictureInPicture={!isStage}
      tabIndex={-1}
      onCanPlay={() => void play()}
      onPlaying={on.onPlaying}
    >
      <track kind="captions" />
    </video>
  );
}
