import type { api, OutputOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { cached } from '../site/cached.ts';
import { changeKept, type Kept, readKept, removalOf } from './kept.ts';

/** Workers report more often while they work on it: after this time they were stopped or killed. */
const SILENT_MS = 2 * MINUTE_MS;

type Answer = OutputOf<typeof api.depthModel>;

/** Returns the neural depth model of the site's settings and what the workers made of it; null with basic depth. */
export async function getDepthModel(context: Context): Promise<Answer> {
  return present(context, await readKept(context));
}

function present({ settings, clock }: Context, kept: Kept): Answer {
  const wanted = settings.depthModel;
  if (!wanted) return { model: null };
  const waiting = { ...wanted, state: 'waiting', fetched: 0, problem: null, detail: null, nextTryAt: null } as const;
  if (removalOf(kept)) return { model: { ...waiting, state: 'removed' } };
  const { report } = kept;
  if (report?.id !== wanted.id || report.state === 'removed') return { model: waiting };
  const { at, ...told } = report;
  const isWork = told.state === 'fetching' || told.state === 'checking';
  const isSilent = clock.now().getTime() - Date.parse(at) > SILENT_MS;
  // Asked for since then: a worker begins within seconds.
  const isOld = told.state === 'failed' && kept.askedAt !== null && kept.askedAt > at;
  if ((isWork && isSilent) || isOld) return { model: { ...waiting, fetched: told.fetched } };
  return { model: { ...wanted, ...told } };
}

/** Lets the workers fetch the model now: again after a failure, or anew after it was removed. */
export async function fetchDepthModel(context: Context, auditActor: AuditActor): Promise<Answer> {
  return change(context, auditActor, 'depthModel.asked', (now) => ({ askedAt: now }));
}

/** Lets the workers remove the model and fetch it no more: basic depth is used from the next picture on. */
export async function removeDepthModel(context: Context, auditActor: AuditActor): Promise<Answer> {
  return change(context, auditActor, 'depthModel.removed', (now) => ({ removedAt: now }));
}

async function change(
  context: Context,
  auditActor: AuditActor,
  action: 'depthModel.asked' | 'depthModel.removed',
  wish: (now: string) => Partial<Kept>,
): Promise<Answer> {
  const wanted = context.settings.depthModel;
  if (!wanted) return { model: null };
  const kept = await context.db.transaction(async (tx) => {
    await writeAudit(context, tx, auditActor, { action, target: wanted.id });
    return changeKept(context, tx, () => wish(context.clock.now().toISOString()));
  });
  inUse.forget(context);
  return present(context, kept);
}

const inUse = cached(async (context: Context) => {
  const { model } = await getDepthModel(context);
  return model?.state === 'inUse' ? (`model:${model.id}` as const) : null;
});

/** Returns the source of new depths as the workers report it; null for basic depth, or if none has reported. */
export const neuralDepthInUse = (context: Context): Promise<`model:${string}` | null> => inUse.get(context);
