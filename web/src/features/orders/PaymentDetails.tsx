import type { PaymentInfo } from '@framelift/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { cancelPayment, isDecided, refreshPurchases } from '../../api/payment.ts';
import { usePaymentFacts } from '../../shared/purchase/payment-facts.ts';
import { showError } from '../../shared/show-error.ts';
import { confirm } from '../../ui/confirm.ts';
import { showToast } from '../../ui/toasts.ts';
import { Facts } from './Facts.tsx';
import { paymentStateOf } from './payment-state.ts';

/** The receipt of a payment, or what became of it and can be done about it. */
export function PaymentDetails({ payment }: { payment: PaymentInfo }) {
  const { t } = useTranslation(['orders', 'payment']);
  const state = paymentStateOf(payment);
  const isPaid = state === 'granted' || state === 'partly' || state === 'refunded';
  const why = payment.failure && t(`payment:failure.${payment.failure}`, { method: t(`payment:${payment.method}`) });
  return (
    <Stack gap="md">
      {!isPaid && <Text>{why ?? t(`orders:payment.text.${state === 'review' ? 'checking' : state}`)}</Text>}
      <Facts facts={usePaymentFacts(payment)} />
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
function Undecided({ payment: { td, state, awaits_code, name, failure } }: { payment: PaymentInfo }) {
  const { t } = useTranslation('orders');
  const queries = useQueryClient();
  const cancelling = useMutation(cancelPayment);
  const canCancel = state === 'created' || awaits_code || (state === 'pending' && failure === 'inReview');
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
