import { LIMITS, type LocalizedLines } from '@framelift/contract';
import type { Clock } from '../../context.ts';
import type { Db } from '../../platform/db/open.ts';
import { offers, plans } from '../../platform/db/schema.ts';
import { seedOnce } from '../../platform/db/seed.ts';

const GIB = 1024 ** 3;
const { nonMember, normal, prime, pro } = LIMITS.planIds;

/** The names are the same in every language. */
const named = (name: string) => ({ en: name, zh: name, ja: name });
const NOTHING: LocalizedLines = { en: [], zh: [], ja: [] };

function benefits(points: string, gigabytes: number, minutes: number): LocalizedLines {
  return {
    en: [`${points} points every month`, `${gigabytes} GB of storage`, `Videos up to ${minutes} minutes`, 'Live shows'],
    zh: [`每月 ${points} 點`, `${gigabytes} GB 儲存空間`, `影片最長 ${minutes} 分鐘`, '觀看直播'],
    ja: [`毎月 ${points} ポイント`, `ストレージ ${gigabytes} GB`, `動画は最長 ${minutes} 分`, 'ライブ配信を視聴'],
  };
}

/** Prices in minor units. */
const PLANS = [
  { id: nonMember, name: '', icon: '', content: NOTHING, usd: 0, twd: null },
  {
    ...{ id: normal, name: 'Normal', icon: 'normal', points: 300, storageBytes: 20 * GIB, videoSeconds: 30 * 60 },
    ...{ content: benefits('300', 20, 30), usd: 499, twd: 150_00 },
  },
  {
    ...{ id: prime, name: 'Prime', icon: 'prime', points: 800, storageBytes: 50 * GIB, videoSeconds: 60 * 60 },
    ...{ content: benefits('800', 50, 60), usd: 999, twd: 300_00 },
  },
  {
    ...{ id: pro, name: 'Pro', icon: 'pro', points: 2000, storageBytes: 200 * GIB, videoSeconds: 120 * 60 },
    ...{ content: benefits('2,000', 200, 120), usd: 1999, twd: 600_00 },
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
      const count = points.toLocaleString('en');
      const name = { en: `${count} points`, zh: `${count} 點`, ja: `${count} ポイント` };
      const price = { priceUsd: usd, priceTwd: twd };
      await tx.insert(offers).values({ kind: 'points', points, name, ...price, content: NOTHING, position, createdAt });
    }
  });
}
