import { ApiError, passwordForm } from '@framelift/contract';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's minimum for argon2id, the library's default variant: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Hash that no password matches, verified for unknown addresses so that they take as long as a wrong password. */
const DUMMY = `${PREFIX}4vA7ZT25B6bXad2lYdOtnQ$iUtC2EA7PRDRmyY3MGhhQP8BvLEF+HdCDV20D37vOoA`;

/** Each hash takes 19 MiB and a thread: many logins at once must not exhaust memory or the thread pool. */
const MAX_RUNNING = 2;
const MAX_WAITING = 100;
let running = 0;
const waiting: (() => void)[] = [];

/** @throws ApiError `systemBusy` when too many are waiting already */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING) throw new ApiError('systemBusy', [], { retryAfter: 5 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    // Passed on directly, so that no later caller gets ahead.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
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
