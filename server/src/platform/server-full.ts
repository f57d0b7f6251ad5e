/** Of the file system, and of PostgreSQL (disk_full). `serverFull` is the code of a conversion process. */
const CODES = ['ENOSPC', 'EDQUOT', '53100', 'serverFull'];
/** How S3-compatible stores say it; not all of them with status 507. */
const STORE_WORDS = /Quota.*Exceeded|Storage_?Full|Insufficient_?Storage|storage cap exceeded/i;

interface Told {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Returns whether an error means that a disk, the bucket or the database has no room left, so that a retry succeeds
 * once an operator has made room. Whoever caused the write is not at fault.
 */
export function isServerFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, name, message, $metadata } = cause as Told;
    if (CODES.includes(String(code))) return true;
    if ($metadata && ($metadata.httpStatusCode === 507 || STORE_WORDS.test(`${name} ${message}`))) return true;
  }
  return false;
}
