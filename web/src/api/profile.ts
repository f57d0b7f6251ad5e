import type { Api, SentInputOf, User } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';
import { logout, userQuery } from './session.ts';

const keepUser = (client: QueryClient, user: User) => client.setQueryData(userQuery.queryKey, user);
const refreshSessions = (client: QueryClient) => client.invalidateQueries({ queryKey: sessionsQuery.queryKey });

export const updateUser = mutationOptions({
  mutationFn: (input: SentInputOf<Api['userUpdate']>) => call('userUpdate', { input }),
  onSuccess: (user, { password }, _result, { client }) => {
    keepUser(client, user);
    // A new password has ended the other sessions.
    if (password !== undefined) void refreshSessions(client);
  },
  meta: QUIET,
});

/** Asks for another address; the link in the mail to it makes the change. */
export const changeEmail = mutationOptions({
  mutationFn: (input: SentInputOf<Api['changeEmail']>) => call('changeEmail', { input }),
  meta: QUIET,
});

/** Bytes that the member's uploads take, and the limit. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call('getUserUsage', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

/** Where the member is logged in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('sessions', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

export const revokeSession = mutationOptions({
  mutationFn: (id: string) => call('revokeSession', { input: { id } }),
  // Also after a failure: the session may have ended by itself.
  onSettled: (_data, _error, _id, _result, { client }) => refreshSessions(client),
});

export const revokeOtherSessions = mutationOptions({
  mutationFn: () => call('revokeOtherSessions'),
  onSettled: (_data, _error, _variables, _result, { client }) => refreshSessions(client),
});

/** Redeems a serial code. The strengths that a VIP may choose are fetched again. */
export const redeemSerial = mutationOptions({
  mutationFn: (code: string) => call('setVIP', { input: { pin_code: code } }),
  onSuccess: (user, _code, _result, { client }) => {
    keepUser(client, user);
    void client.invalidateQueries({ queryKey: ['effects'] });
  },
  meta: QUIET,
});

export const exportAccount = mutationOptions({
  mutationFn: (password: string) => call('exportAccount', { input: { password } }),
  meta: QUIET,
});

/** The server has ended every session with the account; this browser forgets its own. */
export const deleteAccount = mutationOptions({
  mutationFn: (password: string) => call('deleteAccount', { input: { password } }),
  onSuccess: (_answer, _password, _result, { client }) => logout(client).catch(() => {}),
  meta: QUIET,
});

export const keepAccount = mutationOptions({
  mutationFn: () => call('keepAccount'),
  onSuccess: (user, _variables, _result, { client }) => {
    keepUser(client, user);
  },
});

/** The member with exactly this address, or null. The page shows a failure itself. */
export const findMember = mutationOptions({
  mutationFn: (email: string) => call('getUserInfo', { input: { email } }),
  meta: QUIET,
});
