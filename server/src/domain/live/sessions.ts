import { ApiError, type api, type InputOf, LIMITS, type LiveSession, type OutputOf } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { requireOpen } from '../site/features.ts';
import { findUserForUpdate } from '../user/user.sql.ts';
import { type Origin, requireAge, requireCountry } from './access.ts';
import { admissionOf, getShownEvent, isRunning, presentEvents } from './events.ts';
import { playlistPath, playlistUrl, viewExpiry } from './links.ts';
import {
  closeView,
  findView,
  type LiveEventRow,
  type LiveSessionRow,
  replaceView,
  touchView,
  type View,
} from './live.sql.ts';

const { heartbeatSeconds, lapseSeconds } = LIMITS.live;

interface ById {
  readonly id: string;
}

/**
 * Starts a view of an event, and ends the one that the member has on another screen.
 * @throws ApiError `liveEventNotFound`, `liveEventNotRunning`, `not_member_please_buy`, `liveAbroad`,
 *   `liveCountryUnknown`, `ageNotConfirmed`, `underAge`
 */
export async function watchLive(
  context: Context,
  actor: Actor,
  { event_id: eventId }: InputOf<typeof api.watchLive>,
  origin: Origin,
): Promise<LiveSession> {
  const { db, clock, ids } = context;
  const { userId, sessionId } = signedIn(actor);
  const event = await getShownEvent(context, eventId);
  const now = clock.now();
  await requireAdmission(context, actor, event);
  await requireCountry(context, origin);
  await requireAge(context, actor);
  const view = { id: ids.uuid(), userId, eventId, sessionId, createdAt: now, seenAt: now };
  await db.transaction(async (tx) => {
    // One after the other, so that the newest is the one that runs.
    if (!(await findUserForUpdate(tx, userId))) throw new ApiError('tokenExpired');
    await replaceView(tx, view);
  });
  const [presented] = await presentEvents(context, actor, [event]);
  if (!presented) throw new Error('One event was presented as none');
  const sealed = { expires: viewExpiry(now), country: origin.country, from: null, source: null };
  return {
    id: view.id,
    event: presented,
    angles: presented.angles.map((angle) => {
      const file = { session: view.id, eventId, path: playlistPath(angle.id) };
      return { ...angle, manifest: playlistUrl(context, file, sealed) };
    }),
    heartbeat_seconds: heartbeatSeconds,
    expires_at: lapseOf(now).toISOString(),
  };
}

/**
 * Keeps the caller's view running, also one that has lapsed.
 * @throws ApiError `liveSessionNotFound`, `liveSessionReplaced`, `liveSessionEnded`, `liveEventNotRunning`,
 *   `not_member_please_buy`, `liveAbroad`, `liveCountryUnknown`
 */
export async function recordLiveHeartbeat(
  context: Context,
  actor: Actor,
  { id }: ById,
  origin: Origin,
): Promise<OutputOf<typeof api.liveHeartbeat>> {
  const now = context.clock.now();
  const { session, event } = await getOwnView(context, actor, id);
  refuseEnded(session, actor);
  if (viewExpiry(session.createdAt) <= now.getTime()) throw new ApiError('liveSessionEnded');
  await requireAdmission(context, actor, event);
  await requireCountry(context, origin);
  if (!(await touchView(context.db, id, now))) refuseEnded((await getOwnView(context, actor, id)).session, actor);
  return { expires_at: lapseOf(now).toISOString() };
}

/** Ends the caller's view. Idempotent. @throws ApiError `liveSessionNotFound` */
export async function endLive(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  await getOwnView(context, actor, id);
  await closeView(context.db, id, context.clock.now());
  return { id };
}

/**
 * Returns a view that runs, for its playlists and segments.
 * @throws ApiError `liveLinkInvalid` for one of another member or another login, `liveSessionReplaced`,
 *   `liveSessionEnded`, `liveLinkExpired` for one without heartbeats, `liveEventNotRunning`
 */
export async function getRunningView(context: Context, actor: Actor, id: string): Promise<View> {
  const now = context.clock.now();
  const view = await findView(context.db, id);
  if (!view || view.session.userId !== signedIn(actor).userId) throw new ApiError('liveLinkInvalid');
  const { session, event } = view;
  refuseEnded(session, actor);
  if (lapseOf(session.seenAt) <= now) throw new ApiError('liveLinkExpired');
  if (!isRunning(event, now)) throw new ApiError('liveEventNotRunning');
  return view;
}

/** @throws ApiError `liveClosed`, `liveEventNotRunning`, `not_member_please_buy` */
export async function requireAdmission(context: Context, actor: Actor, event: LiveEventRow): Promise<void> {
  await requireOpen(context, 'live');
  if (!isRunning(event, context.clock.now())) throw new ApiError('liveEventNotRunning');
  const admits = await admissionOf(context, actor);
  if (!admits(event)) throw new ApiError('not_member_please_buy');
}

async function getOwnView(context: Context, actor: Actor, id: string) {
  const view = await findView(context.db, id);
  if (!view || view.session.userId !== signedIn(actor).userId) throw new ApiError('liveSessionNotFound');
  return view;
}

/** A view belongs to the login that started it: another browser of the member starts its own. */
function refuseEnded({ end, sessionId }: LiveSessionRow, actor: Actor): void {
  if (end === 'replaced') throw new ApiError('liveSessionReplaced');
  if (end === 'closed' || sessionId !== actor.sessionId) throw new ApiError('liveSessionEnded');
}

/** Returns when a view without another heartbeat lapses. */
const lapseOf = (seenAt: Date) => new Date(seenAt.getTime() + lapseSeconds * 1000);
