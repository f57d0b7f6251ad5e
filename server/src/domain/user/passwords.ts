import { ApiError } from '@framelift/contract';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's least setting for argon2id, the library's default variant: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Verified when there is no account, so that an unknown address takes as long as a wrong password. Of no password. */
const DUMMY = `${PREFIX}4vA7ZT25B6bXad2lYdOtnQ$iUtC2EA7PRDRmyY3MGhhQP8BvLEF+HdCDV20D37vOoA`;

/** Each hash takes 19 MiB and a thread: a flood of logins must not take the memory or all threads of the pool. */
const AT_ONCE = 2;
const WAITING = 100;
let running = 0;
const waiting: (() => void)[] = [];

/** @throws ApiError `systemBusy` when too many are waiting already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING) throw new ApiError('systemBusy', [], { retryAfter: 5 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    // The place is handed on directly: nobody who comes later can slip in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The hash to store, with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS));
}

/** Compares exactly as typed. `stored` is null for an unknown address: false, after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? DUMMY, password));
  return stored !== null && matches;
}

/** True when a hash was made with other parameters than today's and should be made anew at the next login. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}
