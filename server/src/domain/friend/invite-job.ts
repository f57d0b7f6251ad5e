import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** Asynchronous part of `addFriend`: the only one that knows whether the address belongs to a member. */
export const inviteFriend = defineJob('friend.invite', z.object({ friendshipId: z.uuid() }));
