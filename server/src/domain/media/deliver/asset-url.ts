import { API_BASE, api, fillPath, type ParamsOf } from '@framelift/contract';

export type AssetName = ParamsOf<typeof api.mediaPart>['part'];

/** Returns the same-origin URL of a media's file, which changes with the content; null without a file. */
export function assetUrl<Key extends string | null | undefined>(
  id: string,
  part: AssetName,
  key: Key,
): Key extends string ? string : null;
export function assetUrl(id: string, part: AssetName, key: string | null | undefined): string | null {
  if (!key) return null;
  const address = API_BASE + fillPath(api.mediaPart.path, { id, part });
  // A key ends with the hash of its content.
  return `${address}?v=${key.slice(-12)}`;
}
