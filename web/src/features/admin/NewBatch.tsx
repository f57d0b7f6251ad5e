import { type Api, LIMITS, type OutputOf } from '@framelift/contract';
import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createPinCodes } from '../../api/admin.ts';
import { Form } from '../../ui/Form.tsx';
import { startOfDay, today } from './local-time.ts';

export type Made = OutputOf<Api['createPinCodes']>;
const MOST_DAYS = 36_500;

/** What a new batch of serial codes shall be. */
export function NewBatch({ onMade }: { onMade: (made: Made) => void }) {
  const { t } = useTranslation('admin');
  const [name, setName] = useState('');
  const [count, setCount] = useState<number | string>(10);
  const [days, setDays] = useState<number | string>('');
  const [lastDay, setLastDay] = useState('');
  const { mutate, isPending } = useMutation(createPinCodes);
  const ready = name.trim() !== '' && Number(count) >= 1;
  const make = () => {
    const ends = { days: days === '' ? null : Number(days), expires_at: startOfDay(lastDay, 1) ?? null };
    mutate({ name, count: Number(count), ...ends }, { onSuccess: onMade });
  };
  return (
    <Form onSubmit={() => ready && make()}>
      <Stack>
        <TextInput
          label={t('codes.name')}
          description={t('codes.nameHint')}
          maxLength={LIMITS.textLength}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <NumberInput
          size="md"
          label={t('codes.count')}
          min={1}
          max={LIMITS.pinCodes.perBatch}
          clampBehavior="strict"
          allowDecimal={false}
          hideControls
          inputMode="numeric"
          value={count}
          onChange={setCount}
        />
        <NumberInput
          size="md"
          label={t('codes.daysLabel')}
          description={t('codes.daysHint')}
          min={1}
          max={MOST_DAYS}
          clampBehavior="strict"
          allowDecimal={false}
          hideControls
          inputMode="numeric"
          value={days}
          onChange={setDays}
        />
        <TextInput
          type="date"
          label={t('codes.lastDay')}
          description={t('codes.lastDayHint')}
          min={today()}
          value={lastDay}
          onChange={(event) => setLastDay(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!ready} loading={isPending}>
          {t('codes.make')}
        </Button>
      </Stack>
    </Form>
  );
}
