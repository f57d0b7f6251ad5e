import {
  byLanguage,
  inLanguage,
  LIMITS,
  type ManagedOffer,
  type ManagedPlan,
  type ManagedProduct,
} from '@framelift/contract';
import { Button, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { setOffer } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import classes from '../Admin.module.css';
import { WHOLE } from '../whole-number.ts';
import { amountOf, linesOf, typedAmount, typedLines } from './amounts.ts';
import { LocalizedFields } from './LocalizedFields.tsx';
import { PositionField } from './PositionField.tsx';

type Field = number | string;
const MONTHS = 3;
const POINTS = 100;

interface Props {
  readonly kind: ManagedOffer['kind'];
  /** Null adds one. */
  readonly offer: ManagedOffer | null;
  readonly products: readonly ManagedProduct[];
  readonly plans: readonly ManagedPlan[];
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (input: Parameters<typeof setOffer>[0]) => void;
}

/** Edits what something is sold for. */
export function OfferForm({ kind, offer, products, plans, saving, refused, onSave }: Props) {
  const { t } = useTranslation('admin');
  const language = currentLanguage();
  const initial = {
    product: String(offer?.product_id ?? products[0]?.id ?? ''),
    plan: String(offer?.plan_id ?? plans[0]?.id ?? ''),
    points: (offer?.points ?? POINTS) as Field,
    months: (offer?.period ?? MONTHS) as Field,
    usd: typedAmount(offer?.price_usd ?? null, 'USD'),
    twd: typedAmount(offer?.price_twd ?? null, 'TWD'),
    name: { ...(offer?.name ?? byLanguage(() => '')) },
    lines: { ...typedLines(offer?.content ?? byLanguage(() => [])) },
    position: (offer?.position ?? 0) as Field,
  };
  const { form, input, wrong } = useContractForm('setOffer', initial, (values) => {
    const fields = {
      id: offer?.id ?? null,
      icon: offer?.icon ?? '',
      content: linesOf(values.lines),
      price_usd: amountOf(values.usd, 'USD') ?? 0,
      price_twd: amountOf(values.twd, 'TWD'),
      position: Number(values.position),
    };
    const named = Object.values(values.name).some((text) => text.trim() !== '');
    if (kind === 'points') return { ...fields, kind, points: Number(values.points), name: values.name };
    const name = named ? values.name : null;
    return kind === 'plan'
      ? { ...fields, kind, plan_id: Number(values.plan), name }
      : { ...fields, kind, product_id: Number(values.product), period: Number(values.months), name };
  });
  const choices = (rows: readonly { readonly id: number; readonly name: ManagedPlan['name'] }[]) =>
    rows.map(({ id, name }) => ({ value: String(id), label: inLanguage(name, language) }));
  return (
    <Form onSubmit={() => input && onSave(input)}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        {kind === 'product' && (
          <>
            <NativeSelect
              size="md"
              label={t('shop.product')}
              data={choices(products)}
              {...form.getInputProps('product')}
            />
            <NumberInput
              label={t('shop.months')}
              {...WHOLE}
              max={LIMITS.shop.months}
              {...form.getInputProps('months')}
            />
          </>
        )}
        {kind === 'plan' && (
          <NativeSelect size="md" label={t('shop.plan')} data={choices(plans)} {...form.getInputProps('plan')} />
        )}
        {kind === 'points' && <NumberInput label={t('shop.points')} {...WHOLE} {...form.getInputProps('points')} />}
        <div className={classes.fields}>
          <NumberInput
            label={t('shop.usd')}
            size="md"
            min={0}
            decimalScale={2}
            hideControls
            inputMode="decimal"
            {...form.getInputProps('usd')}
          />
          <NumberInput
            label={t('shop.twd')}
            description={t('shop.twdHint')}
            {...WHOLE}
            {...form.getInputProps('twd')}
            error={wrong('price_twd') && t('shop.twdWrong')}
          />
        </div>
        {offer && (
          <Text size="sm" c="dimmed">
            {t('shop.replaces')}
          </Text>
        )}
        <LocalizedFields
          label={t('shop.name')}
          {...(kind !== 'points' && { description: t('shop.offerNameHint') })}
          maxLength={LIMITS.shop.titleLength}
          required={kind === 'points'}
          props={(code) => form.getInputProps(`name.${code}`)}
        />
        <LocalizedFields
          label={t('shop.benefits')}
          description={t('shop.benefitsHint')}
          maxLength={LIMITS.shop.contentLength}
          rows={2}
          props={(code) => form.getInputProps(`lines.${code}`)}
        />
        <PositionField {...form.getInputProps('position')} />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('shop.save')}
        </Button>
      </Stack>
    </Form>
  );
}
