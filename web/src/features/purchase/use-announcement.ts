import type { PaymentInfo } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { completePayment, isDecided, refreshPurchases } from '../../api/payment.ts';
import { errorText } from '../../i18n/error-text.ts';
import { startedPayment } from '../../shared/purchase/pay.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { showToast } from '../../ui/toasts.ts';

/**
 * Shows what a payment changed, and tells how one ended that this tab has begun, once: a reload, or a later look at it,
 * finds the page alone. What was bought is the member's before anything is announced; a failure of the last call takes
 * nothing away.
 * @returns whether the balance, and all else that a decided payment changed, was loaded since
 */
export function useAnnouncement(payment: PaymentInfo | undefined): boolean {
  const { t } = useTranslation(['payment', 'errors', 'upload']);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const decided = payment && isDecided(payment) ? payment : undefined;

  // Any tab that waits may have loaded before the end: that of the card page, or of another browser.
  const end = decided?.state;
  const [loadedEnd, setLoadedEnd] = useState<PaymentInfo['state']>();
  useEffect(() => {
    if (!end) return;
    let isGone = false;
    void refreshPurchases(queries).finally(() => {
      if (!isGone) setLoadedEnd(end);
    });
    return () => {
      isGone = true;
    };
  }, [end, queries]);

  useEffect(() => {
    if (!decided || startedPayment.get() !== decided.td) return;
    startedPayment.set(null);
    const alert = (kind: 'success' | 'error', title: string, content?: string) =>
      showAlert({ kind, title, ...(content && { content }), ms: UI_LIMITS.alertMs });
    const announce = async () => {
      if (decided.state !== 'granted') {
        if (decided.state === 'failed') await alert('error', t('upload:oops'), errorText('transactionFailed'));
        return;
      }
      const id = decided.transaction_id ?? decided.td;
      await alert('success', t('payment:success', { method: t(`payment:${decided.method}`), id }));
      try {
        await completePayment(decided);
      } catch {
        await alert('error', errorText('subscribeFailed'));
        await navigate('/player');
        return;
      }
      showToast({ kind: 'success', text: t('payment:bought', { name: decided.name }) });
    };
    void announce();
  }, [decided, navigate, t]);
  return end !== undefined && loadedEnd === end;
}
