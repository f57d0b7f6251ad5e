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
    // The server ends the other sessions when the password changes.
    if (password !== undefined) void refreshSessions(client);
  },
  meta: QUIET,
});

/** Requests a change of the e-mail address; it takes effect when the link mailed to the new address is used. */
export const changeEmail = mutationOptions({
  mutationFn: (input: SentInputOf<Api['changeEmail']>) => call('changeEmail', { input }),
  meta: QUIET,
});

/** Bytes used by the member's uploads, and the limit. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call('getUserUsage', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

/** The member's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('sessions', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

export const revokeSession = mutationOptions({
  mutationFn: (id: string) => call('revokeSession', { input: { id } }),
  // Also after a failure: the session may have expired.
  onSettled: (_data, _error, _id, _result, { client }) => refreshSessions(client),
});

export const revokeOtherSessions = mutationOptions({
  mutationFn: () => call('revokeOtherSessions'),
  onSettled: (_data, _error, _variables, _result, { client }) => refreshSessions(client),
});

/** Redeems a serial code. The effect strengths are refetched, because VIPs may choose more. */
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

/** Deletes the account. The server ends all sessions with it; this browser clears its own. */
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
