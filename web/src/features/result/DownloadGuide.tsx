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
  const own = textsOf(format, media.film !== null);
  const single = others.length === 0;
  const nameOfOne = format === media.formats[0] ? nameOf(media.deviceType) : t(`formats:formats.${own}.name`);
  const name = single ? nameOfOne : t('several.name');
  return (
    <section className={classes.guide} aria-label={t('title', { name })}>
      <Text fw={600}>{t('title', { name })}</Text>
      <ol>
        <li>{single ? t(`formats:formats.${own}.first`) : t('several.first')}</li>
        <li>{single ? t(`formats:formats.${own}.second`) : t('several.second')}</li>
      </ol>
    </section>
  );
}
