import { inLanguage, type Language, type MediaDetail } from '@framelift/contract';
import type { ProductOf } from './entitlement.sql.ts';

/** Converts a product that a member has to the mark on its album and pictures. */
export function presentOfProduct(
  { id, name, store }: Pick<ProductOf, 'id' | 'name' | 'store'>,
  language: Language,
): NonNullable<MediaDetail['product']> {
  return { id, name: inLanguage(name, language), store: inLanguage(store, language) };
}
