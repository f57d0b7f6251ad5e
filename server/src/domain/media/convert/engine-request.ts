import type { DepthSource, NamedVideo, PictureRequest } from '@framelift/engine';
import { deviceProfile } from '../../device-type/device-types.ts';
import type { MediaView } from '../media.sql.ts';
import { stemOf } from '../upload/file-rules.ts';

/** Returns the part of an engine request that does not depend on the files to make. */
export function toEngineRequest({ media, device }: MediaView): Omit<PictureRequest, 'input' | 'outDir'> {
  const { effect, crop, convergence, ground, pair, strokes } = media;
  return {
    kind: 'picture',
    effect,
    device: deviceProfile(device),
    name: stemOf(media.name),
    ...(crop ? { crop } : {}),
    ...(convergence === null ? {} : { convergence }),
    ...(ground === null ? {} : { ground }),
    ...(pair === null ? {} : { pair }),
    ...(strokes.length > 0 ? { strokes } : {}),
  };
}

/** Returns what is known about a video before it is looked at. */
export function videoHints({
  name,
  pair,
  ground,
}: Pick<MediaView['media'], 'name' | 'pair' | 'ground'>): Omit<NamedVideo, 'path'> {
  return { name, ...(pair === null ? {} : { pair }), ...(ground === null ? {} : { ground }) };
}

/** Returns the stored depth map, if there is one and the effect needs it. */
export function storedDepth({ media, keys }: MediaView): { readonly key: string; readonly source: DepthSource } | null {
  return media.effect > 0 && keys.depthMap ? { key: keys.depthMap, source: media.depthSource as DepthSource } : null;
}
