import type { HeifFile } from '../libheif.ts';
import type { Orientation } from '../orientation.ts';
import type { MpfPicture } from './mpf.ts';
import { decodeSamples, type FoundPlane } from './nearness.ts';
import { numberOf, property, readXmp } from './xmp.ts';

const PIXEL_DATA = 'http://ns.apple.com/pixeldatainfo/1.0/';

/**
 * Reads the depth map of a portrait-mode HEIC.
 *
 * @returns nearness of the whole picture and the orientation still to be applied to it, or null
 */
export function heicDepth(heif: HeifFile): { nearness: FoundPlane; orientation: Orientation } | null {
  const depth = heif.decodeDepth();
  if (!depth) return null;
  const { data, width, height } = depth.samples;
  const samples = { data: Float32Array.from(data, (sample) => sample / depth.samples.max), width, height };
  const { incomplete } = depth;
  const inMetres = depth.uniformIn === 'depth' || auxiliaryType(depth.xmp) === 'depth';
  return { nearness: toNearness({ ...samples, incomplete }, inMetres, depth.xmp), orientation: depth.orientation };
}

/**
 * Reads the depth map of a portrait saved as JPEG: one of the secondary pictures is declared as a map by its own XMP.
 */
export async function portraitJpegDepth(pictures: readonly MpfPicture[]): Promise<FoundPlane | null> {
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

/**
 * Converts samples to nearness. Samples are linear between a minimum and a maximum, either of disparity (grows with
 * nearness) or of depth.
 */
function toNearness(samples: FoundPlane, inMetres: boolean, xmp: string): FoundPlane {
  if (!inMetres) return samples;
  const least = numberOf(property(xmp, PIXEL_DATA, 'FloatMinValue'));
  const most = numberOf(property(xmp, PIXEL_DATA, 'FloatMaxValue'));
  const metric = least !== null && most !== null && least > 0 && most > least;
  const data = samples.data.map(metric ? (sample) => 1 / (least + sample * (most - least)) : (sample) => 1 - sample);
  return { ...samples, data };
}
