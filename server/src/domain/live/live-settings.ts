import { type LiveSettings, liveSettings } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { lockSetting, readSetting, writeSetting } from '../site/site.sql.ts';

const NAME = 'live';
/** As the terms say. */
const DEFAULTS: LiveSettings = { countries: ['TW'] };

export async function readLiveSettings(db: Queries): Promise<LiveSettings> {
  return liveSettings.safeParse(await readSetting(db, NAME)).data ?? DEFAULTS;
}

export function getLiveSettings({ db }: Context): Promise<LiveSettings> {
  return readLiveSettings(db);
}

/** Applies to the next playlist and heartbeat of those who watch. */
export async function setLiveSettings(
  context: Context,
  auditActor: AuditActor,
  input: LiveSettings,
): Promise<LiveSettings> {
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    await lockSetting(tx, NAME, now);
    const before = await readLiveSettings(tx);
    await writeSetting(tx, NAME, input, now);
    await writeAudit(context, tx, auditActor, { action: 'liveSettings', before: { ...before }, after: { ...input } });
  });
  return input;
}
