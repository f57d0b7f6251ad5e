import type { Friend } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

export type FriendList = 'received' | 'sent' | 'confirmed';

/** One list of the member's friends and requests, newest first. */
export const friendListQuery = (list: FriendList) =>
  paged(['friends', list], (at, signal) => call('friends', { input: { ...at, list }, signal }));

/** The state between the member and an address. */
export const friendQuery = (email: string) =>
  queryOptions({
    queryKey: ['friends', 'of', email],
    queryFn: ({ signal }) => call('friend', { input: { email }, signal }),
    meta: QUIET,
  });

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: ['friends'] });

/** Asks the owner of an address. The form shows a failure itself. */
export const addFriend = mutationOptions({
  mutationFn: (email: string) => call('addFriend', { input: { email } }),
  onSuccess: (_friend, _email, _result, { client }) => refresh(client),
  meta: QUIET,
});

export const confirmFriend = mutationOptions({
  mutationFn: (id: string) => call('confirmFriend', { input: { id } }),
  onSettled: (_friend, _error, _id, _result, { client }) => refresh(client),
});

export const refuseFriend = mutationOptions({
  mutationFn: (id: string) => call('refuseFriend', { input: { id } }),
  onSettled: (_answer, _error, _id, _result, { client }) => refresh(client),
});

/** Cancels a request or ends a friendship. Returns the id to restore it with. */
export const deleteFriend = mutationOptions({
  mutationFn: (id: string) => call('deleteFriend', { input: { id } }),
  onSettled: (_answer, _error, _id, _result, { client }) => refresh(client),
});

/** Undoes `deleteFriend` and `refuseFriend`; possible for one day. */
export const restoreFriend = mutationOptions({
  mutationFn: (id: string): Promise<Friend> => call('restoreFriend', { input: { id } }),
  onSettled: (_friend, _error, _id, _result, { client }) => refresh(client),
});
