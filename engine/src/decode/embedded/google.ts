import { endOfJpeg } from '../../formats/jpeg.ts';
import { decodeSamples, type FoundPlane } from './nearness.ts';
import { numberOf, property, readXmp, tagsWith } from './xmp.ts';

const GDEPTH = 'http://ns.google.com/photos/1.0/depthmap/';
const DYNAMIC_DEPTH = 'http://ns.google.com/photos/dd/1.0/depthmap/';
/** Limit on directory items, well above what any writer produces; the list is scanned for each file. */
const MAX_ITEMS = 64;

/**
 * Reads depth as stored by Google's cameras: "GDepth", a base64 picture in the XMP, or "Dynamic Depth", a picture
 * appended to the photo and listed in a directory in the XMP. In both, `near`, `far` and a format define how samples
 * map to metres.
 *
 * @returns nearness of the whole picture as stored, or null
 */
export async function googleDepth(bytes: Uint8Array): Promise<FoundPlane | null> {
  const { packet, extension } = readXmp(bytes);
  if (packet === '') return null;
  const data = property(extension, GDEPTH, 'Data') ?? property(packet, GDEPTH, 'Data');
  const [namespace, map] = data
    ? [GDEPTH, Buffer.from(data, 'base64')]
    : [DYNAMIC_DEPTH, appendedDepth(bytes, packet, extension)];
  const samples = map && (await decodeSamples(map));
  if (!samples) return null;
  const read = (name: string) => property(packet, namespace, name) ?? property(extension, namespace, name);
  return toNearness(samples, read('Format'), numberOf(read('Near')), numberOf(read('Far')));
}

/**
 * Converts samples to nearness; 0 is near in both formats. `RangeInverse`, the default, is already linear in inverse
 * depth. `RangeLinear` is linear in depth; without usable limits only the order of its samples is used.
 */
function toNearness(samples: FoundPlane, format: string | null, near: number | null, far: number | null): FoundPlane {
  const metric = format === 'RangeLinear' && near !== null && far !== null && near > 0 && far > near;
  const data = samples.data.map(metric ? (sample) => 1 / (near + sample * (far - near)) : (sample) => 1 - sample);
  return { ...samples, data };
}

/**
 * Finds the appended picture that the directory declares as depth. Items follow the photo in directory order; the video
 * of a motion photo is an item too.
 */
function appendedDepth(bytes: Uint8Array, packet: string, extension: string): Uint8Array | null {
  const items = tagsWith(packet, 'Mime').slice(0, MAX_ITEMS);
  const address = property(packet, DYNAMIC_DEPTH, 'DepthURI') ?? property(extension, DYNAMIC_DEPTH, 'DepthURI');
  const wanted = items.findIndex(
    (item) => item.get('Semantic') === 'Depth' || (address !== null && item.get('DataURI') === address),
  );
  if (wanted < 1) return null;
  const sizes = items.map((item) => ({
    length: numberOf(item.get('Length') ?? null) ?? 0,
    padding: numberOf(item.get('Padding') ?? null) ?? 0,
  }));
  if (sizes.some(({ length, padding }) => !isCount(length) || !isCount(padding))) return null;
  const { length } = sizes[wanted] as (typeof sizes)[number];

  // Some writers append data after the last item, others insert data between the photo and the first, so the offset is
  // tried from both ends.
  const after = sizes.slice(wanted).reduce((sum, item) => sum + item.length + item.padding, 0);
  const between = sizes.slice(1, wanted).reduce((sum, item) => sum + item.length + item.padding, 0);
  const end = endOfJpeg(bytes);
  const starts = [bytes.length - after];
  if (end !== null) starts.push(end + (sizes[0]?.padding ?? 0) + between);
  for (const start of starts) {
    if (start <= 0 || length < 8 || start + length > bytes.length) continue;
    const [first, second] = [bytes[start], bytes[start + 1]];
    if ((first === 0xff && second === 0xd8) || (first === 0x89 && second === 0x50))
      return bytes.subarray(start, start + length);
  }
  return null;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
