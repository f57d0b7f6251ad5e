import type { MediaDetail, Video } from '@framelift/contract';
import { Stack, Text } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import { useTranslation } from 'react-i18next';
import classes from './ResultView.module.css';

/** Notes of a conversion that are shown; all others are for the operator. */
const NOTES = ['subtitlesLeftOut', 'soundLeftOut', 'soundDamaged', 'filmDamagedInPart'] as const;

/** The flat video, as every browser plays it, and notes about its conversion. */
export function VideoView({ media, video }: { media: MediaDetail; video: Video }) {
  const { t } = useTranslation('result');
  const notes = NOTES.filter((code) => video.notes.includes(code));
  return (
    <>
      {video.preview ? (
        <video
          className={classes.video}
          src={video.preview}
          poster={media.cover ?? undefined}
          controls
          playsInline
          preload="metadata"
          aria-label={t('video.label', { name: media.name })}
        >
          <track kind="captions" />
        </video>
      ) : (
        media.cover && <img className={classes.cover} src={media.cover} alt={media.name} />
      )}
      <p className={classes.hint}>{video.preview ? t('video.hint') : t('video.noPreview')}</p>
      {notes.length > 0 && (
        <Stack gap="xs" component="ul" className={classes.notes}>
          {notes.map((code) => (
            <li key={code}>
              <IconInfoCircle size="1.25rem" aria-hidden />
              <Text size="sm">{t(`video.notes.${code}`)}</Text>
            </li>
          ))}
        </Stack>
      )}
    </>
  );
}
