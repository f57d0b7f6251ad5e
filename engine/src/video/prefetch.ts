/**
 * Runs a generator up to `depth` results ahead of its consumer. Results that are never consumed are passed to `drop`.
 */
export async function* prefetch<T>(
  source: AsyncGenerator<T>,
  depth: number,
  drop: (one: T) => void,
): AsyncGenerator<T> {
  const coming: Promise<IteratorResult<T>>[] = [];
  const ask = () => {
    const next = source.next();
    // An error is thrown when its result is consumed.
    next.catch(() => {});
    coming.push(next);
  };
  try {
    for (let i = 0; i < depth; i++) ask();
    for (;;) {
      const next = await (coming.shift() as Promise<IteratorResult<T>>);
      if (next.done) return;
      ask();
      yield next.value;
    }
  } finally {
    await source.return(undefined).catch(() => {});
    for (const next of coming) {
      const result = await next.catch(() => null);
      if (result && !result.done) drop(result.value);
    }
  }
}
