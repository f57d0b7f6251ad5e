import type { Api, SentInputOf, User } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { logout, userQuery } from './session.ts';

// What members do with their own account. Every form shows its failure itself, at the field where it can.
const quiet = { quiet: true };

const keepUser = (queries: QueryClient) => (user: User) => {
  queries.setQueryData(userQuery.queryKey, user);
};

export const updateUser = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: (input: SentInputOf<Api['userUpdate']>) => call('userUpdate', { input }),
    onSuccess: (user, { password }) => {
      keepUser(queries)(user);
      // A new password has ended the other sessions.
      if (password !== undefined) void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    meta: quiet,
  });

/** Asks for another address; the link in the mail to it makes the change. */
export const changeEmail = mutationOptions({
  mutationFn: (input: SentInputOf<Api['changeEmail']>) => call('changeEmail', { input }),
  meta: quiet,
});

/** How much room the member's uploads take, and how much there is. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call('getUserUsage', { signal }),
  refetchOnMount: 'always',
  meta: quiet,
});

/** Where the member is logged in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('sessions', { signal }),
  refetchOnMount: 'always',
  meta: quiet,
});

export const revokeSession = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => call('revokeSession', { input: { id } }),
    // Also after a failure: what was to be ended may have ended by itself.
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });

export const revokeOtherSessions = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('revokeOtherSessions'),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });

/** Redeems a serial code. What a VIP may choose from is asked for anew. */
export const redeemSerial = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: (code: string) => call('setVIP', { input: { pin_code: code } }),
    onSuccess: (user) => {
      keepUser(queries)(user);
      void queries.invalidateQueries({ queryKey: ['effects'] });
    },
    meta: quiet,
  });

export const exportAccount = mutationOptions({
  mutationFn: (password: string) => call('exportAccount', { input: { password } }),
  meta: quiet,
});

/** The server has ended every session with it; here it is left like by a logout. */
export const deleteAccount = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: (password: string) => call('deleteAccount', { input: { password } }),
    onSuccess: () => logout(queries).catch(() => {}),
    meta: quiet,
  });

export const keepAccount = (queries: QueryClient) =>
  mutationOptions({ mutationFn: () => call('keepAccount'), onSuccess: keepUser(queries) });
