import { isDeepStrictEqual } from 'node:util';

/** What an audit entry says of a change: the fields that differ, before and after. Null if none does. */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { readonly before: Record<string, unknown>; readonly after: Record<string, unknown> } | null {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null));
  if (names.length === 0) return null;
  const part = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  return { before: part(before), after: part(after) };
}
