import { ApiError, type Endpoint, emailKey, LIMITS, type RateLimit } from '@framelift/contract';
import { RateLimiterDrizzle, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../platform/db/open.ts';
import { rateLimits } from '../platform/db/schema.ts';
import { hashSecret } from '../platform/secrets.ts';
import { networkOf } from './address.ts';

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
  const limiters = new Map<string, RateLimiterDrizzle>();
  const windows = new Map<string, { calls: number; readonly endsAt: number }>();

  /** Returns the milliseconds to wait, or 0. Windows end by a clock that nobody sets. */
  function countInMemory(key: string, { max, seconds }: RateLimit): number {
    const now = performance.now();
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      if (windows.size >= MAX_WINDOWS) windows.clear();
      window = { calls: 0, endsAt: now + seconds * 1000 };
      // Inserted anew, so that the oldest come first.
      windows.delete(key);
      windows.set(key, window);
      for (const [other, { endsAt }] of windows) {
        if (endsAt > now) break;
        windows.delete(other);
      }
    }
    window.calls += 1;
    return window.calls > max ? window.endsAt - now : 0;
  }

  /** As `countInMemory`. Windows end by the clocks of the processes: one that was set back must not extend them. */
  async function countInDatabase(storeClient: Db, keyPrefix: string, key: string, limit: RateLimit): Promise<number> {
    const { max: points, seconds: duration } = limit;
    const limiter =
      limiters.get(keyPrefix) ??
      new RateLimiterDrizzle({
        keyPrefix,
        points,
        duration,
        storeClient,
        schema: rateLimits,
        // A refused caller causes no further queries.
        inMemoryBlockOnConsumed: points + 1,
        clearExpiredByTimeout: false,
      });
    limiters.set(keyPrefix, limiter);
    try {
      await limiter.consume(key);
      return 0;
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const { msBeforeNext } = refusal as RateLimiterRes;
      if (msBeforeNext > duration * 1000) await limiter.delete(key);
      return Math.min(msBeforeNext, duration * 1000);
    }
  }

  async function count(endpoint: Endpoint, limit: RateLimit, key: string): Promise<void> {
    const prefix = `${endpoint.name} ${limit.by} ${limit.seconds}`;
    const waitMs = db ? await countInDatabase(db, prefix, key, limit) : countInMemory(`${prefix} ${key}`, limit);
    if (waitMs > 0) throw new ApiError('tooManyRequests', [], { retryAfter: waitMs / 1000 });
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
      const from = networkOf(ip);
      const email = emailOf(input);
      return countAll(endpoint, { ip: from, email, 'ip+email': `${from} ${email}` });
    },
    checkUser: (endpoint, userId) => countAll(endpoint, { user: userId }),
  };
}

function emailOf(input: unknown): string {
  const email = (input as { email?: unknown } | null)?.email;
  // Truncated, because it is stored; longer values are not addresses.
  return typeof email === 'string' ? emailKey(email.trim().slice(0, LIMITS.emailLength)) : '';
}
