/** Returns whether an error means that the S3 store is silent or has trouble of its own, so a retry may succeed. */
export function isStoreAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Every error of the SDK has it; without a status if no answer came.
    const { $metadata } = cause as { $metadata?: { httpStatusCode?: number } };
    if ($metadata && (cause.name === 'TimeoutError' || ($metadata.httpStatusCode ?? 0) >= 500)) return true;
  }
  return false;
}
