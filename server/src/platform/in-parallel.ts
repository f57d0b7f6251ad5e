/** How many are worked on at once, and how long one may keep its place. */
export interface ParallelLimits {
  readonly places: number;
  readonly limitMs: number;
}

/**
 * Runs a task for each item, a few at once, so that a slow one holds up nobody else. One that takes longer than the limit is
 * told to `onError` and gives its place to the next; what it has begun goes on by itself, and it must bear being repeated.
 * @param onError is called for each item that failed or took too long
 */
export async function inParallel<T>(
  items: readonly T[],
  { places, limitMs }: ParallelLimits,
  task: (item: T) => Promise<unknown>,
  onError: (error: unknown, item: T) => void,
): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) {
      try {
        await within(limitMs, task(item));
      } catch (error) {
        onError(error, item);
      }
    }
  };
  await Promise.all(Array.from({ length: places }, work));
}

async function within(ms: number, running: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${ms} ms`)), ms);
  });
  try {
    await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
