import type { MediaDetail } from '@framelift/contract';
import { Stack, Text, Title } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatNumber, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './ResultView.module.css';

/** Share of the edge rows from which on a cut-off near thing is worth a word. */
const NOTABLE_VIOLATION = 0.15;

/** What this conversion is, in plain words. */
export function Facts({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('result');
  const language = currentLanguage();
  const { crop, comfort, depthSource, deviceType } = media;
  const facts: [string, string | null][] = [
    [t('facts.frame'), deviceType.name],
    [t('facts.strength'), formatPercent(media.effect / 100, language)],
    [t('facts.depth'), depthSource && depthSourceName(depthSource, t)],
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
      {comfort && (
        <Text size="sm" c="dimmed">
          {comfort.windowViolation > NOTABLE_VIOLATION
            ? t('comfort.window')
            : comfort.clamped
              ? t('comfort.clamped', { device: deviceType.name })
              : t('comfort.fine')}
        </Text>
      )}
    </Stack>
  );
}

/** The name of a depth source: 'basic', 'embedded', 'member', or the installed model's own. */
function depthSourceName(source: string, t: TFunction<'result'>): string {
  if (source === 'basic' || source === 'embedded' || source === 'member') return t(`depthSource.${source}`);
  return t('depthSource.model', { name: source.replace(/^model:/, '') });
}
