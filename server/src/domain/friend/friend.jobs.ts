import { LIMITS } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts';
import { countInvitations, sendEmail } from '../../platform/mail/send-email.ts';
import { DAY_MS } from '../../platform/time.ts';
import { notifyOfFriend } from '../notification/notify.ts';
import { findMember, findUser, type UserRow } from '../user/user.sql.ts';
import {
  areFriends,
  deleteOldRequests,
  type FriendshipRow,
  findFriendshipForUpdate,
  lastRefusal,
  updateFriendship,
} from './friend.sql.ts';
import { REFUSAL_MS } from './friends.ts';
import { inviteFriend } from './invite-job.ts';

/** Cancelling and asking again sends no second invitation within this time. */
const INVITE_AGAIN_MS = 7 * DAY_MS;
/** Ended requests are kept this long, because they tell when they were sent. */
const ENDED_MS = 30 * DAY_MS;

const cleanUpFriends = defineJob('friend.cleanUp', z.object({}), { every: 86_400 });

/** Tells the owner of the address of a request, once: a member in the app and by email, anybody else by email. */
async function invite(context: Context, friendshipId: string): Promise<void> {
  const { db, clock } = context;
  await db.transaction(async (tx) => {
    const row = await findFriendshipForUpdate(tx, friendshipId);
    if (!row || row.confirmedAt || row.endedAt || row.refusedAt) return;
    const requester = await findUser(tx, row.requesterId);
    if (!requester || requester.restrictedAt) return;
    const now = clock.now();
    const found = await findMember(tx, row.targetEmailLower);
    const member = found?.confirmedAt ? found : undefined;
    if (member) {
      if (await areFriends(tx, requester.id, member.id)) return;
      const since = new Date(now.getTime() - REFUSAL_MS);
      const refusedAt = await lastRefusal(tx, { requesterId: requester.id, targetId: member.id, since });
      // Declined under an earlier address of the same member.
      if (refusedAt) return updateFriendship(tx, row.id, { refusedAt, targetId: member.id });
    }
    if (row.invitedAt && Math.abs(now.getTime() - row.invitedAt.getTime()) < INVITE_AGAIN_MS) return;
    await updateFriendship(tx, row.id, { invitedAt: now });
    if (member) await notifyOfFriend(context, tx, 'friendRequest', { userId: member.id, name: requester.name });
    const dayAgo = new Date(now.getTime() - DAY_MS);
    if ((await countInvitations(tx, row.targetEmail, dayAgo, now)) >= LIMITS.friends.invitationsPerDay) return;
    await mailInvitation(context, tx, row, requester, member);
  });
}

function mailInvitation(
  context: Context,
  tx: Tx,
  row: FriendshipRow,
  requester: UserRow,
  member: UserRow | undefined,
): Promise<void> {
  const { publicUrl } = context.settings;
  // The address is proved, the name is not.
  const data = { from: requester.name, address: requester.email ?? '' };
  const to = { userId: requester.id, to: row.targetEmail };
  const page = '/member/addfriend';
  return member
    ? sendEmail(context, tx, {
        ...to,
        language: member.language,
        template: 'friendRequest',
        data: { ...data, name: member.name, link: `${publicUrl}${page}` },
      })
    : sendEmail(context, tx, {
        ...to,
        language: requester.language,
        template: 'friendInvitation',
        data: { ...data, name: '', link: `${publicUrl}/register?${new URLSearchParams({ redirect: page })}` },
      });
}

export const friendJobs: readonly Handler<Context>[] = [
  handle<Context, { friendshipId: string }>(inviteFriend, {
    run: (context, { friendshipId }) => invite(context, friendshipId),
  }),
  handle<Context, object>(cleanUpFriends, {
    run({ db, clock }) {
      const now = clock.now().getTime();
      return deleteOldRequests(db, new Date(now - REFUSAL_MS), new Date(now - ENDED_MS));
    },
  }),
];
