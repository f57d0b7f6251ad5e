import { DrizzleQueryError } from 'drizzle-orm/errors';

const UNIQUE_VIOLATION = '23505';

/** Returns whether a query failed on a unique constraint, possibly because of a concurrent write. */
export function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
  return cause !== undefined && 'code' in cause && cause.code === UNIQUE_VIOLATION;
}
