import { mutationOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';

/** The member with exactly this address, or null. The page says itself when it could not look. */
export const findMember = mutationOptions({
  mutationFn: (email: string) => call('getUserInfo', { input: { email } }),
  meta: QUIET,
});
