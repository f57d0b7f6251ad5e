import type { Api, SentInputOf } from '@framelift/contract';
import { mutationOptions } from '@tanstack/react-query';
import { proof } from './captcha.ts';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';
import { beginSession } from './session.ts';

export type Registration = Omit<SentInputOf<Api['register']>, 'recaptcha'>;

/** Logs in. The token of the answer is for API clients: the browser uses the cookie that comes with it. */
export const login = mutationOptions({
  mutationFn: (input: SentInputOf<Api['login']>) => call('login', { input }),
  onSuccess: ({ user }, _input, _result, { client }) => beginSession(client, user),
});

export const register = mutationOptions({
  mutationFn: async (input: Registration) => call('register', { input: { ...input, ...(await proof('register')) } }),
  meta: QUIET,
});

/** Asks for the mail with which another password can be chosen. The answer is the same for every address. */
export const forgetPassword = mutationOptions({
  mutationFn: async (email: string) => call('forgetPassword', { input: { email, ...(await proof('forget')) } }),
  meta: QUIET,
});

/** Chooses another password with the token of the mailed link. It starts no session. */
export const changePassword = mutationOptions({
  mutationFn: (input: SentInputOf<Api['changePassword']>) => call('changePassword', { input }),
  meta: QUIET,
});

export const resendConfirmation = mutationOptions({
  mutationFn: (email: string) => call('sendConfirmEmail', { input: { email } }),
});

export const confirmEmail = mutationOptions({
  mutationFn: (input: SentInputOf<Api['confirmEmail']>) => call('confirmEmail', { input }),
  meta: QUIET,
});

/** Starts a guest session; without an id, the one that this browser used before or a new one. */
export const guestLogin = mutationOptions({
  mutationFn: async (id: string | undefined) =>
    call('guestLogin', { input: { guestId: id ?? ownGuestId(), ...(await proof('guest')) } }),
  onSuccess: ({ user }, _id, _result, { client }) => beginSession(client, user),
});

const GUEST_KEY = 'guest-id';

/** The secret by which a guest finds the same uploads again. It never leaves this browser but for the login itself. */
function ownGuestId(): string {
  try {
    const known = localStorage.getItem(GUEST_KEY);
    if (known) return known;
    const fresh = randomId();
    localStorage.setItem(GUEST_KEY, fresh);
    return fresh;
  } catch {
    // Without storage every login is another guest.
    return randomId();
  }
}

/** 32 random bytes. `crypto.randomUUID` is missing on plain http, where a home server may well run. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
