import type { ManagedPaymentDetail } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { refreshAdmin } from '../../../api/admin.ts';
import { showToast } from '../../../ui/toasts.ts';

/**
 * Runs a call that answers a payment as it is now, and says what came of it. Everything is loaded again after a failure
 * too: what a lost answer changed is to be seen before the next try.
 */
export function usePaymentCall<Input>(
  run: (input: Input) => Promise<ManagedPaymentDetail>,
  said: (payment: ManagedPaymentDetail, input: Input) => { kind: 'success' | 'info'; text: string },
) {
  return useMutation({
    mutationFn: async (input: Input, { client }) => {
      try {
        return await run(input);
      } finally {
        await refreshAdmin(client);
      }
    },
    onSuccess: (payment, input) => showToast(said(payment, input)),
  });
}
