import { useQuery } from '@tanstack/react-query';
import { useIsClosed } from '../../api/config.ts';
import { paymentMethodsQuery } from '../../api/payment.ts';
import { useSession } from '../../api/session.ts';

/**
 * Returns whether members can pay here: `shut` while the operator has switched the store off, `closed` where there is no way
 * to pay; `unknown` to others, and where the server does not tell.
 */
export function usePaying(): 'open' | 'closed' | 'shut' | 'loading' | 'unknown' {
  const { kind } = useSession();
  const isShut = useIsClosed('store');
  const { data, isLoading } = useQuery({ ...paymentMethodsQuery, enabled: kind === 'member' });
  if (isShut) return 'shut';
  if (!data) return isLoading ? 'loading' : 'unknown';
  return data.length > 0 ? 'open' : 'closed';
}
