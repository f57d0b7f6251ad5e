import type { Video } from '@framelift/contract';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent, formatSeconds } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { textsOf } from '../../shared/format-groups.ts';

/** Additional formats of a video that are being generated. */
export function PendingFormats({ video }: { video: Video }) {
  return video.making.map((one) => <OneFormat key={`${one.format} ${JSON.stringify(one.options)}`} making={one} />);
}

function OneFormat({ making }: { making: Video['making'][number] }) {
  const { t } = useTranslation(['result', 'formats']);
  const language = currentLanguage();
  const id = useId();
  const { progress, timeLeft, failure } = making;
  const format = t(`formats:formats.${textsOf(making.format, true)}.name`);
  if (failure) {
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {t('making.failed', { format })} {failure.message}
      </Text>
    );
  }
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" id={id}>
          {t('making.row', { format })}
        </Text>
        <Text size="sm" className="tabular">
          {formatPercent(progress / 100, language)}
        </Text>
      </Group>
      <Progress.Root>
        <Progress.Section value={progress} aria-labelledby={id} />
      </Progress.Root>
      <Text size="sm" c="dimmed" mih="1.5em">
        {timeLeft !== null && t('making.left', { time: formatSeconds(timeLeft, language) })}
      </Text>
    </Stack>
  );
}
