import { formatMoney, type PaymentInfo } from '@framelift/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { cancelPayment, isDecided, refreshPurchases } from '../../api/payment.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showError } from '../../shared/show-error.ts';
import { confirm } from '../../ui/confirm.ts';
import { showToast } from '../../ui/toasts.ts';
import { Facts } from './Facts.tsx';
import { paymentStateOf } from './payment-state.ts';

/** The receipt of a payment, or what became of it and can be done about it. */
export function PaymentDetails({ payment }: { payment: PaymentInfo }) {
  const { t } = useTranslation('orders');
  const language = currentLanguage();
  const { currency, costs, refunded } = payment;
  const state = paymentStateOf(payment);
  const money = (amount: number) => formatMoney({ amount, currency }, language);
  return (
    <Stack gap="md">
      {state !== 'granted' && state !== 'partly' && state !== 'refunded' && <Text>{t(`payment.text.${state}`)}</Text>}
      <Facts
        facts={[
          [t('payment.fact.what'), payment.name],
          [t('payment.fact.amount'), money(costs)],
          [t('payment.fact.refunded'), refunded > 0 ? money(refunded) : undefined],
          [t('payment.fact.method'), t(`payment.methods.${payment.method}`)],
          [t('payment.fact.date'), formatDateTime(payment.date, language)],
          [t('payment.fact.number'), payment.td],
          [t('payment.fact.transaction'), payment.transaction_id ?? undefined],
        ]}
      />
      <Group gap="sm">{isDecided(payment) ? <WhereNext payment={payment} /> : <Undecided payment={payment} />}</Group>
    </Stack>
  );
}

/** A decided payment leads to what was bought, one that failed to where it can be bought. */
function WhereNext({ payment: { kind, product_id, state } }: { payment: PaymentInfo }) {
  const { t } = useTranslation('orders');
  if (state === 'granted') {
    return (
      <Button component={Link} to={kind === 'points' ? '/menu/points' : '/subscribedetail'} variant="default">
        {t(kind === 'points' ? 'payment.points' : 'payment.mine')}
      </Button>
    );
  }
  if (state === 'refunded') return null;
  const shelf = { product: `/store?product=${product_id}`, plan: '/subscribe', points: '/addValue' };
  return (
    <Button component={Link} to={shelf[kind]}>
      {t('payment.again')}
    </Button>
  );
}

/** Continues a payment that is not decided, or gives it up where nobody has paid yet. */
function Undecided({ payment: { td, state, awaits_code, name } }: { payment: PaymentInfo }) {
  const { t } = useTranslation('orders');
  const queries = useQueryClient();
  const cancelling = useMutation(cancelPayment);
  const canCancel = state === 'created' || awaits_code;
  const cancel = async () => {
    const agreed = await confirm({
      title: t('payment.cancelTitle'),
      content: t('payment.cancelText', { name }),
      label: t('payment.cancel'),
      cancel: t('payment.keep'),
    });
    if (!agreed) return;
    await cancelling.mutateAsync(td).then(
      (now) => {
        if (isDecided(now) && now.state !== 'granted') showToast({ kind: 'info', text: t('payment.cancelled') });
      },
      // It was paid, or is being paid, meanwhile.
      showError,
    );
    await refreshPurchases(queries);
  };
  return (
    <>
      <Button component={Link} to={`/tradeResult?td=${td}`}>
        {t(state === 'created' ? 'payment.continue' : 'payment.look')}
      </Button>
      {canCancel && (
        <Button variant="subtle" color="gray" loading={cancelling.isPending} onClick={() => void cancel()}>
          {t('payment.cancel')}
        </Button>
      )}
    </>
  );
}
