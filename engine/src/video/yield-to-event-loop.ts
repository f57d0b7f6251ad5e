/**
 * Lets pending events run. Long work on the main thread does so now and then: the encoder, the decoder and the drawing
 * threads would otherwise wait until its end.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
