import type { api, LegalText, ParamsOf } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findLegalText } from './legal.sql.ts';

/** Returns the legal text that is in force now in the reader's language. */
export async function getLegalText(
  { db, clock }: Context,
  { language }: Actor,
  { kind }: ParamsOf<typeof api.legalText>,
): Promise<LegalText> {
  const row = await findLegalText(db, kind, language, clock.now());
  return { content: row?.content ?? null, in_force_from: row?.inForceFrom.toISOString() ?? null };
}
