import type { Context } from '../../context.ts';

/** A change by another process is visible after this time at the latest. */
const FRESH_MS = 2_000;

/** Caches a value that every call reads, for a short time. */
export function cached<T>(read: (context: Context) => Promise<T>, freshMs = FRESH_MS) {
  const known = new WeakMap<Context, { readonly value: T; readonly readAt: number }>();
  return {
    async get(context: Context): Promise<T> {
      const now = context.clock.elapsedMs();
      const kept = known.get(context);
      if (kept && now - kept.readAt < freshMs) return kept.value;
      const value = await read(context);
      known.set(context, { value, readAt: now });
      return value;
    },
    /** Must be called after a change by this process. */
    forget(context: Context): void {
      known.delete(context);
    },
  };
}
