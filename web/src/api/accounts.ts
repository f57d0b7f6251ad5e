import type { Api, SentInputOf } from '@framelift/contract';
import { mutationOptions } from '@tanstack/react-query';
import { proof } from './captcha.ts';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';
import { beginSession } from './session.ts';
import { localStored } from './stored.ts';

export type Registration = Omit<SentInputOf<Api['register']>, 'recaptcha'>;

/** Logs in. The token in the response is for API clients: the browser uses the cookie set by the same response. */
export const login = mutationOptions({
  mutationFn: (input: SentInputOf<Api['login']>) => call('login', { input }),
  onSuccess: ({ user }, _input, _result, { client }) => beginSession(client, user),
});

export const register = mutationOptions({
  mutationFn: async (input: Registration) => call('register', { input: { ...input, ...(await proof('register')) } }),
  meta: QUIET,
});

/** Requests a mail with a link to choose a new password. The response is the same for every address. */
export const forgetPassword = mutationOptions({
  mutationFn: async (email: string) => call('forgetPassword', { input: { email, ...(await proof('forget')) } }),
  meta: QUIET,
});

/** Sets a new password with the token of the mailed link. It starts no session. */
export const changePassword = mutationOptions({
  mutationFn: (input: SentInputOf<Api['changePassword']>) => call('changePassword', { input }),
  meta: QUIET,
});

export const resendConfirmation = mutationOptions({
  mutationFn: (email: string) => call('sendConfirmEmail', { input: { email } }),
});

/** Confirms an address. The browser that registered it is logged in by that. */
export const confirmEmail = mutationOptions({
  mutationFn: (input: SentInputOf<Api['confirmEmail']>) => call('confirmEmail', { input }),
  onSuccess: ({ user }, _input, _result, { client }) => {
    if (user) beginSession(client, user);
  },
  meta: QUIET,
});

/** Starts a guest session. Without an id it uses the one stored in this browser, or a new one. */
export const guestLogin = mutationOptions({
  mutationFn: async (id: string | undefined) =>
    call('guestLogin', { input: { guestId: id ?? ownGuestId(), ...(await proof('guest')) } }),
  onSuccess: ({ user }, _id, _result, { client }) => beginSession(client, user),
});

const GUEST_KEY = 'guest-id';

/** Returns the secret that identifies a guest across logins. It is sent only with the login itself. */
function ownGuestId(): string {
  const id = localStored.get(GUEST_KEY) ?? randomId();
  localStored.set(GUEST_KEY, id);
  return id;
}

/** Returns 32 random bytes in hexadecimal. `crypto.randomUUID` is missing on plain HTTP, which home servers may use. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
