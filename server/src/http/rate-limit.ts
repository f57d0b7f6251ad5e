import { isIPv6 } from 'node:net';
import { ApiError, type EndpointName, LIMITS } from '@framelift/contract';
import type { Clock } from '../context.ts';

/**
 * At most `max` calls in each window, counted by caller, by the address named in the call, by both together, or by the
 * user whose session it is.
 */
export interface RateRule {
  readonly by: 'ip' | 'email' | 'ip+email' | 'user';
  readonly max: number;
  readonly seconds: number;
}

export type RateLimits = Partial<Record<EndpointName, readonly RateRule[]>>;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** A password that a thief of a session could guess at. */
const PASSWORD_TRIES = [{ by: 'user', max: 10, seconds: 15 * MINUTE }] as const;

/**
 * The calls that a stranger could use to guess or to send mail. An account is never locked: what is counted by address
 * is the caller's own tries, or mails to it, and the refusal is the same whether or not there is such an account.
 */
export const RATE_LIMITS: RateLimits = {
  login: [
    { by: 'ip', max: 30, seconds: 15 * MINUTE },
    { by: 'ip+email', max: 10, seconds: 15 * MINUTE },
  ],
  register: [{ by: 'ip', max: 20, seconds: HOUR }],
  guestLogin: [{ by: 'ip', max: 30, seconds: HOUR }],
  sendConfirmEmail: [
    { by: 'ip', max: 20, seconds: HOUR },
    { by: 'email', max: LIMITS.resend.perMinute, seconds: MINUTE },
    { by: 'email', max: LIMITS.resend.perDay, seconds: DAY },
  ],
  confirmEmail: [{ by: 'ip', max: 30, seconds: 15 * MINUTE }],
  captchaChallenge: [{ by: 'ip', max: 120, seconds: HOUR }],
  forgetPassword: [
    { by: 'ip', max: 20, seconds: HOUR },
    { by: 'email', max: LIMITS.resend.perMinute, seconds: MINUTE },
    { by: 'email', max: 3, seconds: HOUR },
  ],
  changePassword: [{ by: 'ip', max: 30, seconds: 15 * MINUTE }],
  userUpdate: [{ by: 'user', max: 20, seconds: 15 * MINUTE }],
  changeEmail: [{ by: 'user', max: 5, seconds: HOUR }],
  deleteAccount: PASSWORD_TRIES,
  exportAccount: PASSWORD_TRIES,
  // Each may be all that a member has here.
  accountExport: [{ by: 'user', max: 20, seconds: HOUR }],
  setUserAdmin: PASSWORD_TRIES,
  // Serial codes and addresses could be tried out.
  setVIP: [
    { by: 'user', max: 5, seconds: HOUR },
    { by: 'ip', max: 20, seconds: DAY },
  ],
  getUserInfo: [{ by: 'user', max: 30, seconds: HOUR }],
  requestUploadMedia: [{ by: 'user', max: 30, seconds: 10 * MINUTE }],
  // Each call makes a row. A house full of frames asks for a new code every half hour each.
  startFrame: [{ by: 'ip', max: 60, seconds: HOUR }],
  // Nobody guesses a frame's secret; this only bounds the work.
  pollFrame: [{ by: 'ip', max: 600, seconds: MINUTE }],
};

export interface RateLimiter {
  /** Counts one call, before anything is known of it. @throws ApiError `tooManyRequests` with the seconds to wait */
  check(endpoint: string, ip: string, input: unknown): void;
  /** Counts one call of a user. @throws ApiError `tooManyRequests` with the seconds to wait */
  checkUser(endpoint: string, userId: string): void;
}

interface Window {
  count: number;
  endsAt: number;
}

/** More keys than this are only seen under attack; the oldest windows are then forgotten first. */
const MOST_KEYS = 100_000;

/**
 * Fixed windows in the memory of this process: with several web processes each allows as much, and a restart forgets.
 * That bounds guessing well enough, and needs no table that every login writes to.
 */
export function createRateLimiter(limits: RateLimits, clock: Clock): RateLimiter {
  const windows = new Map<string, Window>();

  function count(key: string, rule: RateRule, now: number): void {
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + rule.seconds * 1000 };
      // Set anew, so that the map stays in the order in which windows began.
      windows.delete(key);
      windows.set(key, window);
      if (windows.size > MOST_KEYS) forgetSome(now);
    }
    window.count += 1;
    if (window.count > rule.max) {
      throw new ApiError('tooManyRequests', [], { retryAfter: (window.endsAt - now) / 1000 });
    }
  }

  function forgetSome(now: number): void {
    for (const [key, window] of windows) {
      if (window.endsAt > now && windows.size <= MOST_KEYS) return;
      windows.delete(key);
    }
  }

  function countAll(endpoint: string, who: Partial<Record<RateRule['by'], string>>): void {
    const now = clock.now().getTime();
    for (const rule of limits[endpoint as EndpointName] ?? []) {
      const key = who[rule.by];
      if (key !== undefined) count(`${endpoint} ${rule.by} ${rule.seconds} ${key}`, rule, now);
    }
  }

  return {
    check(endpoint, ip, input) {
      const from = network(ip);
      const email = emailOf(input);
      countAll(endpoint, { ip: from, email, 'ip+email': `${from} ${email}` });
    },
    checkUser(endpoint, userId) {
      countAll(endpoint, { user: userId });
    },
  };
}

/** One household has a whole /64 of IPv6 addresses. */
function network(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '');
  const [head = '', tail = ''] = ip.split('::', 2);
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const all = ip.includes('::') ? [...first, ...Array(8 - first.length - last.length).fill('0'), ...last] : first;
  return all.slice(0, 4).join(':');
}

function emailOf(input: unknown): string {
  const email = (input as { email?: unknown } | null)?.email;
  // Cut, for it is kept: longer ones are no addresses.
  return typeof email === 'string' ? email.trim().slice(0, LIMITS.emailLength).toLowerCase() : '';
}
