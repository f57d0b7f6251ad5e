import { LIMITS } from '@framelift/contract';

/**
 * Calls with the ids of media in parts of as many as a call takes, one after the other. What is done when a later part
 * is refused stays done.
 * @returns the ids that were taken, and why the others were not
 * @throws why the first part was refused
 */
export async function inParts(
  ids: readonly string[],
  run: (part: string[]) => Promise<unknown>,
): Promise<{ readonly done: readonly string[]; readonly refusal: Error | null }> {
  const done: string[] = [];
  while (done.length < ids.length) {
    const part = ids.slice(done.length, done.length + LIMITS.mediaAtOnce);
    try {
      await run(part);
    } catch (error) {
      if (done.length === 0 || !(error instanceof Error)) throw error;
      return { done, refusal: error };
    }
    done.push(...part);
  }
  return { done, refusal: null };
}
