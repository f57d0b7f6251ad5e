import { LIMITS, type SubscriptionInfo, type User } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { subscriptionsQuery } from '../api/subscriptions.ts';
import { currentLanguage } from '../i18n/index.ts';

/**
 * Returns the plan that is paused until it is paid, of which the member themselves are told to have none: null for none,
 * undefined until it is known.
 *
 * @param user null for nobody
 */
export function usePausedPlan(user: Pick<User, 'myPlan'> | null): SubscriptionInfo | null | undefined {
  const hasNone = user?.myPlan.plan.id === LIMITS.planIds.nonMember;
  const { data, isError } = useQuery({ ...subscriptionsQuery(currentLanguage()), enabled: hasNone });
  if (!hasNone || isError) return null;
  return data && (data.find(({ kind, state }) => kind === 'plan' && state === 'suspended') ?? null);
}
