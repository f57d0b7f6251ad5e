import { byLanguage, htmlLangOf, LIMITS, type LocalizedLines } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import type { Clock } from '../../context.ts';
import type { Db } from '../../platform/db/open.ts';
import { offers, plans } from '../../platform/db/schema.ts';
import { seedOnce } from '../../platform/db/seed.ts';

const GIB = 1024 ** 3;
const { nonMember, normal, prime, pro } = LIMITS.planIds;

/** The names are the same in every language. */
const named = (name: string) => byLanguage(() => name);
const NOTHING = byLanguage(() => []);

/** Returns lines of a plan, or the name of a pack, in each language. */
const written = <T>(write: (text: TextOfSeeds, count: (value: number) => string) => T) =>
  byLanguage((language) => write(textsIn(language, 'seeds'), (value) => value.toLocaleString(htmlLangOf(language))));
type TextOfSeeds = ReturnType<typeof textsIn<'seeds'>>;

const benefits = (points: number, gigabytes: number, minutes: number): LocalizedLines =>
  written((t, count) => [
    t('monthlyPoints', { points: count(points) }),
    t('storage', { gigabytes }),
    t('video', { minutes }),
    t('live'),
  ]);

/** Prices in minor units. */
const PLANS = [
  { id: nonMember, name: '', icon: '', content: NOTHING, usd: 0, twd: null },
  {
    ...{ id: normal, name: 'Normal', icon: 'normal', points: 300, storageBytes: 20 * GIB, videoSeconds: 30 * 60 },
    ...{ content: benefits(300, 20, 30), usd: 499, twd: 150_00 },
  },
  {
    ...{ id: prime, name: 'Prime', icon: 'prime', points: 800, storageBytes: 50 * GIB, videoSeconds: 60 * 60 },
    ...{ content: benefits(800, 50, 60), usd: 999, twd: 300_00 },
  },
  {
    ...{ id: pro, name: 'Pro', icon: 'pro', points: 2000, storageBytes: 200 * GIB, videoSeconds: 120 * 60 },
    ...{ content: benefits(2000, 200, 120), usd: 1999, twd: 600_00 },
  },
] as const;

const PACKS = [
  { points: 100, usd: 99, twd: 30_00 },
  { points: 550, usd: 499, twd: 150_00 },
  { points: 1200, usd: 999, twd: 300_00 },
] as const;

/** Adds the plans of the specification and some packs of points, once. Prices and benefits are the operators' to change. */
export async function seedPlans(db: Db, clock: Clock): Promise<void> {
  const createdAt = clock.now();
  await seedOnce(db, 'plans', createdAt, async (tx) => {
    for (const [position, { usd, twd, name, ...plan }] of PLANS.entries()) {
      await tx.insert(plans).values({ ...plan, name: named(name), live: plan.id !== nonMember });
      const price = { priceUsd: usd, priceTwd: twd, period: 1 };
      await tx
        .insert(offers)
        .values({ kind: 'plan', planId: plan.id, ...price, content: NOTHING, position, createdAt });
    }
    for (const [position, { points, usd, twd }] of PACKS.entries()) {
      const name = written((t, count) => t('points', { points: count(points) }));
      const price = { priceUsd: usd, priceTwd: twd };
      await tx.insert(offers).values({ kind: 'points', points, name, ...price, content: NOTHING, position, createdAt });
    }
  });
}
