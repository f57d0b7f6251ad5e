import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './FramePage.module.css';
import type { OptionProps } from './option-props.ts';

const NIGHT = { from: '22:00', to: '07:00' } as const;

/** Hours in which the screen is dark, in the time zone of the place where the frame stands. */
export function SleepFields({ options: { sleep, timeZone }, onChange }: OptionProps) {
  const { t } = useTranslation('frames');
  const zones = Intl.supportedValuesOf('timeZone');
  const field = (end: 'from' | 'to') =>
    sleep && (
      <TextInput
        flex="1 1 8rem"
        type="time"
        label={t(`options.${end}`)}
        value={sleep[end]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // Empty while it is being typed.
          if (value !== '') onChange({ sleep: { ...sleep, [end]: value } });
        }}
      />
    );
  return (
    <>
      <Switch
        size="md"
        labelPosition="left"
        classNames={{ body: classes.switch ?? '', labelWrapper: classes.switchLabel ?? '' }}
        label={t('options.sleep')}
        description={t('options.sleepHint')}
        checked={sleep !== null}
        onChange={(event) => onChange({ sleep: event.currentTarget.checked ? NIGHT : null })}
      />
      {sleep && (
        <Group gap="sm">
          {field('from')}
          {field('to')}
        </Group>
      )}
      <Select
        label={t('options.zone')}
        description={t('options.zoneHint')}
        inputWrapperOrder={['label', 'input', 'description']}
        size="md"
        searchable
        allowDeselect={false}
        data={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
        value={timeZone}
        onChange={(value) => value && onChange({ timeZone: value })}
        maxDropdownHeight="min(22rem, 60dvh)"
        limit={100}
      />
    </>
  );
}
