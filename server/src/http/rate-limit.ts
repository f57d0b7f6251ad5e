import { isIPv6 } from 'node:net';
import { ApiError, type EndpointName, LIMITS } from '@framelift/contract';
import type { Clock } from '../context.ts';

/** At most `max` calls in each window, counted by caller, by the address named in the call, or by both together. */
export interface RateRule {
  readonly by: 'ip' | 'email' | 'ip+email';
  readonly max: number;
  readonly seconds: number;
}

export type RateLimits = Partial<Record<EndpointName, readonly RateRule[]>>;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

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
};

export interface RateLimiter {
  /** Counts one call. @throws ApiError `tooManyRequests` with the seconds to wait */
  check(endpoint: string, ip: string, input: unknown): void;
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

  return {
    check(endpoint, ip, input) {
      const rules = limits[endpoint as EndpointName] ?? [];
      const now = clock.now().getTime();
      for (const rule of rules) {
        const who = { ip: network(ip), email: emailOf(input), 'ip+email': `${network(ip)} ${emailOf(input)}` }[rule.by];
        count(`${endpoint} ${rule.by} ${rule.seconds} ${who}`, rule, now);
      }
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
  return typeof email === 'string' ? email.trim().toLowerCase() : '';
}
