import { createRequire } from 'node:module';

/** The part of libheif's C API that is used here; pointers and handles are numbers. */
type Heif = Readonly<Record<`_heif_${string}`, (...args: number[]) => number>> & {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
};

export interface SpatialPhoto {
  readonly primary: number;
  readonly groups: readonly { readonly type: string; readonly members: readonly number[] }[];
  /** The members of the first group. */
  readonly eyes: readonly {
    readonly id: number;
    readonly width: number;
    readonly height: number;
    /** RGB. */
    readonly pixels: Uint8Array;
    /** Focal length in pixels. */
    readonly focal: number;
  }[];
}

const RGB = { colourSpace: 1, chroma: 10, channel: 10 };

/** Reads a HEIC with a group of pictures by libheif alone. */
export function readSpatialPhoto(bytes: Uint8Array): SpatialPhoto {
  const create = createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js') as (of: object) => Heif;
  const heif = create({});
  const word = (at: number) => heif.HEAPU32[at >> 2] as number;
  const [error, out] = [heif._malloc(12), heif._malloc(64)];
  const call = (name: `_heif_${string}`, ...args: number[]): number =>
    (heif[name] as (...args: number[]) => number)(...args);
  const must = (name: `_heif_${string}`, ...args: number[]) => {
    call(name, error, ...args);
    if (word(error) !== 0) throw new Error(`${name}: ${word(error)}`);
    return word(out);
  };
  const memory = heif._malloc(bytes.length);
  heif.HEAPU8.set(bytes, memory);
  const context = call('_heif_context_alloc');
  must('_heif_context_read_from_memory_without_copy', context, memory, bytes.length, 0);
  const primary = must('_heif_context_get_primary_image_ID', context, out);

  // struct heif_entity_group: its id, its type, a pointer to its members, their number.
  const first = call('_heif_context_get_entity_groups', context, 0, 0, out);
  const groups = Array.from({ length: word(out) }, (_, i) => {
    const at = first + 16 * i;
    const members = Array.from({ length: word(at + 12) }, (_, k) => word(word(at + 8) + 4 * k));
    return {
      type: Buffer.from(new Uint32Array([word(at + 4)]).buffer)
        .reverse()
        .toString('latin1'),
      members,
    };
  });
  const eyes = (groups[0]?.members ?? []).map((id) => {
    const handle = must('_heif_context_get_image_handle', context, id, out);
    const width = call('_heif_image_handle_get_width', handle);
    const height = call('_heif_image_handle_get_height', handle);
    // struct heif_camera_intrinsic_matrix begins with the focal length.
    const matrix = heif._malloc(40);
    must('_heif_image_handle_get_camera_intrinsic_matrix', handle, matrix);
    const focal = new DataView(heif.HEAPU8.buffer).getFloat64(matrix, true);
    const image = must('_heif_decode_image', handle, out, RGB.colourSpace, RGB.chroma, 0);
    const plane = call('_heif_image_get_plane_readonly', image, RGB.channel, out);
    const pixels = new Uint8Array(3 * width * height);
    for (let y = 0; y < height; y++) {
      const from = plane + y * word(out);
      pixels.set(heif.HEAPU8.subarray(from, from + 3 * width), 3 * width * y);
    }
    return { id, width, height, pixels, focal };
  });
  return { primary, groups, eyes };
}
