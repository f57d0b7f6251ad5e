import type { FileKind } from '@framelift/contract';
import { DARK_GROUND, type Ground, WHITE_GROUND } from '@framelift/engine/geometry';
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ChangeEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './GroundField.module.css';

const BLACK: Ground = '#000000';
/** First colour of the colour field. */
const COLOUR: Ground = '#3b82c4';

type Choice = 'white' | 'black' | 'colour';

const choiceOf = (ground: Ground): Choice =>
  ground === WHITE_GROUND ? 'white' : ground === BLACK || ground === DARK_GROUND ? 'black' : 'colour';

interface GroundFieldProps {
  readonly kind: FileKind;
  readonly value: Ground;
  readonly onChange: (ground: Ground) => void;
}

/** Colour behind the transparent parts of a picture or an animation. */
export function GroundField({ kind, value, onChange }: GroundFieldProps) {
  const { t } = useTranslation('upload');
  const label = useId();
  const choice = choiceOf(value);
  const choose = (wanted: string) => {
    if (wanted === choice) return;
    onChange(wanted === 'white' ? WHITE_GROUND : wanted === 'black' ? BLACK : COLOUR);
  };
  return (
    <Stack gap="xs">
      <Text fw={500} id={label}>
        {t('ground.label')}
      </Text>
      <Group gap="sm" wrap="nowrap">
        <SegmentedControl
          className={classes.choices}
          aria-labelledby={label}
          value={choice}
          onChange={choose}
          data={(['white', 'black', 'colour'] as const).map((one) => ({ value: one, label: t(`ground.${one}`) }))}
        />
        {choice === 'colour' && (
          <input
            type="color"
            className={classes.colour}
            aria-label={t('ground.colour')}
            value={value}
            onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value as Ground)}
          />
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t(kind === 'video' ? 'ground.noteVideo' : 'ground.note')}
      </Text>
    </Stack>
  );
}
