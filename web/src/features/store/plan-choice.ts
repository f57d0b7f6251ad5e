import type { Product, Solution } from '@framelift/contract';

/** Returns the offers of a product that cost something; none for a product that is free. */
export function plansOf(solutions: readonly Solution[], { id, hasFree }: Pick<Product, 'id' | 'hasFree'>): Solution[] {
  return hasFree ? [] : solutions.filter(({ product_id, costs }) => product_id === id && costs > 0);
}
