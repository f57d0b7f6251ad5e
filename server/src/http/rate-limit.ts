import { isIPv6 } from 'node:net';
import { ApiError, type Endpoint, emailKey, LIMITS, type RateLimit } from '@framelift/contract';
import { RateLimiterDrizzle, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../platform/db/open.ts';
import { rateLimits } from '../platform/db/schema.ts';
import { hashSecret } from '../platform/secrets.ts';

/** Counts calls against the limits of their endpoints, in fixed windows. */
export interface RateLimiter {
  /** Counts one call before its caller is identified. @throws ApiError `tooManyRequests` with `retryAfter` */
  check(endpoint: Endpoint, ip: string, input: unknown): Promise<void>;
  /** Counts one call of a user. @throws ApiError `tooManyRequests` with `retryAfter` */
  checkUser(endpoint: Endpoint, userId: string): Promise<void>;
}

export interface RateLimiterOptions {
  /** Shared by several web processes; null counts in memory, which a restart clears. */
  readonly db: Db | null;
  /** Replaces the limits declared on the endpoint, for tests. */
  readonly limitsOf?: (endpoint: Endpoint) => readonly RateLimit[];
}

/** Only an attack creates more windows; the counts in memory then start anew. */
const MAX_WINDOWS = 100_000;

export function createRateLimiter({
  db,
  limitsOf = (endpoint) => endpoint.rateLimits,
}: RateLimiterOptions): RateLimiter {
  const limiters = new Map<string, RateLimiterMemory | RateLimiterDrizzle>();
  let windows = 0;

  function limiterOf(keyPrefix: string, { max: points, seconds: duration }: RateLimit) {
    const limiter =
      limiters.get(keyPrefix) ??
      (db
        ? new RateLimiterDrizzle({
            keyPrefix,
            points,
            duration,
            storeClient: db,
            schema: rateLimits,
            // A refused caller causes no further queries.
            inMemoryBlockOnConsumed: points + 1,
            clearExpiredByTimeout: false,
          })
        : new RateLimiterMemory({ keyPrefix, points, duration }));
    limiters.set(keyPrefix, limiter);
    return limiter;
  }

  async function count(endpoint: Endpoint, limit: RateLimit, key: string): Promise<void> {
    const limiter = limiterOf(`${endpoint.name} ${limit.by} ${limit.seconds}`, limit);
    try {
      const { isFirstInDuration } = await limiter.consume(key);
      if (!db && isFirstInDuration && ++windows > MAX_WINDOWS) {
        limiters.clear();
        windows = 0;
      }
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const { msBeforeNext } = refusal as RateLimiterRes;
      // Windows end by the system clock; setting it back must not extend them.
      if (msBeforeNext > limit.seconds * 1000) await limiter.delete(key);
      throw new ApiError('tooManyRequests', [], { retryAfter: Math.min(msBeforeNext / 1000, limit.seconds) });
    }
  }

  async function countAll(endpoint: Endpoint, keys: Partial<Record<RateLimit['by'], string>>): Promise<void> {
    for (const limit of limitsOf(endpoint)) {
      const key = keys[limit.by];
      // Hashed, so that no personal addresses are stored.
      if (key !== undefined) await count(endpoint, limit, hashSecret(key));
    }
  }

  return {
    check(endpoint, ip, input) {
      const from = network(ip);
      const email = emailOf(input);
      return countAll(endpoint, { ip: from, email, 'ip+email': `${from} ${email}` });
    },
    checkUser: (endpoint, userId) => countAll(endpoint, { user: userId }),
  };
}

/** Returns the network of an address: for IPv6 the /64, which a household usually has. */
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
  // Truncated, because it is stored; longer values are not addresses.
  return typeof email === 'string' ? emailKey(email.trim().slice(0, LIMITS.emailLength)) : '';
}
