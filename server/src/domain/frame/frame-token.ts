import { ApiError, type Language } from '@framelift/contract';
import { type Actor, visitor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { findFrameByToken } from './frame.sql.ts';

/** Distinguishes frame tokens from session tokens, also for secret scanners. */
const PREFIX = 'frame_';

export const newFrameToken = ({ ids }: Context): string => `${PREFIX}${ids.secret()}`;

export const isFrameToken = (token: string | undefined): token is string => token?.startsWith(PREFIX) ?? false;

/**
 * Returns the frame that holds this token; a visitor if it was unpaired or its owner's account was deleted.
 * @throws ApiError `accountRestricted` while the owner is restricted: the frame stays paired and waits
 */
export async function resolveFrame(context: Context, token: string, language: Language): Promise<Actor> {
  const found = await findFrameByToken(context.db, hashSecret(token));
  if (!found) return visitor(language);
  const { frame, owner } = found;
  if (owner.deletionAt && owner.deletionAt <= context.clock.now()) return visitor(language);
  if (owner.restrictedAt) throw new ApiError('accountRestricted');
  return { kind: 'frame', userId: null, sessionId: null, frame: { id: frame.id, ownerId: frame.ownerId }, language };
}
