import { type Client, LIMITS } from '@framelift/contract';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { offers, subscriptions, users } from '../../platform/db/schema.ts';
import { DAY_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { smallJpeg, upload } from '../../testing/uploads.ts';
import { mediaJobs } from '../media/media.jobs.ts';
import { membershipJobs } from './membership.jobs.ts';
import {
  endRunOut,
  endSubscription,
  type Grant,
  giveComplimentaryPlan,
  grantSubscription,
  renewSubscription,
  setCancelAtEnd,
  suspendSubscription,
} from './subscriptions.ts';

const { normal, prime, pro } = LIMITS.planIds;
const NONE = { plan: { id: LIMITS.planIds.nonMember, icon: '', name: '' } };

describe('the plan of a member', () => {
  let app: TestApp;
  let me: Client;
  let userId: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const member = await app.member();
    me = app.client({ token: member.token });
    ({ userId } = member);
  });

  const change = <T>(work: Parameters<typeof app.context.db.transaction<T>>[0]) => app.context.db.transaction(work);
  async function grant(planId: number, given: Partial<Grant> = {}) {
    const [offer] = await app.context.db.select().from(offers).where(eq(offers.planId, planId));
    if (!offer) throw new Error(`The plan ${planId} is not for sale`);
    const paidAt = app.clock.now();
    return change((tx) =>
      grantSubscription(app.context, tx, { userId, offer, provider: 'sunpay', renews: true, paidAt, ...given }),
    );
  }
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);
  /** Runs what ends and deletes. */
  async function runSweeps(): Promise<void> {
    const once = { id: '', attempt: 1, signal: new AbortController().signal };
    for (const { job, run } of [...membershipJobs, ...mediaJobs(1, 1)])
      if (job.options.every !== undefined) await run(app.context, {}, once);
  }
  const live = () =>
    app.context.db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.userId, userId), eq(subscriptions.state, 'active')));

  test('is none at first, and the one that was paid for, by its id, icon and name [X8][R-1.feature-plans.1][R-3.user.2][R-7.user.4]', async () => {
    expect(await me.call('getCurrentPlan')).toEqual(NONE);
    for (const [id, name] of [
      [normal, 'Normal'],
      [prime, 'Prime'],
      [pro, 'Pro'],
    ] as const) {
      await grant(id);
      expect(await me.call('getCurrentPlan')).toEqual({ plan: { id, icon: name.toLowerCase(), name } });
    }
    expect((await me.call('user')).myPlan.plan.id).toBe(pro);
    // Each took the place of the one before.
    expect(await live()).toMatchObject([{ planId: pro }]);
  });

  test('raises the storage, as long as it lasts', async () => {
    const { limit } = await me.call('getUserUsage');
    const { subscription } = await grant(prime);
    expect((await me.call('getUserUsage')).limit).toBe(50 * 1024 ** 3);
    await change((tx) => endSubscription(app.context, tx, subscription.id));
    expect((await me.call('getUserUsage')).limit).toBe(limit);
  });

  test('that renews lasts until its payment has failed, is then suspended, and restored at once by a payment [A75]', async () => {
    const { subscription } = await grant(normal, { paidAt: daysAgo(25) });
    const { id, paidUntil } = subscription;
    const { id: picture } = await upload(app, me, await smallJpeg(1), { effect_param_id: 0 });
    const { used } = await me.call('getUserUsage');
    app.clock.advance(7 * DAY_MS);
    await endRunOut(app.context);
    expect((await me.call('getCurrentPlan')).plan.id).toBe(normal);
    await change((tx) => suspendSubscription(app.context, tx, id));
    expect(await me.call('getCurrentPlan')).toEqual(NONE);
    const suspended = async () =>
      (await app.context.db.select().from(users).where(eq(users.id, userId)))[0]?.suspendedAt ?? null;
    expect(await suspended()).not.toBeNull();
    // Nothing is taken away meanwhile.
    await runSweeps();
    expect((await me.call('videos', { input: {} })).data.map((media) => media.id)).toEqual([picture]);
    expect((await me.call('getUserUsage')).used).toBe(used);
    const [file] = await me.call('getMediaLink', { input: { id: picture, format: 'original' } });
    expect((await fetch(new URL(file?.url ?? '', app.url))).status).toBe(200);
    const renewed = await change((tx) => renewSubscription(tx, id, { paidAt: app.clock.now() }));
    expect((await me.call('getCurrentPlan')).plan.id).toBe(normal);
    expect(await suspended()).toBeNull();
    expect(renewed?.paidUntil?.getTime()).toBeGreaterThan(app.clock.now().getTime());
    expect(renewed?.anchorDay).toBe(subscription.anchorDay);
    expect(renewed?.paidUntil).not.toEqual(paidUntil);
  });

  test('that is cancelled lasts until what is paid has passed', async () => {
    const { subscription } = await grant(normal, { paidAt: daysAgo(25) });
    await change((tx) => setCancelAtEnd(tx, subscription.id, true));
    app.clock.advance(2 * DAY_MS);
    await endRunOut(app.context);
    expect((await me.call('getCurrentPlan')).plan.id).toBe(normal);
    app.clock.advance(5 * DAY_MS);
    expect(await me.call('getCurrentPlan')).toEqual(NONE);
    await endRunOut(app.context);
    expect(await live()).toEqual([]);
    expect(await change((tx) => renewSubscription(tx, subscription.id, { paidAt: app.clock.now() }))).toBeNull();
  });

  test('that is suspended and cancelled ends, and the member with it is suspended no more', async () => {
    const { subscription } = await grant(normal, { paidAt: daysAgo(40) });
    await change((tx) => suspendSubscription(app.context, tx, subscription.id));
    await endRunOut(app.context);
    const states = () => app.context.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    expect(await states()).toMatchObject([{ state: 'suspended' }]);
    await change((tx) => setCancelAtEnd(tx, subscription.id, true));
    await endRunOut(app.context);
    expect(await states()).toMatchObject([{ state: 'ended' }]);
    expect(await app.context.db.select().from(users).where(eq(users.id, userId))).toMatchObject([
      { suspendedAt: null },
    ]);
  });

  test('is one at a time, and twenty payments at once add up', async () => {
    await Promise.all(Array.from({ length: 20 }, () => grant(normal)));
    const [row, ...others] = await live();
    expect(others).toEqual([]);
    const months = (row?.paidUntil?.getTime() ?? 0) - app.clock.now().getTime();
    expect(Math.round(months / (30.44 * DAY_MS))).toBe(20);
  });

  test('can be given for nothing, and is then without an end', async () => {
    await grant(normal);
    const { replaced } = await change((tx) => giveComplimentaryPlan(app.context, tx, { userId, planId: pro }));
    expect(replaced?.planId).toBe(normal);
    app.clock.advance(400 * DAY_MS);
    await endRunOut(app.context);
    expect(await live()).toMatchObject([{ planId: pro, paidUntil: null, offerId: null }]);
  });
});
