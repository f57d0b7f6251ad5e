import { API_BASE, api, fillPath, type ParamsOf } from '@framelift/contract';

export type AssetName = ParamsOf<typeof api.mediaPart>['part'];

/** URL of a file of a media on our own origin, which differs for other bytes; null where there is none. */
export function assetUrl<Key extends string | null | undefined>(
  id: string,
  part: AssetName,
  key: Key,
): Key extends string ? string : null;
export function assetUrl(id: string, part: AssetName, key: string | null | undefined): string | null {
  if (!key) return null;
  const address = API_BASE + fillPath(api.mediaPart.path, { id, part });
  // A key ends with the hash of its object.
  return `${address}?v=${key.slice(-12)}`;
}
