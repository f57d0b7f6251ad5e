/**
 * Lets in what has arrived meanwhile. Long work on the main thread does so now and then: the encoder, the decoder and the
 * drawing threads would wait until its end for what they do next.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
