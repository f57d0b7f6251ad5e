import type { Ground } from '@framelift/engine/geometry';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './VideoPlayer.module.css';

/** Plays the chosen video or animation from the local file; nothing has been uploaded yet. */
export function VideoPlayer({ file, ground }: { readonly file: File; readonly ground: Ground | null }) {
  const { t } = useTranslation('upload');
  const [url, setUrl] = useState<string>();
  const [unplayable, setUnplayable] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    setUnplayable(false);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  return (
    <div className={classes.place}>
      {unplayable ? (
        <Text c="dimmed" ta="center" role="status">
          {t('video.unplayable', { name: file.name })}
        </Text>
      ) : file.type.startsWith('image/') ? (
        <img
          className={classes.video}
          style={ground ? { background: ground } : undefined}
          src={url}
          alt={file.name}
          onError={() => setUnplayable(true)}
        />
      ) : (
        <video
          className={classes.video}
          src={url}
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
