import { type Api, LIMITS, type OutputOf } from '@framelift/contract';
import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createPinCodes } from '../../api/admin.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { startOfDay, today } from './local-time.ts';

export type Made = OutputOf<Api['createPinCodes']>;
const MOST_DAYS = 36_500;

/** Form for a new batch of serial codes. */
export function NewBatch({ onMade }: { onMade: (made: Made) => void }) {
  const { t } = useTranslation('admin');
  const { mutate, isPending } = useMutation(createPinCodes);
  const empty = { name: '', count: 10 as number | string, days: '' as number | string, lastDay: '' };
  const { form, input } = useContractForm('createPinCodes', empty, ({ name, count, days, lastDay }) => ({
    name,
    count: Number(count),
    days: days === '' ? null : Number(days),
    expires_at: startOfDay(lastDay, 1) ?? null,
  }));
  const [refusal, refuse] = useRefusal(form.values);
  const ready = input !== null && form.values.name.trim() !== '';
  const number = { size: 'md', min: 1, clampBehavior: 'strict', inputMode: 'numeric' } as const;
  return (
    <Form onSubmit={() => ready && mutate(input, { onSuccess: onMade, onError: refuse })}>
      <Stack>
        <FormProblem text={refusal?.message} />
        <TextInput
          label={t('codes.name')}
          description={t('codes.nameHint')}
          {...NAME_FIELD}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <NumberInput
          label={t('codes.count')}
          max={LIMITS.pinCodes.perBatch}
          allowDecimal={false}
          hideControls
          {...number}
          {...form.getInputProps('count')}
        />
        <NumberInput
          label={t('codes.daysLabel')}
          description={t('codes.daysHint')}
          max={MOST_DAYS}
          allowDecimal={false}
          hideControls
          {...number}
          {...form.getInputProps('days')}
        />
        <TextInput
          type="date"
          label={t('codes.lastDay')}
          description={t('codes.lastDayHint')}
          min={today()}
          {...form.getInputProps('lastDay')}
        />
        <Button type="submit" disabled={!ready} loading={isPending}>
          {t('codes.make')}
        </Button>
      </Stack>
    </Form>
  );
}
