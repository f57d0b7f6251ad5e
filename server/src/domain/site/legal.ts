import type { api, InputOf, LegalText, ParamsOf } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findLegalText, listLegalStarts } from './legal.sql.ts';

/** Returns the legal text in the reader's language that is in force now, or was at an earlier time. */
export async function getLegalText(
  { db, clock }: Context,
  { language }: Actor,
  { kind, at }: ParamsOf<typeof api.legalText> & InputOf<typeof api.legalText>,
): Promise<LegalText> {
  const now = clock.now();
  const starts = await listLegalStarts(db, kind, language, now);
  // Before the first of operators that of the web app is in force.
  const periods = [null, ...starts].map((from, index) => ({ from, until: starts[index] ?? null }));
  const asked = at === undefined ? now : new Date(at);
  const period = periods.findLast(({ from }) => from === null || from <= asked) ?? { from: null, until: null };
  const row = period.from && (await findLegalText(db, kind, language, period.from));
  const iso = (time: Date | null) => time?.toISOString() ?? null;
  return {
    content: row?.content ?? null,
    in_force_from: iso(period.from),
    in_force_until: iso(period.until),
    earlier: periods
      .flatMap(({ from, until }) => (until ? [{ in_force_from: iso(from), in_force_until: until.toISOString() }] : []))
      .reverse(),
  };
}
