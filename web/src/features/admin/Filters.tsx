import { NativeSelect, TextInput } from '@mantine/core';
import classes from './Admin.module.css';

interface FilterSelectProps<V extends string> {
  readonly label: string;
  /** Of the choice that leaves nothing out. */
  readonly all: string;
  readonly options: readonly V[];
  readonly labelOf: (option: V) => string;
  readonly value: V | undefined;
  /** Called with the empty string for all. */
  readonly onChange: (value: string) => void;
}

/** Chooses what a list is limited to. */
export function FilterSelect<V extends string>({
  label,
  all,
  options,
  labelOf,
  value,
  onChange,
}: FilterSelectProps<V>) {
  return (
    <NativeSelect
      className={classes.grow ?? ''}
      size="md"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: all }, ...options.map((option) => ({ value: option, label: labelOf(option) }))]}
    />
  );
}

interface FilterDaysProps {
  readonly labels: { readonly since: string; readonly until: string };
  /** Days as the fields write them, or empty. */
  readonly since: string;
  readonly until: string;
  readonly onChange: (name: 'since' | 'until', value: string) => void;
}

/** Limits a list to the days between two, with both. */
export function FilterDays({ labels, since, until, onChange }: FilterDaysProps) {
  return (
    <>
      <TextInput
        className={classes.grow ?? ''}
        type="date"
        label={labels.since}
        value={since}
        max={until || undefined}
        onChange={(event) => onChange('since', event.currentTarget.value)}
      />
      <TextInput
        className={classes.grow ?? ''}
        type="date"
        label={labels.until}
        value={until}
        min={since || undefined}
        onChange={(event) => onChange('until', event.currentTarget.value)}
      />
    </>
  );
}
