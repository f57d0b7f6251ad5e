import { afterJfif, jpegSegment } from './encode.ts';

/*
 * Multi-picture files (CIPA DC-007) as 3D cameras write them, and stereo JPEGs.
 */

/** TIFF field types. */
const TYPE = { short: 3, long: 4, rational: 5, undefined: 7, srational: 10 } as const;

interface Field {
  readonly tag: number;
  readonly type: keyof typeof TYPE;
  readonly count: number;
  readonly value: Buffer;
}

const shorts = (...values: number[]) => numbers(2, values);
const longs = (...values: number[]) => numbers(4, values);
const text = (value: string) => Buffer.from(value, 'latin1');

function numbers(size: 2 | 4, values: readonly number[]): Buffer {
  const out = Buffer.alloc(size * values.length);
  for (const [i, value] of values.entries()) out.writeUIntLE(value, i * size, size);
  return out;
}

const short = (tag: number, value: number): Field => ({ tag, type: 'short', count: 1, value: shorts(value) });
const long = (tag: number, value: number): Field => ({ tag, type: 'long', count: 1, value: longs(value) });
const raw = (tag: number, value: Buffer): Field => ({ tag, type: 'undefined', count: value.length, value });
const ratio = (tag: number, type: 'rational' | 'srational', over: number, under: number): Field => ({
  tag,
  type,
  count: 1,
  value: longs(over, under),
});

/** Returns the bytes of an IFD, including values that do not fit into its entries. */
function directorySize(fields: readonly Field[]): number {
  const outside = fields.reduce((sum, { value }) => sum + (value.length > 4 ? value.length : 0), 0);
  return 2 + 12 * fields.length + 4 + outside;
}

/**
 * Encodes an IFD.
 * @param at its offset in the TIFF structure
 * @param next offset of the next IFD, 0 for none
 */
function directory(fields: readonly Field[], at: number, next: number): Buffer {
  const out = Buffer.alloc(directorySize(fields));
  let outside = 2 + 12 * fields.length + 4;
  out.writeUInt16LE(fields.length, 0);
  for (const [i, { tag, type, count, value }] of fields.entries()) {
    const entry = 2 + 12 * i;
    out.writeUInt16LE(tag, entry);
    out.writeUInt16LE(TYPE[type], entry + 2);
    out.writeUInt32LE(count, entry + 4);
    if (value.length <= 4) value.copy(out, entry + 8);
    else {
      out.writeUInt32LE(at + outside, entry + 8);
      value.copy(out, outside);
      outside += value.length;
    }
  }
  out.writeUInt32LE(next, 2 + 12 * fields.length);
  return out;
}

/** Little endian, first IFD directly after the header. */
const TIFF_HEADER = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]);

/** Minimal Exif data that camera software requires: orientation, sRGB, dimensions. */
function exifSegment(width: number, height: number): Buffer {
  const details = [
    raw(0x9000, text('0230')),
    raw(0x9101, Buffer.from([1, 2, 3, 0])),
    raw(0xa000, text('0100')),
    short(0xa001, 1),
    long(0xa002, width),
    long(0xa003, height),
  ];
  const main = (pointer: number) => [
    short(0x0112, 1),
    ratio(0x011a, 'rational', 72, 1),
    ratio(0x011b, 'rational', 72, 1),
    short(0x0128, 2),
    short(0x0213, 1),
    long(0x8769, pointer),
  ];
  const second = TIFF_HEADER.length + directorySize(main(0));
  const content = [text('Exif\0\0'), TIFF_HEADER, directory(main(second), 8, 0), directory(details, second, 0)];
  return jpegSegment(0xe1, Buffer.concat(content));
}

/** Eye distance that the pair is made for, in metres, as a fraction. */
const BASELINE = [65, 1000] as const;

/**
 * Returns the attribute fields of one picture of a pair.
 * @param number 1 left, 2 right
 */
function attributes(number: 1 | 2): Field[] {
  return [
    raw(0xb000, text('0100')),
    long(0xb101, number),
    long(0xb204, 1),
    // Parallel cameras: the views are sheared, not rotated.
    ratio(0xb205, 'srational', 0, 1),
    ratio(0xb206, 'rational', ...BASELINE),
  ];
}

/** Type JPEG, multi-frame disparity; the representative picture is the one to show if only one is shown. */
const DISPARITY_IMAGE = 0x02_0002;
const REPRESENTATIVE = 0x2000_0000;

const MP_HEAD = Buffer.concat([text('MPF\0'), TIFF_HEADER]);
const SOI = 2;
/** Bytes from the start of a segment to its byte-order mark: marker, length, `MPF\0`. */
const TO_ENDIAN_MARK = 8;

/**
 * Builds a multi-picture file from two complete JPEGs of the same size, left eye first.
 * @param left JPEG as returned by `encodeJpeg`
 */
export function multiPictureFile(left: Buffer, right: Buffer, size: { width: number; height: number }): Buffer {
  const exif = exifSegment(size.width, size.height);
  const own = directory(attributes(2), 8, 0);
  const second = assemble(right, [exif, jpegSegment(0xe2, Buffer.concat([MP_HEAD, own]))]);
  const index = (firstSize: number, secondOffset: number) => [
    raw(0xb000, text('0100')),
    long(0xb001, 2),
    raw(
      0xb002,
      Buffer.concat([
        longs(REPRESENTATIVE + DISPARITY_IMAGE, firstSize, 0, 0),
        longs(DISPARITY_IMAGE, second.length, secondOffset, 0),
      ]),
    ),
  ];
  const first = (firstSize: number, secondOffset: number) => {
    const fields = index(firstSize, secondOffset);
    const next = 8 + directorySize(fields);
    const content = [MP_HEAD, directory(fields, 8, next), directory(attributes(1), next, 0)];
    return assemble(left, [exif, jpegSegment(0xe2, Buffer.concat(content))]);
  };
  // Sizes and offsets have a fixed length, so a first draft gives the final length.
  const { length } = first(0, 0);
  return Buffer.concat([first(length, length - SOI - exif.length - TO_ENDIAN_MARK), second]);
}

/** Replaces the JFIF segment of a JPEG with other segments: Exif must come first. */
function assemble(jpeg: Buffer, segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, SOI), ...segments, jpeg.subarray(afterJfif(jpeg))]);
}

const LEFT_FIRST = 0b100;
const SIDE_BY_SIDE = 2;
const STEREO = 1;

/** Adds a stereo descriptor to a side-by-side JPEG that says which eye is on the left. */
export function stereoJpegFile(pair: Buffer, leftFirst: boolean): Buffer {
  const comment = text(leftFirst ? 'Left eye on the left (parallel)' : 'Right eye on the left (cross-eyed)');
  const content = Buffer.concat([
    text('_JPSJPS_'),
    Buffer.from([0, 4, 0, leftFirst ? LEFT_FIRST : 0, SIDE_BY_SIDE, STEREO, 0, comment.length]),
    comment,
  ]);
  const at = afterJfif(pair);
  return Buffer.concat([pair.subarray(0, at), jpegSegment(0xe3, content), pair.subarray(at)]);
}
