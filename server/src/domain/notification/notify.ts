import { type ErrorCode, type Language, MEDIA_TYPE, type Money } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { findUser, listAdmins } from '../user/user.sql.ts';
import { deleteNotificationsAbout, deleteUnread, insertNotification } from './notification.sql.ts';
import type { NotificationCode } from './notification-text.ts';

interface Conversion {
  readonly media: { readonly id: string; readonly ownerId: string; readonly name: string; readonly mediaType: number };
  /** Additional format of a video; null for the picture or video itself. */
  readonly format: string | null;
  readonly failure: ErrorCode | null;
}

/**
 * Notifies the owner of the end of a conversion, in the transaction that ends it. Replaces earlier notifications about
 * the same conversion. Guests get none.
 */
export async function notifyOfEnd(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  { media, format, failure }: Conversion,
): Promise<void> {
  if ((await findUser(tx, media.ownerId))?.kind !== 'member') return;
  const what = format !== null ? 'format' : media.mediaType === MEDIA_TYPE.video ? 'video' : 'picture';
  const code: NotificationCode = `${what}${failure ? 'Failed' : 'Finished'}`;
  await deleteNotificationsAbout(tx, media.id, format);
  await insertNotification(tx, {
    id: ids.uuid(),
    userId: media.ownerId,
    kind: failure ? 'warning' : 'upload',
    code,
    data: { name: media.name, ...(format !== null && { format }), ...(failure && { failure }) },
    mediaId: media.id,
    releaseAt: clock.now(),
  });
}

/** Notifies every administrator. */
export async function notifyAdmins(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  code: Extract<NotificationCode, 'serverFull' | 'paymentProblem' | 'paymentUnanswered' | 'refundsUnasked'>,
): Promise<void> {
  for (const userId of await listAdmins(tx))
    await insertNotification(tx, { id: ids.uuid(), userId, kind: 'warning', code, data: {}, releaseAt: clock.now() });
}

export async function notifyOfFrame(
  context: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  code: Extract<NotificationCode, `frame${string}`>,
  { ownerId, ...data }: { readonly ownerId: string; readonly name: string; readonly sender?: string },
): Promise<void> {
  await notifyOnce(context, tx, { userId: ownerId, kind: 'info', code, data });
}

/** Tells a member that what they sent as a guest has no room in their storage. */
export async function notifyOfGuestUploads(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  const row = { id: ids.uuid(), userId, kind: 'warning', code: 'guestUploadsLeft', data: {} } as const;
  await insertNotification(tx, { ...row, releaseAt: clock.now() });
}

/** Tells a member that an upload could not be added to the album or the frame, by name, that it was made for. */
export async function notifyOfUpload(
  context: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  code: Extract<NotificationCode, `upload${string}`>,
  { ownerId, ...data }: { readonly ownerId: string; readonly name: string; readonly failure: ErrorCode },
): Promise<void> {
  await notifyOnce(context, tx, { userId: ownerId, kind: 'warning', code, data });
}

interface Told {
  readonly userId: string;
  readonly kind: 'info' | 'warning' | 'upload';
  readonly code: NotificationCode;
  readonly data: Readonly<Record<string, string>>;
}

/** Tells once, until it is read, what happens twenty times in a row: pictures that are sent one by one, many uploads. */
async function notifyOnce({ ids, clock }: Pick<Context, 'ids' | 'clock'>, tx: Tx, told: Told): Promise<void> {
  await deleteUnread(tx, told.userId, told.code, told.data);
  await insertNotification(tx, { id: ids.uuid(), ...told, releaseAt: clock.now() });
}

/** Tells a member that somebody asks to be their friend, or has become one. */
export async function notifyOfFriend(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  code: Extract<NotificationCode, `friend${string}`>,
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<void> {
  const row = { id: ids.uuid(), userId, kind: 'info', code, data: { name, sender: name } } as const;
  await insertNotification(tx, { ...row, releaseAt: clock.now() });
}

/** Tells the owner of an upload link that a sender's pictures arrive; one notification while it is unread. */
export async function notifyOfLinkUpload(
  context: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  { userId, sender, link }: { readonly userId: string; readonly sender: string; readonly link: string },
): Promise<void> {
  await notifyOnce(context, tx, { userId, kind: 'upload', code: 'linkUploads', data: { sender, name: link } });
}

interface PaidThing {
  readonly userId: string;
  /** What was bought, in each language. */
  readonly name: Readonly<Record<Language, string>>;
  readonly price?: Money;
  readonly endsAt?: Date;
}

/** Tells a member what became of a payment, or that something they bought ends. */
export async function notifyOfPayment(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  code: Extract<NotificationCode, 'paymentReceived' | 'paymentRefunded' | 'renewalFailed' | 'subscriptionEnding'>,
  { userId, name, price, endsAt }: PaidThing,
): Promise<void> {
  const names = Object.fromEntries(Object.entries(name).map(([language, text]) => [`name.${language}`, text]));
  await insertNotification(tx, {
    id: ids.uuid(),
    userId,
    kind: code === 'renewalFailed' || code === 'subscriptionEnding' ? 'warning' : 'info',
    code,
    data: {
      ...names,
      ...(price && { amount: String(price.amount), currency: price.currency }),
      ...(endsAt && { date: endsAt.toISOString() }),
    },
    releaseAt: clock.now(),
  });
}
