import { ApiError, passwordForm } from '@framelift/contract';
import { hash, verify } from '@node-rs/argon2';
import { callerNetwork } from '../../platform/caller.ts';

/** OWASP's minimum for argon2id, the library's default variant: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Hash that no password matches, verified for unknown addresses so that they take as long as a wrong password. */
const DUMMY = `${PREFIX}4vA7ZT25B6bXad2lYdOtnQ$iUtC2EA7PRDRmyY3MGhhQP8BvLEF+HdCDV20D37vOoA`;

/** Each hash takes 19 MiB and a thread: many logins at once must not exhaust memory or the thread pool. */
const MAX_RUNNING = 2;
/** Who would wait longer is refused at once. Proxies wait longer than this. */
const LONGEST_WAIT_MS = 20_000;
/** Share of the newest duration in their average. */
const NEWEST = 0.1;

let running = 0;
/** Measured average. */
let hashMs = 50;
/** Those who wait, by the network they call from. The networks take turns; the next one comes first. */
const waiting = new Map<string, (() => void)[]>();

/** Returns how long a new waiter of a network waits for its turn. */
function waitOf(network: string): number {
  const own = (waiting.get(network)?.length ?? 0) + 1;
  const ahead = [...waiting.values()].reduce((sum, { length }) => sum + Math.min(length, own), 0);
  return ((ahead + 1) * hashMs) / MAX_RUNNING;
}

/** Lets the next waiter run in the place that has become free. Returns false if nobody waits. */
function passOn(): boolean {
  const [first] = waiting;
  if (!first) return false;
  const [network, [next, ...others]] = first;
  waiting.delete(network);
  if (others.length > 0) waiting.set(network, others);
  next?.();
  return true;
}

/** @throws ApiError `systemBusy` if the wait would be too long */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    const network = callerNetwork.getStore() ?? '';
    const waitMs = waitOf(network);
    if (waitMs > LONGEST_WAIT_MS) throw new ApiError('systemBusy', [], { retryAfter: waitMs / 1000 });
    await new Promise<void>((resolve) => waiting.set(network, [...(waiting.get(network) ?? []), resolve]));
  } else {
    running += 1;
  }
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    hashMs += NEWEST * (performance.now() - startedAt - hashMs);
    // Passed on directly, so that no later caller gets ahead.
    if (!passOn()) running -= 1;
  }
}

/** Returns the hash to store, with its salt and parameters, of the password in its one form. */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(passwordForm(password), OPTIONS));
}

/**
 * Returns whether a password matches. Passwords stored before there was one form were hashed as they were typed, so
 * that is tried as well, and so is the form of devices that decompose letters; for most passwords all are the same.
 * If `stored` is null (unknown address), returns false after the same work.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const forms = new Set([passwordForm(password), password, password.normalize('NFD')]);
  for (const form of forms) {
    const matches = await limited(() => verify(stored ?? DUMMY, form));
    if (matches) return stored !== null;
  }
  return false;
}

/** Returns whether a hash has outdated parameters and must be renewed at the next login. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}
