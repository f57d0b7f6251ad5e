import { ApiError, type api, type DeviceState, type InputOf, LIMITS, type PairedFrame } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { sendEmail } from '../../platform/mail/send-email.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { listActiveDeviceTypes } from '../device-type/device-type.sql.ts';
import { notifyOfFrame } from '../notification/notify.ts';
import { findUserForUpdate, type UserRow } from '../user/user.sql.ts';
import { countFrames, type FrameRow, findFrame, insertFrame } from './frame.sql.ts';
import { presentFrame, screenOf } from './frames.ts';
import { guessDevice, modeOf } from './options.ts';
import { findPairingForUpdate, insertMiss, listMisses, type PairingRow, updatePairing } from './pairing.sql.ts';

/** Time for a frame to fetch its token, even if its code was about to expire. */
const FETCH_MS = 2 * MINUTE_MS;

interface Found {
  readonly tx: Tx;
  readonly member: UserRow;
  readonly pairing: PairingRow;
  /** Set if the caller has already paired it with this code. */
  readonly frame: FrameRow | undefined;
}

/** Returns the frame that waits with this code. @throws ApiError see `withCode` */
export function findDevice(
  context: Context,
  actor: Actor,
  { deviceId }: InputOf<typeof api.findDevice>,
): Promise<DeviceState> {
  return withCode(context, actor, deviceId, async ({ pairing, frame }) => ({
    state: frame ? 'paired' : 'waiting',
    deviceId: pairing.userCode,
    kind: pairing.kind,
    screen: screenOf(pairing),
    expires_at: pairing.expiresAt.toISOString(),
    frame: frame ? presentFrame(frame, context.clock.now()) : null,
  }));
}

/**
 * Pairs the frame that waits with this code. A repeated request returns the existing frame.
 * @throws ApiError `tooManyFrames`, and see `withCode`
 */
export function addDevice(
  context: Context,
  actor: Actor,
  { deviceId, name }: InputOf<typeof api.addDevice>,
): Promise<PairedFrame> {
  return withCode(context, actor, deviceId, async ({ tx, member, pairing, frame }) => {
    const { clock, ids, log, settings } = context;
    const now = clock.now();
    if (frame) return presentFrame(frame, now);
    const count = await countFrames(tx, member.id);
    if (count >= LIMITS.frames.count) throw new ApiError('tooManyFrames');
    const { kind, screenWidth, screenHeight, pixelRatio } = pairing;
    const device = guessDevice(await listActiveDeviceTypes(tx), pairing);
    const row = await insertFrame(tx, {
      id: ids.uuid(),
      ownerId: member.id,
      name: name ?? (kind || `Frame ${count + 1}`),
      kind,
      screenWidth,
      screenHeight,
      pixelRatio,
      deviceTypeId: device?.id ?? null,
      options: { mode: modeOf(device) },
      createdAt: now,
    });
    const fetchUntil = new Date(now.getTime() + FETCH_MS);
    const expiresAt = pairing.expiresAt > fetchUntil ? pairing.expiresAt : fetchUntil;
    await updatePairing(tx, pairing.id, { frameId: row.id, expiresAt });
    await notifyOfFrame(context, tx, 'framePaired', { ownerId: member.id, name: row.name });
    if (member.email) {
      await sendEmail(context, tx, {
        userId: member.id,
        to: member.email,
        language: member.language,
        template: 'framePaired',
        data: { name: member.name, link: `${settings.publicUrl}/menu/frameSetting` },
      });
    }
    log.info({ userId: member.id, frameId: row.id }, 'A frame was paired');
    return presentFrame(row, now);
  });
}

/** Refuses a code; its frame is informed and requests another. @throws ApiError see `withCode` */
export function refuseDevice(
  context: Context,
  actor: Actor,
  { deviceId }: InputOf<typeof api.refuseDevice>,
): Promise<Record<string, never>> {
  return withCode(context, actor, deviceId, async ({ tx, pairing, frame }) => {
    // Already paired: unpairFrame undoes that.
    if (frame) throw new ApiError('deviceNotFound');
    await updatePairing(tx, pairing.id, { refusedAt: context.clock.now() });
    return {};
  });
}

/**
 * Runs `act` on a code that the caller may use. Unknown and refused codes and those of others cause the same error.
 * @throws ApiError `deviceNotFound`, `pairingCodeExpired`; `tooManyRequests` after too many wrong codes, also for a valid code
 */
async function withCode<T>(
  context: Context,
  actor: Actor,
  userCode: string,
  act: (found: Found) => Promise<T>,
): Promise<T> {
  const { userId } = signedIn(actor);
  const { db, clock, ids } = context;
  const done = await db.transaction(async (tx) => {
    // Locked, so that attempts and frames of one member are counted sequentially. The time is read afterwards: to one read
    // before, the attempts that it waited for would be of the future.
    const member = await findUserForUpdate(tx, userId);
    const now = clock.now();
    if (!member) throw new ApiError('tokenExpired');
    await refuseGuesses(tx, userId, now);
    const pairing = await findPairingForUpdate(tx, userCode);
    const hasEnded = pairing && pairing.expiresAt <= now;
    const isOpen = pairing && !hasEnded && !pairing.refusedAt;
    const frame = isOpen && pairing.frameId ? await findFrame(tx, userId, pairing.frameId) : undefined;
    if (!isOpen || (pairing.frameId && !frame)) {
      await insertMiss(tx, { id: ids.uuid(), userId, createdAt: now });
      // A code that is over tells a guesser nothing, and the person in front of the frame what to do.
      const isKnown = hasEnded && !pairing.refusedAt && !pairing.frameId;
      return { refusal: isKnown ? ('pairingCodeExpired' as const) : ('deviceNotFound' as const) };
    }
    return { result: await act({ tx, member, pairing, frame }) };
  });
  // Thrown after the transaction, which records the wrong code.
  if ('refusal' in done) throw new ApiError(done.refusal);
  return done.result;
}

async function refuseGuesses(tx: Tx, userId: string, now: Date): Promise<void> {
  const { wrongPerHour } = LIMITS.pairing;
  // None of the future: after the clock was set back, they would be counted for days.
  const misses = await listMisses(tx, userId, [new Date(now.getTime() - HOUR_MS), now], wrongPerHour);
  const oldest = misses[wrongPerHour - 1];
  if (!oldest) return;
  throw new ApiError('tooManyRequests', [], { retryAfter: (oldest.getTime() + HOUR_MS - now.getTime()) / 1000 });
}
