import type { Context } from '../../context.ts';

/** Every call asks for these; what another process changed is seen this much later at most. */
const FRESH_MS = 2_000;

/** Something that is read often and changes seldom, kept for a moment. */
export function cached<T>(read: (context: Context) => Promise<T>) {
  const known = new WeakMap<Context, { readonly value: T; readonly readAt: number }>();
  return {
    async get(context: Context): Promise<T> {
      const now = context.clock.now().getTime();
      const kept = known.get(context);
      if (kept && now - kept.readAt < FRESH_MS) return kept.value;
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
