import { mayBeAnimated } from '@framelift/contract';
import type { Ground } from '@framelift/engine/geometry';
import { Text } from '@mantine/core';
import { type CSSProperties, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sniff } from './file-rules.ts';
import classes from './VideoPlayer.module.css';

/** Plays the chosen video or animation from the local file; nothing has been uploaded yet. */
export function VideoPlayer({ file, ground }: { readonly file: File; readonly ground: Ground | null }) {
  const { t } = useTranslation('upload');
  const [played, setPlayed] = useState<{ readonly url: string; readonly animated: boolean }>();
  const [unplayable, setUnplayable] = useState(false);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    let left = false;
    setPlayed(undefined);
    setUnplayable(false);
    // An animation may have the name of a video.
    void sniff(file).then((type) => {
      if (!left) setPlayed({ url, animated: type !== null && mayBeAnimated(type) });
    });
    return () => {
      left = true;
      URL.revokeObjectURL(url);
    };
  }, [file]);

  return (
    <div className={classes.place}>
      {unplayable ? (
        <Text c="dimmed" ta="center" role="status">
          {t('video.unplayable', { name: file.name })}
        </Text>
      ) : played?.animated ? (
        <Animation url={played.url} name={file.name} ground={ground} onError={() => setUnplayable(true)} />
      ) : (
        <video
          className={classes.video}
          src={played?.url}
          controls
          muted
          playsInline
          aria-label={file.name}
          onError={() => setUnplayable(true)}
        />
      )}
    </div>
  );
}

interface AnimationProps {
  readonly url: string;
  readonly name: string;
  readonly ground: Ground | null;
  readonly onError: () => void;
}

/** Shows an animation as large as it fits, on its ground; beside it are black bars, as beside a video. */
function Animation({ url, name, ground, onError }: AnimationProps) {
  const [ratio, setRatio] = useState(0);
  return (
    <div className={classes.bars}>
      <img
        src={url}
        alt={name}
        style={{ '--ratio': ratio, background: ground ?? undefined } as CSSProperties}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth / naturalHeight)}
        onError={onError}
      />
    </div>
  );
}
