/**
 * Lets a generator work up to `depth` results ahead of who takes them, and no further. What was made ahead and is not
 * taken is given to `drop`.
 */
export async function* ahead<T>(source: AsyncGenerator<T>, depth: number, drop: (one: T) => void): AsyncGenerator<T> {
  const coming: Promise<IteratorResult<T>>[] = [];
  const ask = () => {
    const next = source.next();
    // A failure is met when its turn comes.
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
