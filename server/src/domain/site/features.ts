import { ApiError, type api, type FeatureSwitches, featurePreset, type InputOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { cached } from './cached.ts';
import { listFeatures, writeFeatures } from './site.sql.ts';

/** Returns the states: an operator's choice overrides the setting. */
async function readFeatures(db: Queries, set: FeatureSwitches): Promise<FeatureSwitches> {
  const chosen = (await listFeatures(db)).filter(({ name }) => Object.hasOwn(set, name));
  return { ...set, ...Object.fromEntries(chosen.map(({ name, state }) => [name, state])) };
}

const switches = cached(({ db, settings }: Context) => readFeatures(db, settings.features));

export const getFeatures = (context: Context): Promise<FeatureSwitches> => switches.get(context);

/** What the server refuses while it is not on, and with which error; `showOnFrame` and `editAlbum` refuse `friendPictures` themselves. */
const CLOSED = {
  signUp: 'signUpClosed',
  guests: 'guestsClosed',
  shares: 'sharesClosed',
  store: 'storeClosed',
  live: 'liveClosed',
} as const;

/** @throws ApiError that of the feature while it is not on */
export async function requireOpen(context: Context, name: keyof typeof CLOSED): Promise<void> {
  if ((await getFeatures(context))[name] !== 'on') throw new ApiError(CLOSED[name]);
}

/** Applies a preset, then the given items. Only changes are written to the audit log. */
export async function setFeatures(
  context: Context,
  auditActor: AuditActor,
  { preset, features }: InputOf<typeof api.setFeatures>,
): Promise<FeatureSwitches> {
  const named = Object.entries(features).filter(([, state]) => state !== undefined);
  const wanted: Partial<FeatureSwitches> = { ...(preset && featurePreset(preset)), ...Object.fromEntries(named) };
  await context.db.transaction(async (tx) => {
    const now = await readFeatures(tx, context.settings.features);
    const changed = (Object.keys(wanted) as (keyof FeatureSwitches)[]).filter((name) => wanted[name] !== now[name]);
    await writeFeatures(tx, wanted, context.clock.now());
    if (changed.length === 0) return;
    const part = (of: Partial<FeatureSwitches>) => Object.fromEntries(changed.map((name) => [name, of[name]]));
    await writeAudit(context, tx, auditActor, {
      action: 'features',
      ...(preset ? { target: preset } : {}),
      before: part(now),
      after: part(wanted),
    });
  });
  switches.forget(context);
  return getFeatures(context);
}
