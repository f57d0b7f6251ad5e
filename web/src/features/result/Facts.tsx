import { DEPTH_MODEL_NAMES, type MediaDetail } from '@framelift/contract';
import { Stack, Title } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatNumber, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import classes from './ResultView.module.css';

/** Properties of this conversion in plain words. */
export function Facts({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('result');
  const nameOf = useDeviceName();
  const language = currentLanguage();
  const { crop, depthSource, deviceType, strokes } = media;
  const facts: [string, string | null][] = [
    [t('facts.sentBy'), media.sent_by ?? null],
    [t('facts.frame'), nameOf(deviceType)],
    [t('facts.strength'), formatPercent(media.effect / 100, language)],
    [t('facts.depth'), depthSource && depthSourceName(depthSource, t)],
    [t('facts.strokes'), strokes > 0 ? formatNumber(strokes, language) : null],
    [
      t('facts.crop'),
      crop &&
        t('facts.size', { width: formatNumber(crop.width, language), height: formatNumber(crop.height, language) }),
    ],
    [t('facts.made'), media.finish_time && formatDateTime(media.finish_time, language)],
  ];
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {t('facts.title')}
      </Title>
      <dl className={classes.facts}>
        {facts.map(
          ([name, value]) => value !== null && [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>],
        )}
      </dl>
    </Stack>
  );
}

/** Returns the display name of a depth source: 'basic', 'embedded', 'member', or the name of a neural model. */
function depthSourceName(source: string, t: TFunction<'result'>): string {
  if (source === 'basic' || source === 'embedded' || source === 'member') return t(`depthSource.${source}`);
  const id = source.replace(/^model:/, '');
  const names: Readonly<Record<string, string>> = DEPTH_MODEL_NAMES;
  return t('depthSource.model', { name: names[id] ?? id });
}
