import type { Queries } from '../../platform/db/open.ts';
import { countActive } from './convert/conversion.sql.ts';

/** Conversions that wait and that run, of everybody and in all processes. */
export function countConversions(db: Queries): Promise<{ waiting: number; running: number }> {
  return countActive(db);
}
