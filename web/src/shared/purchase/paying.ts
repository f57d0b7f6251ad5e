import { useQuery } from '@tanstack/react-query';
import { paymentMethodsQuery } from '../../api/payment.ts';
import { useSession } from '../../api/session.ts';

/** Returns whether members can pay here; `unknown` to others, and where the server does not tell. */
export function usePaying(): 'open' | 'closed' | 'loading' | 'unknown' {
  const { kind } = useSession();
  const { data, isLoading } = useQuery({ ...paymentMethodsQuery, enabled: kind === 'member' });
  if (!data) return isLoading ? 'loading' : 'unknown';
  return data.length > 0 ? 'open' : 'closed';
}
