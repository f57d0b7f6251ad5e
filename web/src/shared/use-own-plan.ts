import type { SubscriptionInfo, User } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { subscriptionsQuery } from '../api/subscriptions.ts';
import { currentLanguage } from '../i18n/index.ts';

/**
 * Returns the plan of a member, also while it is paused, when they themselves are told to have none: null for none,
 * undefined until it is known.
 *
 * @param user null for nobody
 */
export function useOwnPlan(user: Pick<User, 'isGuest'> | null): SubscriptionInfo | null | undefined {
  const hasSubscriptions = user !== null && !user.isGuest;
  const { data, isError } = useQuery({ ...subscriptionsQuery(currentLanguage()), enabled: hasSubscriptions });
  if (!hasSubscriptions || isError) return null;
  return data && (data.find(({ kind, state }) => kind === 'plan' && state !== 'ended') ?? null);
}

export const isPaused = (plan: SubscriptionInfo | null | undefined): plan is SubscriptionInfo =>
  plan?.state === 'suspended';

/** Returns when a plan ends by itself, because it was cancelled or is not charged any more; null for one that goes on. */
export function endOf(plan: SubscriptionInfo | null | undefined): string | null {
  if (plan?.state !== 'active') return null;
  return plan.cancel_at_end || !plan.renews ? plan.paid_until : null;
}
