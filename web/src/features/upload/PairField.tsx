import type { FileKind } from '@framelift/contract';
import type { PairChoice } from '@framelift/contract/formats';
import { type PairPlaces, packingOf } from '@framelift/engine/formats';
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './PairField.module.css';

const CHOICES = ['leftRight', 'rightLeft', 'aboveBelow', 'flat'] as const;

interface PairFieldProps {
  readonly kind: FileKind;
  /** Null leaves it to the server. */
  readonly value: PairChoice | null;
  /** The whole picture, or a still of the video, and its eyes as they are chosen or supposed. */
  readonly url: string;
  readonly places: PairPlaces | null;
  readonly onChange: (pair: PairChoice | null) => void;
}

/** What a picture or video is that looks like two of the same scene. The preview shows both eyes by turns. */
export function PairField({ kind, value, url, places, onChange }: PairFieldProps) {
  const { t } = useTranslation('upload');
  const texts = kind === 'video' ? 'pairVideo' : 'pair';
  return (
    <Group gap="md" wrap="nowrap" align="flex-start">
      <Stack gap="xs" flex={1}>
        <NativeSelect
          label={t(`${texts}.label`)}
          value={value ?? 'auto'}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === 'auto' ? null : (currentTarget.value as PairChoice))
          }
          data={(['auto', ...CHOICES] as const).map((one) => ({ value: one, label: t(`${texts}.${one}`) }))}
        />
        <Text size="sm" c="dimmed">
          {t(value === 'flat' ? `${texts}.flatNote` : `${texts}.note`)}
        </Text>
      </Stack>
      {places && (
        <div
          className={classes.preview}
          role="img"
          aria-label={t(`${texts}.preview`)}
          data-packing={packingOf(places.layout)}
          style={{ backgroundImage: `url("${url}")`, aspectRatio: `${places.shown.width} / ${places.shown.height}` }}
        />
      )}
    </Group>
  );
}
