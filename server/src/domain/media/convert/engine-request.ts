import type { DepthSource, PictureRequest } from '@framelift/engine';
import { deviceProfile } from '../../device-type/device-types.ts';
import type { MediaView } from '../media.sql.ts';
import { stemOf } from '../upload/file-rules.ts';

type EngineTerms = Omit<PictureRequest, 'input' | 'outDir'>;

/** What the engine is told of a picture, whichever files it makes of it. */
export function engineTerms({ media, device }: MediaView): EngineTerms {
  const { effect, crop, convergence, strokes } = media;
  return {
    kind: 'picture',
    effect,
    device: deviceProfile(device),
    name: stemOf(media.name),
    ...(crop ? { crop } : {}),
    ...(convergence === null ? {} : { convergence }),
    ...(strokes.length > 0 ? { strokes } : {}),
  };
}

/** The stored depth that is used again, if there is one and any is needed. */
export function storedDepth({ media }: MediaView): { readonly key: string; readonly source: DepthSource } | null {
  const { effect, depthKey: key, depthSource } = media;
  return effect > 0 && key ? { key, source: depthSource as DepthSource } : null;
}
