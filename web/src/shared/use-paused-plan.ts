import { LIMITS, type SubscriptionInfo, type User } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { subscriptionsQuery } from '../api/subscriptions.ts';
import { currentLanguage } from '../i18n/index.ts';

/** Returns the plan that is paused until it is paid: the member themselves are told to have none. @param user null for none */
export function usePausedPlan(user: Pick<User, 'myPlan'> | null): SubscriptionInfo | undefined {
  const hasNone = user?.myPlan.plan.id === LIMITS.planIds.nonMember;
  const { data } = useQuery({ ...subscriptionsQuery(currentLanguage()), enabled: hasNone });
  return hasNone ? data?.find(({ kind, state }) => kind === 'plan' && state === 'suspended') : undefined;
}
