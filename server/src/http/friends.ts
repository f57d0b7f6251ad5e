import {
  addFriend,
  confirmFriend,
  deleteFriend,
  getFriend,
  listFriends,
  refuseFriend,
  restoreFriend,
} from '../domain/friend/friends.ts';
import type { Handlers } from './endpoint.ts';

export const friendHandlers = {
  friends: ({ context, actor, input }) => listFriends(context, actor, input),
  friend: ({ context, actor, input }) => getFriend(context, actor, input),
  addFriend: ({ context, actor, input }) => addFriend(context, actor, input),
  confirmFriend: ({ context, actor, input }) => confirmFriend(context, actor, input),
  refuseFriend: ({ context, actor, input }) => refuseFriend(context, actor, input),
  deleteFriend: ({ context, actor, input }) => deleteFriend(context, actor, input),
  restoreFriend: ({ context, actor, input }) => restoreFriend(context, actor, input),
} satisfies Partial<Handlers>;
