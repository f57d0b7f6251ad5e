import { createRequire } from 'node:module';
import { EngineError } from '../errors.ts';
import type { Rect, Size } from '../types.ts';
import type { Nclx } from './nclx.ts';
import { bothTurns, type Orientation } from './orientation.ts';
import type { Samples } from './samples.ts';

/**
 * HEIF decoding with libheif compiled to WebAssembly (libheif-js, LGPL-3.0), because sharp's build cannot decode HEVC.
 * The C API is called directly: the package's JavaScript API exposes neither the colour profile nor more than 8 bits.
 * WebAssembly memory is sandboxed, so damaged input can at worst make a call fail.
 */
interface Libheif {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    memory: number,
    size: number,
    options: number,
  ): void;
  _heif_context_get_primary_image_ID(error: number, context: number, out: number): void;
  _heif_context_get_image_handle(error: number, context: number, id: number, out: number): void;
  _heif_context_get_entity_groups(context: number, type: number, item: number, countOut: number): number;
  _heif_context_get_number_of_items(context: number): number;
  _heif_context_get_list_of_item_IDs(context: number, out: number, count: number): number;
  _heif_item_get_item_type(context: number, id: number): number;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_luma_bits_per_pixel(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, out: number): void;
  _heif_image_handle_get_nclx_color_profile(error: number, handle: number, out: number): void;
  _heif_decode_image(
    error: number,
    handle: number,
    out: number,
    colourSpace: number,
    chroma: number,
    options: number,
  ): void;
  _heif_image_handle_get_number_of_depth_images(handle: number): number;
  _heif_image_handle_get_list_of_depth_image_IDs(handle: number, out: number, count: number): number;
  _heif_image_handle_get_depth_image_handle(error: number, handle: number, id: number, out: number): void;
  _heif_image_handle_get_depth_image_representation_info(handle: number, id: number, out: number): number;
  _heif_image_handle_get_list_of_metadata_block_IDs(handle: number, filter: number, out: number, count: number): number;
  _heif_image_handle_get_metadata_content_type(handle: number, id: number): number;
  _heif_image_handle_get_metadata_size(handle: number, id: number): number;
  _heif_image_handle_get_metadata(error: number, handle: number, id: number, out: number): void;
  _heif_item_get_transformation_properties(context: number, id: number, out: number, count: number): number;
  _heif_item_get_property_type(context: number, id: number, property: number): number;
  _heif_item_get_property_transform_rotation_ccw(context: number, id: number, property: number): number;
  _heif_item_get_property_transform_mirror(context: number, id: number, property: number): number;
  _heif_image_get_decoding_warnings(image: number, first: number, out: number, count: number): number;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_bits_per_pixel_range(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, strideOut: number): number;
}

// Constants of libheif/heif.h.
const COLOUR_SPACE_RGB = 1;
const CHROMA = { rgb8: 10, rgba8: 11, rgb16: 14, rgba16: 15 } as const;
const CHANNEL_INTERLEAVED = 10;
/** struct heif_error: code, subcode, message. */
const ERROR_BYTES = 12;
/** Container and bitstream disagree about colour: a metadata error that is tolerated. */
const SUBCODE_COLOUR_MISMATCH = 152;
const MAX_WARNINGS = 256;
const MAX_ITEMS = 4096;
const COLOUR_SPACE_AS_STORED = 99;
const CHROMA_AS_STORED = 99;
const CHANNEL_LUMA = 0;
/**
 * struct heif_depth_representation_info: offset of the representation type, and the type whose samples grow with depth.
 */
const REPRESENTATION_KIND = 40;
const UNIFORM_IN_DEPTH = 2;
const MAX_DEPTH_PIXELS = 25_000_000;
const MAX_DEPTH_METADATA = 1024 * 1024;
/** Limit on the transformations and the metadata blocks read per item. */
const MAX_LISTED = 8;
/** struct heif_entity_group: id, type, address of the items, their number. */
const GROUP_ITEMS = 8;
const GROUP_COUNT = 12;
const QUARTER_TURNS: Readonly<Record<number, Orientation>> = { 90: 8, 180: 3, 270: 6 };
/** `heif_transform_mirror_direction`: top to bottom, left to right. */
const MIRRORS: Readonly<Record<number, Orientation>> = { 0: 4, 1: 2 };

/** Depth map of a picture. */
export interface HeifDepth {
  /** One channel, with the map's own transformations applied. */
  readonly samples: Samples;
  /** Orientation of the picture that the map still lacks: some writers transform only the picture. */
  readonly orientation: Orientation;
  /** Samples are linear in disparity or inverse depth (larger is nearer), or in depth (larger is farther). */
  readonly uniformIn: 'disparity' | 'depth';
  /** XMP of the map; empty when there is none. */
  readonly xmp: string;
  readonly incomplete: boolean;
}

export interface HeifPixels {
  /** RGB of the area. */
  readonly samples: Samples;
  /** Opacity of the area, 0 … 255; null for an opaque picture. */
  readonly alpha: Uint8Array | null;
  /** A few pixels of the whole picture as 8-bit RGBA, to choose its ground by; empty for an opaque picture. */
  readonly overview: Uint8Array;
  /** libheif replaced missing or broken tiles. */
  readonly incomplete: boolean;
}

/** Items of a HEIF file that show one scene from two places. */
export interface HeifEyes {
  readonly left: number;
  readonly right: number;
}

/** One picture of a HEIF file with parsed boxes. No pixels are decoded before `decode`. */
export interface HeifFile {
  /** Id of the picture within the file. */
  readonly item: number;
  /** Size after the file's own rotation, mirroring and clean aperture. */
  readonly size: Size;
  readonly codec: 'hevc' | 'av1' | 'other';
  readonly bits: number;
  /** ICC profile of the picture, if any; takes precedence over `nclx`. */
  readonly icc: Uint8Array | null;
  readonly nclx: Nclx | null;
  readonly hasAlpha: boolean;
  /** Items of the stereo pair that the primary picture belongs to. */
  readonly eyes: HeifEyes | null;
  /** Decodes the picture upright and copies the area. HEVC only. Blocks the thread. */
  decode(area: Rect): HeifPixels;
  /** Whether the picture has a depth map. */
  readonly hasDepth: boolean;
  /**
   * Decodes the depth map. HEVC only. A damaged map can crash the module even when the picture is intact, so call this
   * on a separate instance.
   *
   * @throws any error
   */
  decodeDepth(): HeifDepth | null;
}

/**
 * Parses the structure of a HEIC or AVIF file. Each file gets its own module instance, which is garbage-collected with
 * it: WebAssembly memory grows but never shrinks.
 *
 * @param item the picture to open, by default the primary one
 * @throws {EngineError} `pictureDamaged` when the boxes are invalid
 */
export function openHeif(bytes: Uint8Array, item?: number): HeifFile {
  const create = createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js') as (
    options: object,
  ) => Libheif;
  const silent = () => {};
  const heif = create({ print: silent, printErr: silent });
  const error = heif._malloc(ERROR_BYTES);
  const out = heif._malloc(4);
  /** Reads HEAPU32 on every call: it is replaced whenever the memory grows. */
  const word = (address: number) => heif.HEAPU32[address >> 2] as number;
  const ok = () => word(error) === 0;
  const check = (what: string) => {
    if (!ok()) throw new EngineError('pictureDamaged', `HEIF, ${what}: ${cString(heif, word(error + 8))}`);
  };

  const memory = heif._malloc(bytes.length);
  heif.HEAPU8.set(bytes, memory);
  const context = heif._heif_context_alloc();
  heif._heif_context_read_from_memory_without_copy(error, context, memory, bytes.length, 0);
  check('boxes');
  heif._heif_context_get_primary_image_ID(error, context, out);
  check('primary picture');
  const primary = word(out);
  const opened = item ?? primary;
  heif._heif_context_get_image_handle(error, context, opened, out);
  check('picture');
  const handle = word(out);

  const size = { width: heif._heif_image_handle_get_width(handle), height: heif._heif_image_handle_get_height(handle) };
  const bits = heif._heif_image_handle_get_luma_bits_per_pixel(handle);
  return {
    item: opened,
    size,
    bits,
    codec: codecOf(heif, context, opened),
    icc: readIcc(),
    nclx: readNclx(),
    hasAlpha: heif._heif_image_handle_has_alpha_channel(handle) !== 0,
    eyes: readEyes(),
    hasDepth: heif._heif_image_handle_get_number_of_depth_images(handle) > 0,
    decode(area) {
      const alpha = heif._heif_image_handle_has_alpha_channel(handle) !== 0;
      const wide = bits > 8;
      const chroma = wide ? (alpha ? CHROMA.rgba16 : CHROMA.rgb16) : alpha ? CHROMA.rgba8 : CHROMA.rgb8;
      heif._heif_decode_image(error, handle, out, COLOUR_SPACE_RGB, chroma, 0);
      check('pixels');
      const image = word(out);
      const incomplete = isDamaged(image);
      const width = heif._heif_image_get_width(image, CHANNEL_INTERLEAVED);
      const height = heif._heif_image_get_height(image, CHANNEL_INTERLEAVED);
      if (width !== size.width || height !== size.height)
        throw new EngineError('pictureDamaged', `HEIF: ${width} x ${height} pixels decoded, header says otherwise`);
      const plane = heif._heif_image_get_plane_readonly(image, CHANNEL_INTERLEAVED, out);
      const stride = word(out);
      const max = (1 << heif._heif_image_get_bits_per_pixel_range(image, CHANNEL_INTERLEAVED)) - 1;
      const heap = wide ? new Uint16Array(heif.HEAPU8.buffer) : heif.HEAPU8;
      const unit = heap.BYTES_PER_ELEMENT;
      const from = { heap, plane: plane / unit, stride: stride / unit, max };
      if (alpha) return { ...copyWithAlpha(from, area), overview: overviewOf(from, size), incomplete };
      const data = copyArea(from, area);
      const samples = { data, width: area.width, height: area.height, max };
      return { samples, alpha: null, overview: new Uint8Array(), incomplete };
    },
    decodeDepth() {
      if (heif._heif_image_handle_get_list_of_depth_image_IDs(handle, out, 1) < 1) return null;
      const id = word(out);
      heif._heif_image_handle_get_depth_image_handle(error, handle, id, out);
      check('depth map');
      const depth = word(out);
      const width = heif._heif_image_handle_get_width(depth);
      const height = heif._heif_image_handle_get_height(depth);
      if (width * height > MAX_DEPTH_PIXELS) return null;
      const described = heif._heif_image_handle_get_depth_image_representation_info(depth, id, out) !== 0;
      const inDepth = described && word(word(out) + REPRESENTATION_KIND) === UNIFORM_IN_DEPTH;
      const own = turnOf(id);
      return {
        ...decodeLuma(depth, width, height),
        orientation: own.count === 0 ? turnOf(opened).orientation : 1,
        uniformIn: inDepth ? 'depth' : 'disparity',
        xmp: readXmp(depth),
      };
    },
  };

  /** Reads the first stereo group (ISO/IEC 23008-12, `ster`): its left view is listed first. */
  function readEyes(): HeifEyes | null {
    const groups = heif._heif_context_get_entity_groups(context, fourCc('ster'), primary, out);
    if (word(out) === 0 || word(groups + GROUP_COUNT) !== 2) return null;
    const items = word(groups + GROUP_ITEMS);
    const eyes = { left: word(items), right: word(items + 4) };
    return eyes.left !== eyes.right && isLikePrimary(eyes.left) && isLikePrimary(eyes.right) ? eyes : null;
  }

  /** Groups may list items that do not exist, are no pictures, or are of another shape. */
  function isLikePrimary(id: number): boolean {
    heif._heif_context_get_image_handle(error, context, id, out);
    if (!ok()) return false;
    const other = word(out);
    return (
      heif._heif_image_handle_get_width(other) === size.width &&
      heif._heif_image_handle_get_height(other) === size.height
    );
  }

  /** Returns whether tiles are missing or broken: libheif conceals them and only reports a warning. */
  function isDamaged(image: number): boolean {
    const warnings = heif._malloc(MAX_WARNINGS * ERROR_BYTES);
    const count = heif._heif_image_get_decoding_warnings(image, 0, warnings, MAX_WARNINGS);
    for (let at = warnings; at < warnings + Math.min(count, MAX_WARNINGS) * ERROR_BYTES; at += ERROR_BYTES)
      if (word(at + 4) !== SUBCODE_COLOUR_MISMATCH) return true;
    return false;
  }

  function decodeLuma(image: number, width: number, height: number): { samples: Samples; incomplete: boolean } {
    heif._heif_decode_image(error, image, out, COLOUR_SPACE_AS_STORED, CHROMA_AS_STORED, 0);
    check('pixels of the depth map');
    const decoded = word(out);
    const incomplete = isDamaged(decoded);
    if (
      heif._heif_image_get_width(decoded, CHANNEL_LUMA) !== width ||
      heif._heif_image_get_height(decoded, CHANNEL_LUMA) !== height
    )
      throw new EngineError('pictureDamaged', `HEIF: the depth map does not decode to ${width} x ${height} pixels`);
    const depth = heif._heif_image_get_bits_per_pixel_range(decoded, CHANNEL_LUMA);
    const plane = heif._heif_image_get_plane_readonly(decoded, CHANNEL_LUMA, out);
    const heap = depth > 8 ? new Uint16Array(heif.HEAPU8.buffer) : heif.HEAPU8;
    const stride = word(out) / heap.BYTES_PER_ELEMENT;
    const data = depth > 8 ? new Uint16Array(width * height) : new Uint8Array(width * height);
    for (let y = 0, from = plane / heap.BYTES_PER_ELEMENT; y < height; y++, from += stride)
      data.set(heap.subarray(from, from + width), y * width);
    return { samples: { data, width, height, max: (1 << depth) - 1 }, incomplete };
  }

  function turnOf(item: number): { count: number; orientation: Orientation } {
    const list = heif._malloc(MAX_LISTED * 4);
    const count = heif._heif_item_get_transformation_properties(context, item, list, MAX_LISTED);
    let orientation: Orientation = 1;
    for (let i = 0; i < Math.min(count, MAX_LISTED); i++) {
      const property = word(list + i * 4);
      const type = heif._heif_item_get_property_type(context, item, property);
      const turn =
        type === fourCc('irot')
          ? QUARTER_TURNS[heif._heif_item_get_property_transform_rotation_ccw(context, item, property)]
          : type === fourCc('imir')
            ? MIRRORS[heif._heif_item_get_property_transform_mirror(context, item, property)]
            : undefined;
      if (turn) orientation = bothTurns(orientation, turn);
    }
    return { count, orientation };
  }

  function readXmp(image: number): string {
    const list = heif._malloc(MAX_LISTED * 4);
    const count = heif._heif_image_handle_get_list_of_metadata_block_IDs(image, 0, list, MAX_LISTED);
    for (let i = 0; i < count; i++) {
      const id = word(list + i * 4);
      const type = cString(heif, heif._heif_image_handle_get_metadata_content_type(image, id));
      const length = heif._heif_image_handle_get_metadata_size(image, id);
      if (type !== 'application/rdf+xml' || length === 0 || length > MAX_DEPTH_METADATA) continue;
      const to = heif._malloc(length);
      heif._heif_image_handle_get_metadata(error, image, id, to);
      if (ok()) return Buffer.from(heif.HEAPU8.subarray(to, to + length)).toString('latin1');
    }
    return '';
  }

  function readIcc(): Uint8Array | null {
    const length = heif._heif_image_handle_get_raw_color_profile_size(handle);
    if (length === 0) return null;
    const profile = heif._malloc(length);
    heif._heif_image_handle_get_raw_color_profile(error, handle, profile);
    return ok() ? heif.HEAPU8.slice(profile, profile + length) : null;
  }

  function readNclx(): Nclx | null {
    heif._heif_image_handle_get_nclx_color_profile(error, handle, out);
    if (!ok()) return null;
    const profile = word(out);
    return { primaries: word(profile + 4), transfer: word(profile + 8) };
  }
}

/** Returns the codec of an item; a grid or an overlay has the codec of its parts. */
function codecOf(heif: Libheif, context: number, item: number): HeifFile['codec'] {
  const types = [heif._heif_item_get_item_type(context, item)];
  const count = Math.min(heif._heif_context_get_number_of_items(context), MAX_ITEMS);
  const list = heif._malloc(count * 4);
  heif._heif_context_get_list_of_item_IDs(context, list, count);
  for (let i = 0; i < count; i++)
    types.push(heif._heif_item_get_item_type(context, heif.HEAPU32[(list >> 2) + i] as number));
  for (const type of types) {
    if (type === fourCc('hvc1')) return 'hevc';
    if (type === fourCc('av01')) return 'av1';
  }
  return 'other';
}

/** Decoded interleaved samples in the module's memory; offset and stride count samples. */
interface Interleaved {
  readonly heap: Uint8Array | Uint16Array;
  readonly plane: number;
  readonly stride: number;
  readonly max: number;
}

function createSamples({ heap }: Interleaved, { width, height }: Size): Uint8Array | Uint16Array {
  const length = width * height * 3;
  return heap.BYTES_PER_ELEMENT === 2 ? new Uint16Array(length) : new Uint8Array(length);
}

function copyArea(from: Interleaved, area: Rect): Uint8Array | Uint16Array {
  const { heap, plane, stride } = from;
  const data = createSamples(from, area);
  for (let y = 0; y < area.height; y++) {
    const start = plane + (area.y + y) * stride + area.x * 3;
    data.set(heap.subarray(start, start + area.width * 3), y * area.width * 3);
  }
  return data;
}

function copyWithAlpha(from: Interleaved, area: Rect): { samples: Samples; alpha: Uint8Array } {
  const { heap, plane, stride, max } = from;
  const { width, height } = area;
  const data = createSamples(from, area);
  const alpha = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    const start = plane + (area.y + y) * stride + area.x * 4;
    for (let x = 0; x < width; x++, to++) {
      for (let c = 0; c < 3; c++) data[to * 3 + c] = heap[start + x * 4 + c] as number;
      alpha[to] = Math.round(((heap[start + x * 4 + 3] as number) * 255) / max);
    }
  }
  return { samples: { data, width, height, max }, alpha };
}

/** Pixels of the overview along each side. */
const OVERVIEW = 128;

function overviewOf({ heap, plane, stride, max }: Interleaved, { width, height }: Size): Uint8Array {
  const out = new Uint8Array(OVERVIEW * OVERVIEW * 4);
  for (let y = 0, to = 0; y < OVERVIEW; y++) {
    const row = plane + Math.floor(((y + 0.5) * height) / OVERVIEW) * stride;
    for (let x = 0; x < OVERVIEW; x++) {
      const at = row + Math.floor(((x + 0.5) * width) / OVERVIEW) * 4;
      for (let c = 0; c < 4; c++) out[to++] = Math.round(((heap[at + c] as number) * 255) / max);
    }
  }
  return out;
}

function fourCc(name: string): number {
  return [...name].reduce((value, letter) => (value << 8) | letter.charCodeAt(0), 0);
}

function cString(heif: Libheif, address: number): string {
  const end = heif.HEAPU8.indexOf(0, address);
  return Buffer.from(heif.HEAPU8.subarray(address, end)).toString('utf8');
}
