import { LIMITS } from '@framelift/contract';
import { Button, Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Form } from '../../ui/Form.tsx';
import type { OptionProps } from './option-props.ts';

const PRESETS: readonly number[] = [10, 30, 60, 300, 900, 3600, 21_600, 86_400];
const OWN = 'own';
/** Units of an own time in seconds. */
const UNITS = { seconds: 1, minutes: 60, hours: 3600 } as const;
type Unit = keyof typeof UNITS;

/** Returns the largest unit in which a time is a whole number. */
function unitOf(seconds: number): Unit {
  return seconds % UNITS.hours === 0 ? 'hours' : seconds % UNITS.minutes === 0 ? 'minutes' : 'seconds';
}

/** How long a picture stays: a usual time, or one of one's own from 5 seconds to a day. */
export function IntervalField({ options: { intervalSeconds }, onChange }: OptionProps) {
  const { t } = useTranslation('frames');
  const [own, setOwn] = useState(!PRESETS.includes(intervalSeconds));
  const language = currentLanguage();
  return (
    <>
      <Select
        label={t('options.interval')}
        size="md"
        allowDeselect={false}
        data={[
          ...PRESETS.map((seconds) => ({ value: String(seconds), label: formatDuration(seconds, language) })),
          { value: OWN, label: t('options.own') },
        ]}
        value={own ? OWN : String(intervalSeconds)}
        onChange={(value) => {
          setOwn(value === OWN);
          if (value !== null && value !== OWN) onChange({ intervalSeconds: Number(value) });
        }}
        maxDropdownHeight="min(22rem, 60dvh)"
      />
      {own && <OwnInterval key={intervalSeconds} seconds={intervalSeconds} onChange={onChange} />}
    </>
  );
}

function OwnInterval({ seconds, onChange }: { seconds: number; onChange: OptionProps['onChange'] }) {
  const { t } = useTranslation('frames');
  const [unit, setUnit] = useState<Unit>(unitOf(seconds));
  const [value, setValue] = useState<number | string>(seconds / UNITS[unit]);
  const { min, max } = LIMITS.frames.intervalSeconds;
  const wanted = Math.round(Number(value) * UNITS[unit]);
  const isFine = value !== '' && wanted >= min && wanted <= max;
  const language = currentLanguage();
  return (
    <Form onSubmit={() => isFine && onChange({ intervalSeconds: wanted })}>
      <Group gap="xs" align="flex-start">
        <NumberInput
          flex="1 1 6rem"
          size="md"
          aria-label={t('options.ownTime')}
          min={0}
          allowNegative={false}
          hideControls
          inputMode="decimal"
          value={value}
          onChange={setValue}
          error={
            !isFine && t('options.ownRange', { min: formatDuration(min, language), max: formatDuration(max, language) })
          }
        />
        <Select
          flex="1 1 8rem"
          size="md"
          aria-label={t('options.unit')}
          allowDeselect={false}
          data={(Object.keys(UNITS) as Unit[]).map((one) => ({ value: one, label: t(`options.units.${one}`) }))}
          value={unit}
          onChange={(next) => next && setUnit(next)}
        />
        <Button type="submit" variant="default" disabled={!isFine || wanted === seconds}>
          {t('save')}
        </Button>
      </Group>
    </Form>
  );
}
