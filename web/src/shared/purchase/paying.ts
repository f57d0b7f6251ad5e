import { useQuery } from '@tanstack/react-query';
import { paymentMethodsQuery } from '../../api/payment.ts';
import { useSession } from '../../api/session.ts';

/** Returns whether members can pay here; `unknown` to others, and until the server has answered. */
export function usePaying(): 'open' | 'closed' | 'unknown' {
  const { kind } = useSession();
  const { data } = useQuery({ ...paymentMethodsQuery, enabled: kind === 'member' });
  if (!data) return 'unknown';
  return data.length > 0 ? 'open' : 'closed';
}
