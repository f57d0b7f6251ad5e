import { ApiError, type api, type InputOf, LIMITS, type OutputOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { findFrameIdentity, updateFrame } from './frame.sql.ts';
import { newFrameToken } from './frame-token.ts';
import { findPairingOfFrameForUpdate, insertPairing, type PairingRow, updatePairing } from './pairing.sql.ts';
import { newPairingCode } from './pairing-code.ts';

/** Page of the web app where members enter codes. */
const PAGE = '/menu/qrcode';
/** A collision is very unlikely among 26 billion codes. */
const TRIES = 3;
/** Added to the polling interval whenever a frame polls too early (RFC 8628, section 3.5), and its maximum. */
const SLOWER_SECONDS = 5;
const SLOWEST_SECONDS = 60;
/** Browser timers and network delays are inexact. */
const LENIENCY_MS = 250;

/** Returns the code that a frame shows and the secret that it polls with. */
export async function startFrame(
  context: Context,
  { kind, screen }: InputOf<typeof api.startFrame>,
): Promise<OutputOf<typeof api.startFrame>> {
  const { db, ids, clock, settings } = context;
  const { codeMinutes, pollSeconds } = LIMITS.pairing;
  const createdAt = clock.now();
  const deviceCode = ids.secret();
  for (let tries = 0; tries < TRIES; tries++) {
    const userCode = newPairingCode(ids.secret);
    const isFree = await insertPairing(db, {
      id: ids.uuid(),
      userCode,
      deviceCodeHash: hashSecret(deviceCode),
      kind,
      screenWidth: screen.width,
      screenHeight: screen.height,
      pixelRatio: screen.pixelRatio,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + codeMinutes * MINUTE_MS),
      intervalSeconds: pollSeconds,
    });
    if (!isFree) continue;
    const page = `${settings.publicUrl}${PAGE}`;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?${new URLSearchParams({ device: userCode })}`,
      expires_in: codeMinutes * 60,
      interval: pollSeconds,
    };
  }
  throw new Error('No free code was found for a frame');
}

type Token = OutputOf<typeof api.pollFrame>;

/**
 * Returns the frame's token, once, after a member has paired it.
 * @throws ApiError the codes of RFC 8628, section 3.5: `authorization_pending`, `slow_down`, `access_denied`, and
 *   `expired_token`, also for an unknown or used secret
 */
export async function pollFrame(context: Context, input: InputOf<typeof api.pollFrame>): Promise<Token> {
  // An error thrown inside would roll back what is recorded of this poll.
  const outcome = await context.db.transaction((tx) => poll(context, tx, hashSecret(input.device_code)));
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

async function poll(context: Context, tx: Tx, deviceCodeHash: string): Promise<Token | ApiError> {
  const now = context.clock.now();
  const pairing = await findPairingOfFrameForUpdate(tx, deviceCodeHash);
  if (!pairing || pairing.expiresAt <= now || pairing.tokenGivenAt) return new ApiError('expired_token');
  if (pairing.refusedAt) return new ApiError('access_denied');
  if (isTooEarly(pairing, now)) {
    const intervalSeconds = Math.min(pairing.intervalSeconds + SLOWER_SECONDS, SLOWEST_SECONDS);
    await updatePairing(tx, pairing.id, { polledAt: now, intervalSeconds });
    return new ApiError('slow_down', [], { retryAfter: intervalSeconds });
  }
  await updatePairing(tx, pairing.id, { polledAt: now });
  const { frameId } = pairing;
  if (!frameId) return new ApiError('authorization_pending', [], { retryAfter: pairing.intervalSeconds });

  const token = newFrameToken(context);
  await updateFrame(tx, frameId, { tokenHash: hashSecret(token), lastSeenAt: now });
  await updatePairing(tx, pairing.id, { tokenGivenAt: now });
  const frame = await findFrameIdentity(tx, frameId);
  if (!frame) throw new Error('A frame vanished while its pairing was locked');
  context.log.info({ frameId }, 'A frame fetched its token');
  return { access_token: token, token_type: 'Bearer', frame };
}

function isTooEarly({ polledAt, intervalSeconds }: PairingRow, now: Date): boolean {
  const sinceMs = polledAt === null ? Number.POSITIVE_INFINITY : now.getTime() - polledAt.getTime();
  // Far below zero if the clock was set back: then nothing is known.
  return sinceMs > -SLOWEST_SECONDS * 1000 && sinceMs < intervalSeconds * 1000 - LENIENCY_MS;
}
