import { focalLength } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import { encodeHevcStill, type HevcStill } from './hevc-still.ts';
import { box, fullBox, u16, u32 } from './iso-boxes.ts';
import { PICTURE_601, toYuv } from './yuv.ts';

/*
 * Spatial photos: a HEIC (ISO/IEC 23008-12) of two pictures and a group that says which eye each belongs to. Types and
 * values of the camera's properties are those that Apple Vision Pro writes; they have the layout of the standard's
 * `cmin` and `cmex`.
 */

const INTRINSICS = '22cc04c7d6d94e079d904eb6ecbaf3a3';
const EXTRINSICS = '4363e9145b7d4aab97aebea69803b434';
const DISPARITY = 'de22508536cb436587432f8705e7c78a';

/** Distance of the eyes in micrometres, the same as in MPO files. */
const BASELINE_UM = 65_000;
/** Fixed point of the intrinsics: values are multiplied by 2 to this power. */
const SHIFT = 30;

const QUALITY = { preset: 'veryfast', crf: 18 } as const;

const ITEMS = { left: 1, right: 2 } as const;
const GROUP = 3;

/**
 * Returns the bytes of a spatial photo.
 * @param left RGB bytes of the left eye
 * @param size of each eye, even
 */
export async function spatialPhotoFile(left: Uint8Array, right: Uint8Array, size: Size): Promise<Buffer> {
  const eyes: HevcStill[] = [];
  for (const eye of [left, right]) eyes.push(await encodeHevcStill(planesOf(eye, size), size, QUALITY));

  const properties = [
    fullBox('ispe', 0, u32(size.width, size.height)),
    fullBox('pixi', 0, Buffer.from([3, 8, 8, 8])),
    // BT.709 primaries, sRGB transfer, BT.601 matrix, full range.
    box('colr', Buffer.from('nclx'), u16(1, 13, 6), Buffer.from([0x80])),
    intrinsics(size),
    // What is in the plane of the display lies there without a shift.
    own(DISPARITY, u32(0)),
  ];
  const shared = properties.map((_, i) => i + 1);
  const links = eyes.map(({ record }, i) => {
    const codec = properties.push(box('hvcC', record));
    // The second camera stands to the right of the first one.
    const place = properties.push(i === 0 ? own(EXTRINSICS, u32(0)) : own(EXTRINSICS, u32(1, BASELINE_UM)));
    const indices = [...shared, 0x80 | codec, place];
    return Buffer.concat([u16(i + 1), Buffer.from([indices.length, ...indices])]);
  });

  const metaAt = (first: number) => {
    let at = first;
    const places = eyes.map(({ samples }, i) => {
      const entry = Buffer.concat([u16(i + 1, 0, 1), u32(at, samples.length)]);
      at += samples.length;
      return entry;
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(ITEMS.left)),
      fullBox(
        'iinf',
        0,
        u16(eyes.length),
        ...eyes.map((_, i) => fullBox('infe', 2 << 24, u16(i + 1, 0), text('hvc1\0'))),
      ),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, u32(links.length), ...links)),
      box('grpl', fullBox('ster', 0, u32(GROUP, eyes.length, ITEMS.left, ITEMS.right))),
      fullBox('iloc', 0, Buffer.from([0x44, 0]), u16(places.length), ...places),
    );
  };
  const head = box('ftyp', text('heic\0\0\0\0mif1heic'));
  const first = head.length + metaAt(0).length + 8;
  return Buffer.concat([head, metaAt(first), box('mdat', ...eyes.map(({ samples }) => samples))]);
}

/** Focal length and principal point as shares of the width. */
function intrinsics(size: Size): Buffer {
  const focal = focalLength(size) / size.width;
  // A narrow upright picture exceeds 2, the largest value that fits with this shift.
  const shift = focal < 2 ? SHIFT : SHIFT - 4;
  const fixed = (value: number) => Math.round(value * 2 ** shift);
  return own(INTRINSICS, u32(shift << 8, fixed(focal), fixed(0.5), fixed(0.5)));
}

function own(uuid: string, content: Buffer): Buffer {
  return box('uuid', Buffer.from(uuid, 'hex'), content);
}

function text(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}

function planesOf(rgb: Uint8Array, size: Size): Uint8Array {
  const luma = size.width * size.height;
  const planes = new Uint8Array((luma * 3) / 2);
  const parts = [planes.subarray(0, luma), planes.subarray(luma, (luma * 5) / 4), planes.subarray((luma * 5) / 4)];
  toYuv(rgb, size, PICTURE_601, parts, [size.width, size.width / 2, size.width / 2]);
  return planes;
}
