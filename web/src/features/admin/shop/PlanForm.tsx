import { byLanguage, LIMITS, type ManagedPlan } from '@framelift/contract';
import { Button, Checkbox, NumberInput, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { setPlan } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import classes from '../Admin.module.css';
import { WHOLE } from '../whole-number.ts';
import { linesOf, typedLines } from './amounts.ts';
import { LocalizedFields } from './LocalizedFields.tsx';

const GIB = 1024 ** 3;
type Field = number | string;

interface Props {
  /** Null adds one. */
  readonly plan: ManagedPlan | null;
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (input: Parameters<typeof setPlan>[0]) => void;
}

/** Returns a plan as the call that changes it takes it. */
export function planInput({ archived_at, members: _members, ...plan }: ManagedPlan): Parameters<typeof setPlan>[0] {
  const content = byLanguage((language) => [...plan.content[language]]);
  return { ...plan, content, archived: archived_at !== null };
}

/** Edits what a plan is called and what it brings. */
export function PlanForm({ plan, saving, refused, onSave }: Props) {
  const { t } = useTranslation('admin');
  const initial = {
    name: { ...(plan?.name ?? byLanguage(() => '')) },
    lines: { ...typedLines(plan?.content ?? byLanguage(() => [])) },
    points: (plan?.points ?? 0) as Field,
    gigabytes: (plan?.storage_bytes ? plan.storage_bytes / GIB : '') as Field,
    minutes: (plan?.video_seconds ? plan.video_seconds / 60 : '') as Field,
    live: plan?.live ?? false,
  };
  const { form, input } = useContractForm('setPlan', initial, (values) => ({
    id: plan?.id ?? null,
    name: values.name,
    icon: plan?.icon ?? '',
    content: linesOf(values.lines),
    points: Number(values.points),
    storage_bytes: values.gigabytes === '' ? null : Math.round(Number(values.gigabytes) * GIB),
    video_seconds: values.minutes === '' ? null : Math.round(Number(values.minutes) * 60),
    live: values.live,
    archived: plan ? plan.archived_at !== null : false,
  }));
  const fraction = { ...WHOLE, min: 0, allowDecimal: true, inputMode: 'decimal' } as const;
  return (
    <Form onSubmit={() => input && onSave(input)}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        <LocalizedFields
          label={t('shop.name')}
          maxLength={LIMITS.shop.titleLength}
          required
          props={(language) => form.getInputProps(`name.${language}`)}
        />
        <LocalizedFields
          label={t('shop.benefits')}
          description={t('shop.benefitsHint')}
          maxLength={LIMITS.shop.contentLength}
          rows={4}
          props={(language) => form.getInputProps(`lines.${language}`)}
        />
        <div className={classes.fields}>
          <NumberInput label={t('shop.monthlyPoints')} {...WHOLE} min={0} {...form.getInputProps('points')} />
          <NumberInput label={t('shop.gigabytes')} {...fraction} {...form.getInputProps('gigabytes')} />
          <NumberInput label={t('shop.minutes')} {...fraction} {...form.getInputProps('minutes')} />
        </div>
        <Checkbox label={t('shop.live')} {...form.getInputProps('live', { type: 'checkbox' })} />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('shop.save')}
        </Button>
      </Stack>
    </Form>
  );
}
