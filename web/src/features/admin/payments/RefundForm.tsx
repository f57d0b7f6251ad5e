import { CURRENCIES, formatMoney, isChargeable, type ManagedPaymentDetail } from '@framelift/contract';
import { Button, Checkbox, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { refundPayment } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { confirm } from '../../../ui/confirm.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { NAME_FIELD } from '../../../ui/name-field.ts';
import { randomUuid } from '../../../ui/random-uuid.ts';
import { amountOf } from '../shop/amounts.ts';
import { usePaymentCall } from './use-payment-call.ts';

/** Returns what is left to refund: refunds that are on their way count as well. */
export function refundable({ costs, paid_at, refunds }: ManagedPaymentDetail): number {
  if (paid_at === null) return 0;
  return refunds.filter(({ state }) => state !== 'failed').reduce((left, refund) => left - refund.costs, costs);
}

/** Refunds a payment, all that is left or a part, after saying what that takes from the member. */
export function RefundForm({ payment, onDone }: { payment: ManagedPaymentDetail; onDone: () => void }) {
  const { t } = useTranslation('adminPayments');
  const { id, currency, method, td, transaction_id, state, sold } = payment;
  const shown = (amount: number) => formatMoney({ amount, currency }, currentLanguage());
  const left = refundable(payment);
  const { exponent, digits } = CURRENCIES[currency];
  const least = 10 ** (exponent - digits);
  /** One per content: the same attempt again, whose answer was lost, refunds once. */
  const keys = useRef(new Map<string, string>());
  const keyOf = (content: string) => {
    const key = keys.current.get(content) ?? randomUuid();
    keys.current.set(content, key);
    return key;
  };
  const initial = { how: 'all', amount: '' as number | string, reason: '', byHand: false };
  const { form, input } = useContractForm('refundPayment', initial, ({ how, amount, reason }) => ({
    id,
    key: keyOf(`${how} ${amount} ${reason}`),
    costs: how === 'all' ? null : (amountOf(amount, currency) ?? 0),
    reason,
  }));
  const { how, amount, byHand } = form.values;
  const costs = how === 'all' ? left : (amountOf(amount, currency) ?? 0);
  const isFitting = isChargeable(costs, currency) && costs <= left;
  // Whatever makes the refunds complete takes back what was granted.
  const effect =
    costs !== left
      ? t('refund.part_effect')
      : state === 'granted'
        ? t(`refund.${sold.kind}_effect`, { count: sold.kind === 'product' ? (sold.months ?? 0) : sold.points })
        : t('refund.nothing_effect');
  const refund = usePaymentCall(refundPayment, ({ refunds }, { key }) =>
    refunds.find((one) => one.id === key)?.state === 'completed'
      ? { kind: 'success', text: t('refund.done', { amount: shown(costs) }) }
      : { kind: 'info', text: t('refund.underWay', { amount: shown(costs) }) },
  );
  const canSend = input !== null && isFitting && (method === 'paypal' || byHand);
  const send = async () => {
    if (!canSend || refund.isPending) return;
    const question = { title: t('refund.confirmTitle', { amount: shown(costs) }), content: effect };
    if (!(await confirm({ ...question, label: t('refund.button', { amount: shown(costs) }) }))) return;
    refund.mutate(input, {
      onSuccess: onDone,
      onError: (error) => {
        // A refused attempt is over: the next one is another.
        if (isCallError(error) && error.status !== 0) keys.current.clear();
      },
    });
  };
  return (
    <Form onSubmit={() => void send()}>
      <Stack>
        <FormProblem text={isCallError(refund.error) ? refund.error.message : undefined} />
        <Radio.Group label={t('refund.how')} {...form.getInputProps('how')}>
          <Stack gap="xs" mt="xs">
            <Radio size="md" value="all" label={t('refund.all', { amount: shown(left) })} />
            <Radio size="md" value="part" label={t('refund.part')} />
          </Stack>
        </Radio.Group>
        {how === 'part' && (
          <NumberInput
            size="md"
            label={t('refund.amount', { currency })}
            description={t('refund.atMost', { amount: shown(left) })}
            min={0}
            decimalScale={digits}
            allowNegative={false}
            hideControls
            inputMode={digits === 0 ? 'numeric' : 'decimal'}
            data-autofocus
            {...form.getInputProps('amount')}
            error={amount !== '' && !isFitting && t('refund.wrong', { least: shown(least), most: shown(left) })}
          />
        )}
        <TextInput label={t('refund.reason')} {...NAME_FIELD} {...form.getInputProps('reason')} />
        <Text role="status">{isFitting && effect}</Text>
        <Text c="dimmed" size="sm">
          {method === 'paypal'
            ? t('refund.paypal')
            : t('refund.card', { amount: isFitting ? shown(costs) : '…', transaction: transaction_id, number: td })}
        </Text>
        {method === 'card' && (
          <Checkbox label={t('refund.byHand')} {...form.getInputProps('byHand', { type: 'checkbox' })} />
        )}
        <Button type="submit" color="red" disabled={!canSend} loading={refund.isPending}>
          {isFitting ? t('refund.button', { amount: shown(costs) }) : t('actions.refund')}
        </Button>
      </Stack>
    </Form>
  );
}
