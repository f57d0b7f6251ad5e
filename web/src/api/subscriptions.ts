import type { Language, SubscriptionInfo } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { allPages, cursorOf, paged } from './paged.ts';
import { refreshPurchases, SUBSCRIPTIONS } from './payment.ts';
import { usageQuery } from './profile.ts';
import { QUIET } from './query-client.ts';

/** The plan and the products that the member has, newest first, with names in one language. */
export const subscriptionsQuery = (language: Language) =>
  queryOptions({
    queryKey: [SUBSCRIPTIONS, 'living', language],
    queryFn: ({ signal }) => allPages<SubscriptionInfo>((at) => call('subscriptions', { input: at, signal })),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** What has ended, newest first. Pages without any are passed over. */
export const endedSubscriptionsQuery = (language: Language) =>
  paged([SUBSCRIPTIONS, 'ended', language], async (at, signal) => {
    for (let place = at; ; ) {
      const found = await call('subscriptions', { input: { ...place, all: 'yes' }, signal });
      const data = found.data.filter(({ state }) => state === 'ended');
      const page = cursorOf(found.next);
      if (data.length > 0 || page === null) return { ...found, data };
      place = { page };
    }
  });

/** After a change of the plan: of all that it allows, too. */
async function refresh(client: QueryClient): Promise<void> {
  await Promise.all([refreshPurchases(client), client.invalidateQueries({ queryKey: usageQuery.queryKey })]);
}

/** Cancels the plan at the end of what is paid; one that is suspended or was given, at once. */
export const cancelPlan = mutationOptions({
  mutationFn: () => call('plan_unsubscribe'),
  onSettled: (_plan, _error, _variables, _result, { client }) => refresh(client),
});

/** Undoes `cancelPlan` before the plan has ended. */
export const resumePlan = mutationOptions({
  mutationFn: () => call('resumeSubscription'),
  onSettled: (_plan, _error, _variables, _result, { client }) => refresh(client),
});

/** Charges a suspended plan again. The page shows a failure. */
export const payPlanNow = mutationOptions({
  mutationFn: () => call('payNow'),
  onSettled: (_plan, _error, _variables, _result, { client }) => refresh(client),
  meta: QUIET,
});
