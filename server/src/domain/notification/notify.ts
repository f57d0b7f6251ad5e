import { type ErrorCode, MEDIA_TYPE } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { deleteNotificationsAbout, insertNotification, isMember } from './notification.sql.ts';
import type { NotificationCode } from './notification-text.ts';

interface Conversion {
  readonly media: { readonly id: string; readonly ownerId: string; readonly name: string; readonly mediaType: number };
  /** The further format of a video that it made; null for the picture or video itself. */
  readonly format: string | null;
  readonly failure: ErrorCode | null;
}

/**
 * Tells the owner that a conversion has ended, in the transaction that ends it. It takes the place of what was told of
 * the same before: ten changes of a picture are one line. Guests have nowhere to read it.
 */
export async function notifyOfEnd(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  { media, format, failure }: Conversion,
): Promise<void> {
  if (!(await isMember(tx, media.ownerId))) return;
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

/** Tells a member what became of a frame of theirs. */
export async function notifyOfFrame(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  code: Extract<NotificationCode, `frame${string}`>,
  { ownerId, name }: { readonly ownerId: string; readonly name: string },
): Promise<void> {
  await insertNotification(tx, {
    id: ids.uuid(),
    userId: ownerId,
    kind: 'info',
    code,
    data: { name },
    releaseAt: clock.now(),
  });
}
