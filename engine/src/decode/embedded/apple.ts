import type { Plane } from '../../depth/plane.ts';
import type { HeifFile } from '../libheif.ts';
import type { Orientation } from '../orientation.ts';
import type { MpfPicture } from './mpf.ts';
import { decodeSamples } from './nearness.ts';
import { numberOf, property, readXmp } from './xmp.ts';

const PIXEL_DATA = 'http://ns.apple.com/pixeldatainfo/1.0/';

/**
 * Depth of a portrait-mode HEIC.
 *
 * @returns nearness of the whole picture with the turn that it still needs to stand upright, or null
 */
export function heicDepth(heif: HeifFile): { nearness: Plane; orientation: Orientation } | null {
  const depth = heif.decodeDepth();
  if (!depth) return null;
  const { data, width, height } = depth.samples;
  const samples = { data: Float32Array.from(data, (sample) => sample / depth.samples.max), width, height };
  const inMetres = depth.uniformIn === 'depth' || auxiliaryType(depth.xmp) === 'depth';
  return { nearness: toNearness(samples, inMetres, depth.xmp), orientation: depth.orientation };
}

/** Depth of a portrait saved as JPEG: one of the further pictures says in its own XMP that it is a map. */
export async function portraitJpegDepth(pictures: readonly MpfPicture[]): Promise<Plane | null> {
  for (const { bytes } of pictures.slice(1)) {
    const { packet } = readXmp(bytes);
    const type = auxiliaryType(packet);
    if (type !== 'disparity' && type !== 'depth') continue;
    const samples = await decodeSamples(bytes);
    if (samples) return toNearness(samples, type === 'depth', packet);
  }
  return null;
}

function auxiliaryType(xmp: string): string | null {
  return property(xmp, PIXEL_DATA, 'AuxiliaryImageType');
}

/** Samples lie evenly between a least and a largest value, either of disparity, which grows nearer, or of depth. */
function toNearness(samples: Plane, inMetres: boolean, xmp: string): Plane {
  if (!inMetres) return samples;
  const least = numberOf(property(xmp, PIXEL_DATA, 'FloatMinValue'));
  const most = numberOf(property(xmp, PIXEL_DATA, 'FloatMaxValue'));
  const metric = least !== null && most !== null && least > 0 && most > least;
  const data = samples.data.map(metric ? (sample) => 1 / (least + sample * (most - least)) : (sample) => 1 - sample);
  return { ...samples, data };
}
