import { API_BASE, api, fillPath, type ParamsOf } from '@framelift/contract';

export type MediaPart = ParamsOf<typeof api.mediaPart>['part'];

/** Address of one part of a media on our own origin, another one for other bytes; null where there is none. */
export function partAddress<Key extends string | null>(
  id: string,
  part: MediaPart,
  key: Key,
): Key extends null ? null : string;
export function partAddress(id: string, part: MediaPart, key: string | null): string | null {
  if (key === null) return null;
  const address = API_BASE + fillPath(api.mediaPart.path, { id, part });
  // A key ends with the hash of its object.
  return `${address}?v=${key.slice(-12)}`;
}
