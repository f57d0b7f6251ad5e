import { isDeepStrictEqual } from 'node:util';
import { DEPTH_MODEL_PROBLEMS } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { lockSetting, readSetting, writeSetting } from '../site/site.sql.ts';

const NAME = 'depthModel';

const report = z.object({
  /** Of the model that it is about: another one may be set meanwhile. */
  id: z.string(),
  state: z.enum(['fetching', 'checking', 'inUse', 'failed', 'removed']),
  /** Bytes that have arrived. */
  fetched: z.int(),
  problem: z.enum(DEPTH_MODEL_PROBLEMS).nullable(),
  /** Technical words about the problem, in English. */
  detail: z.string().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  at: z.iso.datetime(),
});

/** What administrators asked for, and the latest report of a worker. */
const kept = z.object({
  removedAt: z.iso.datetime().nullable(),
  askedAt: z.iso.datetime().nullable(),
  report: report.nullable(),
});
export type Kept = z.output<typeof kept>;
export type Report = z.output<typeof report>;

const read = (value: unknown): Kept => kept.safeParse(value).data ?? { removedAt: null, askedAt: null, report: null };

export async function readKept({ db }: Pick<Context, 'db'>): Promise<Kept> {
  return read(await readSetting(db, NAME));
}

/** Changes what is kept, and returns the result. */
export async function changeKept({ clock }: Context, tx: Tx, change: (now: Kept) => Partial<Kept>): Promise<Kept> {
  const before = read(await lockSetting(tx, NAME, clock.now()));
  const after = { ...before, ...change(before) };
  if (!isDeepStrictEqual(before, after)) await writeSetting(tx, NAME, after, clock.now());
  return after;
}

/** Returns when an administrator removed the model, if none has asked for it since. */
export function removalOf({ removedAt, askedAt }: Kept): string | null {
  return removedAt !== null && (askedAt === null || askedAt < removedAt) ? removedAt : null;
}
