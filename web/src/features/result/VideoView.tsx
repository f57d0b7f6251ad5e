import type { MediaDetail, Note, Video } from '@framelift/contract';
import { Stack, Text } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './ResultView.module.css';

/** The flat video, as every browser plays it, and notes about its conversion. */
export function VideoView({ media, video }: { media: MediaDetail; video: Video }) {
  const { t } = useTranslation('result');
  const seconds = (value: number) => formatNumber(Math.round(value * 10) / 10, currentLanguage());
  const textOf = (note: Note) =>
    typeof note === 'string'
      ? t(`video.notes.${note}`)
      : t(`video.notes.${note.code}`, { seconds: seconds(note.seconds), promised: seconds(note.promised) });
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
      {video.notes.length > 0 && (
        <Stack gap="xs" component="ul" className={classes.notes}>
          {video.notes.map((note) => (
            <li key={textOf(note)}>
              <IconInfoCircle size="1.25rem" aria-hidden />
              <Text size="sm">{textOf(note)}</Text>
            </li>
          ))}
        </Stack>
      )}
    </>
  );
}
