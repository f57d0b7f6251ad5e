import type { ConversionRow } from './convert/conversion.sql.ts';

/** Below this share of the work an estimate would jump about. */
const FIRST_ESTIMATE = 0.1;

/** Whole seconds until a running conversion is done, as the engine says or from its pace; null while nothing can be said. */
export function secondsLeft(
  { state, startedAt, progress, secondsLeft: told }: ConversionRow,
  now: Date,
): number | null {
  if (state !== 'running') return null;
  if (told !== null) return Math.max(0, Math.ceil(told));
  if (!startedAt || progress < FIRST_ESTIMATE) return null;
  const elapsed = (now.getTime() - startedAt.getTime()) / 1000;
  return Math.max(0, Math.ceil((elapsed * (1 - progress)) / progress));
}
