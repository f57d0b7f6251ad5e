import { type AdSettings, adSettings, LIMITS } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { lockSetting, readSetting, writeSetting } from '../site/site.sql.ts';

const NAME = 'ads';
const DEFAULTS: AdSettings = {
  provider: 'house',
  adUnitPath: null,
  reward: LIMITS.ads.reward,
  limit: LIMITS.adsTimes,
};

export async function readAdSettings(db: Queries): Promise<AdSettings> {
  return adSettings.safeParse(await readSetting(db, NAME)).data ?? DEFAULTS;
}

export function getAdSettings({ db }: Context): Promise<AdSettings> {
  return readAdSettings(db);
}

/** Returns whether pages show ads of Google; false where that cannot be read, so that a page is sent all the same. */
export async function hasGoogleAds({ db, log }: Pick<Context, 'db' | 'log'>): Promise<boolean> {
  try {
    return (await readAdSettings(db)).provider === 'gpt';
  } catch (error) {
    log.warn({ error }, 'the settings of ads could not be read');
    return false;
  }
}

/** Applies to the next ad of every member. */
export async function setAdSettings(context: Context, auditActor: AuditActor, input: AdSettings): Promise<AdSettings> {
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    await lockSetting(tx, NAME, now);
    const before = await readAdSettings(tx);
    await writeSetting(tx, NAME, input, now);
    await writeAudit(context, tx, auditActor, { action: 'ads', before: { ...before }, after: { ...input } });
  });
  return input;
}
