import { Group, Slider, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './FramePage.module.css';

interface Props {
  readonly label: string;
  readonly hint?: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly textOf: (value: number) => string;
  /** Called when the slider is let go. */
  readonly onChange: (value: number) => void;
}

/** A slider whose value is taken when it is let go; until then only the number follows. */
export function PercentSlider({ label, hint, value, textOf, onChange, ...range }: Props) {
  const [shown, setShown] = useState(value);
  useEffect(() => setShown(value), [value]);
  return (
    <div>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Text fw={500}>{label}</Text>
        <Text fw={650} className="tabular">
          {textOf(shown)}
        </Text>
      </Group>
      <Slider
        {...range}
        className={classes.slider ?? ''}
        thumbSize={28}
        label={null}
        value={shown}
        thumbLabel={label}
        thumbValueText={textOf(shown)}
        onChange={setShown}
        onChangeEnd={(end) => onChange(Number(end.toFixed(2)))}
      />
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </div>
  );
}
