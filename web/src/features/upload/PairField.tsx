import type { PairChoice } from '@framelift/contract/formats';
import { type PairPlaces, packingOf } from '@framelift/engine/formats';
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './PairField.module.css';

const CHOICES = ['leftRight', 'rightLeft', 'aboveBelow', 'flat'] as const;

interface PairFieldProps {
  /** Null leaves it to the server. */
  readonly value: PairChoice | null;
  /** The whole picture, and its eyes as they are chosen or supposed. */
  readonly url: string;
  readonly places: PairPlaces | null;
  readonly onChange: (pair: PairChoice | null) => void;
}

/** What a picture is that looks like two of the same scene. The preview shows both eyes by turns. */
export function PairField({ value, url, places, onChange }: PairFieldProps) {
  const { t } = useTranslation('upload');
  return (
    <Group gap="md" wrap="nowrap" align="flex-start">
      <Stack gap="xs" flex={1}>
        <NativeSelect
          label={t('pair.label')}
          value={value ?? 'auto'}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === 'auto' ? null : (currentTarget.value as PairChoice))
          }
          data={(['auto', ...CHOICES] as const).map((one) => ({ value: one, label: t(`pair.${one}`) }))}
        />
        <Text size="sm" c="dimmed">
          {t(value === 'flat' ? 'pair.flatNote' : 'pair.note')}
        </Text>
      </Stack>
      {places && (
        <div
          className={classes.preview}
          role="img"
          aria-label={t('pair.preview')}
          data-packing={packingOf(places.layout)}
          style={{ backgroundImage: `url("${url}")`, aspectRatio: `${places.shown.width} / ${places.shown.height}` }}
        />
      )}
    </Group>
  );
}
