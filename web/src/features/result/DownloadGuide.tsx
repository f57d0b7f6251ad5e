import type { MediaDetail } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../shared/device-name.ts';
import { textsOf } from '../../shared/format-groups.ts';
import classes from './DownloadGuide.module.css';
import type { DownloadRequest } from './use-download.ts';

/** Says in two lines how to show what is being downloaded. It appears with the click, so that nothing moves later. */
export function DownloadGuide({ media, request }: { readonly media: MediaDetail; readonly request: DownloadRequest }) {
  const { t } = useTranslation(['guides', 'formats']);
  const nameOf = useDeviceName();
  const [format, ...others] = request.formats;
  if (!format) return null;
  const isVideo = media.film !== null;
  const guide = others.length > 0 ? 'several' : textsOf(format, isVideo);
  const name =
    guide === 'several'
      ? t('severalName')
      : format === media.formats[0]
        ? nameOf(media.deviceType)
        : t(`formats:formats.${guide}.name`);
  return (
    <section className={classes.guide} aria-label={t('title', { name })}>
      <Text fw={600}>{t('title', { name })}</Text>
      <ol>
        <li>{t(`formats.${guide}.first`)}</li>
        <li>{t(`formats.${guide}.second`)}</li>
      </ol>
    </section>
  );
}
