import type { Context } from '../../context.ts';

/** For what every call asks for: what another process changed is seen this much later at most. */
const FRESH_MS = 2_000;

/** Something that is read more often than it need be fresh, kept for a moment. */
export function cached<T>(read: (context: Context) => Promise<T>, freshMs = FRESH_MS) {
  const known = new WeakMap<Context, { readonly value: T; readonly readAt: number }>();
  return {
    async get(context: Context): Promise<T> {
      const now = context.clock.now().getTime();
      const kept = known.get(context);
      if (kept && now - kept.readAt < freshMs) return kept.value;
      const value = await read(context);
      known.set(context, { value, readAt: now });
      return value;
    },
    /** After a change by this process: the next one reads it. */
    forget(context: Context): void {
      known.delete(context);
    },
  };
}
