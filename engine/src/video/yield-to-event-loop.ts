/**
 * Lets pending events run. Long work on the main thread calls it regularly: otherwise the encoder, the decoder and the
 * drawing threads would wait until its end.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
