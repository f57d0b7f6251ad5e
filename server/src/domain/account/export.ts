import type { Readable } from 'node:stream';
import { API_BASE, ApiError, api, LIMITS, MEDIA_STATUS } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { streamZip, type ZipEntry } from '../../platform/storage/stream-zip.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { exportAlbums } from '../album/album.sql.ts';
import { exportFrames } from '../frame/frame.sql.ts';
import { friendsForExport } from '../friend/friends.ts';
import { findAgeCheck } from '../live/live.sql.ts';
import { exportMedia } from '../media/lifecycle/ownership.sql.ts';
import { exportSubscriptions } from '../membership/membership.sql.ts';
import { notificationsForExport } from '../notification/notifications.ts';
import { exportOrders } from '../order/order.sql.ts';
import { exportPayments } from '../payment/payment.sql.ts';
import { exportEntries } from '../points/points.sql.ts';
import { exportShares } from '../share/share.sql.ts';
import { lockIfUnchanged, requirePassword } from '../user/profile.ts';
import { listSessions } from '../user/session.ts';
import { findMailCode, insertMailCode } from '../user/user.sql.ts';
import { getOwnRow, presentUser } from '../user/user.ts';
import { listRedeemed } from '../voucher/voucher.sql.ts';

/** Returns a link to `openExport` that is valid for some minutes. @throws ApiError `passwordIncorrect` */
export async function exportAccount(
  context: Context,
  actor: Actor,
  input: { readonly password: string },
): Promise<{ url: string; expires_at: string; size: number }> {
  const row = await requirePassword(context, actor, input.password);
  const userId = row.id;
  const code = context.ids.secret();
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIMITS.account.exportMinutes * MINUTE_MS);
  await context.db.transaction(async (tx) => {
    await lockIfUnchanged(tx, row);
    const mailCode = { userId, purpose: 'export', codeHash: hashSecret(code), createdAt, expiresAt } as const;
    await insertMailCode(tx, { id: context.ids.uuid(), ...mailCode });
  });
  const url = `${API_BASE}${api.accountExport.path}?${new URLSearchParams({ code })}`;
  const files = (await exportMedia(context.db, userId)).filter(isKept);
  const size = files.reduce((sum, { originalSize }) => sum + originalSize, 0);
  return { url, expires_at: expiresAt.toISOString(), size };
}

/**
 * Streams all data of the caller as a ZIP: `account.json` and the original files. The link works repeatedly until it
 * expires, so that interrupted downloads can be retried.
 * @throws ApiError `linkExpired`
 */
export async function openExport(
  context: Context,
  actor: Actor,
  input: { readonly code: string },
): Promise<{ name: string; stream: Readable }> {
  const { db, clock, storage } = context;
  const { userId } = signedIn(actor);
  const code = await findMailCode(db, hashSecret(input.code), ['export']);
  const now = clock.now();
  if (code?.userId !== userId || code.voidedAt || code.expiresAt <= now) throw new ApiError('linkExpired');

  const row = await getOwnRow(context, actor);
  const media = await exportMedia(db, userId);
  const files = media.map(({ id, name, originalKey, originalSize, ...rest }) => {
    const file = { originalKey, originalSize, status: rest.status };
    const kept = isKept(file) ? { key: file.originalKey, size: file.originalSize } : null;
    return {
      entry: {
        id,
        name,
        ...rest, // A name that consists of dots would escape its folder.
        file: kept && `originals/${id}/${name.replace(/^\.+$/, '_')}`,
      },
      kept,
    };
  });
  const age = await findAgeCheck(db, userId);
  const account = {
    exportedAt: now,
    user: {
      ...(await presentUser(context, db, row, actor.language)),
      language: row.language,
      createdAt: row.createdAt,
      vipUntil: row.vipUntil,
      birthYear: age?.birthYear ?? null,
      ageConfirmedAt: age?.ageConfirmedAt ?? null,
    },
    sessions: await listSessions(context, actor),
    serialCodes: await listRedeemed(db, userId),
    media: files.map(({ entry }) => entry),
    orders: await exportOrders(db, userId),
    points: await exportEntries(db, userId),
    albums: await exportAlbums(db, userId),
    frames: await exportFrames(db, userId),
    shares: await exportShares(db, userId),
    subscriptions: await exportSubscriptions(db, userId),
    payments: await exportPayments(db, userId),
    friends: await friendsForExport(context, actor),
    notifications: await notificationsForExport(context, actor),
  };

  const entries: ZipEntry[] = [{ path: 'account.json', date: now, text: JSON.stringify(account, null, 2) }];
  for (const { entry, kept } of files)
    if (kept && entry.file) entries.push({ path: entry.file, date: entry.createdAt, ...kept });
  const { stream } = streamZip(storage, entries);
  return { name: `framelift-${now.toISOString().slice(0, 10)}.zip`, stream };
}

interface Original {
  readonly originalKey: string | null;
  readonly originalSize: number | null;
  readonly status: number;
}

/** Returns whether the export contains the original: it was uploaded and not deleted. */
function isKept<T extends Original>(media: T): media is T & { originalKey: string; originalSize: number } {
  return Boolean(media.originalKey) && media.originalSize !== null && media.status !== MEDIA_STATUS.deleted;
}
