import type { Plane } from '../depth/plane.ts';
import type { Picture } from '../types.ts';
import { draw, encoder } from './pictures.ts';

/** Samples a function of position; `u` and `v` are fractions of width and height, values are 0 … 1. */
export function plane(width: number, height: number, value: (u: number, v: number) => number): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) data[i] = value((x + 0.5) / width, (y + 0.5) / height);
  return { data, width, height };
}

/** Converts samples to a grey picture. */
export function greyPicture({ data, width, height }: Plane): Picture {
  return draw(width, height, (x, y) => {
    const grey = Math.round((data[y * width + x] as number) * 255);
    return [grey, grey, grey];
  });
}

export function greyJpeg(grey: Plane): Promise<Buffer> {
  return encoder(greyPicture(grey)).jpeg({ quality: 95 }).toBuffer();
}

/** Builds a JPEG segment with marker and length. */
export function segment(marker: number, ...body: (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(body.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

export function withSegments(jpeg: Buffer, segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

export function xmpSegment(description: string, content = ''): Buffer {
  return segment(
    0xe1,
    'http://ns.adobe.com/xap/1.0/\0',
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
      `<rdf:Description rdf:about="" ${description}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  );
}

export const GUID = '0123456789ABCDEF0123456789ABCDEF';
const GDEPTH = 'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"';
const NOTE = 'xmlns:xmpNote="http://ns.adobe.com/xmp/note/"';

/** Splits an extended XMP into JPEG segments, in order. */
export function extendedXmp(text: string, partBytes = 60_000, guid = GUID): Buffer[] {
  const whole = Buffer.from(text, 'latin1');
  return Array.from({ length: Math.ceil(whole.length / partBytes) }, (_, i) => {
    const place = Buffer.alloc(8);
    place.writeUInt32BE(whole.length, 0);
    place.writeUInt32BE(i * partBytes, 4);
    const part = whole.subarray(i * partBytes, (i + 1) * partBytes);
    return segment(0xe1, `http://ns.adobe.com/xmp/extension/\0${guid}`, place, part);
  });
}

/** Builds a photo with "GDepth"; `map` is the encoded depth picture, 0 near. */
export function gdepthPhoto(
  jpeg: Buffer,
  map: Buffer,
  { format = 'RangeInverse', near = 0.5, far = 8 } = {},
  order: (parts: Buffer[]) => Buffer[] = (parts) => parts,
): Buffer {
  const facts = `GDepth:Format="${format}" GDepth:Near="${near}" GDepth:Far="${far}" GDepth:Mime="image/png"`;
  const standard = xmpSegment(`${GDEPTH} ${NOTE} ${facts} xmpNote:HasExtendedXMP="${GUID}"`);
  const extension = `<x:xmpmeta><rdf:Description ${GDEPTH} GDepth:Data="${map.toString('base64')}"/></x:xmpmeta>`;
  return withSegments(jpeg, [standard, ...order(extendedXmp(extension, 5000))]);
}

export interface DirectoryItem {
  readonly semantic: string;
  readonly mime: string;
  readonly bytes: Buffer;
  /** Length stated in the directory; that of `bytes` by default. */
  readonly length?: number;
}

/** Builds a photo with "Dynamic Depth": a directory of the items appended to the photo. */
export function dynamicDepthPhoto(jpeg: Buffer, items: readonly DirectoryItem[], padding = 0): Buffer {
  const entry = (semantic: string, mime: string, length: number, more = '') =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="${mime}" ` +
    `Item:Length="${length}"${more}/></rdf:li>`;
  const list = [
    entry('Primary', 'image/jpeg', 0, ` Item:Padding="${padding}"`),
    ...items.map(({ semantic, mime, bytes, length }) => entry(semantic, mime, length ?? bytes.length)),
  ];
  const xmp = xmpSegment(
    'xmlns:Container="http://ns.google.com/photos/1.0/container/" ' +
      'xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ' +
      'xmlns:DepthMap="http://ns.google.com/photos/dd/1.0/depthmap/" ' +
      'DepthMap:Format="RangeInverse" DepthMap:Near="0.4" DepthMap:Far="9"',
    `<Container:Directory><rdf:Seq>${list.join('')}</rdf:Seq></Container:Directory>`,
  );
  return Buffer.concat([withSegments(jpeg, [xmp]), Buffer.alloc(padding), ...items.map(({ bytes }) => bytes)]);
}

/** Builds a multi-picture file from JPEGs and their types (CIPA DC-007), little endian. */
export function multiPicture(pictures: readonly { readonly jpeg: Buffer; readonly type: number }[]): Buffer {
  const count = pictures.length;
  const index = Buffer.alloc(8 + 2 + 3 * 12 + 4 + 16 * count);
  index.write('II*\0', 0, 'latin1');
  index.writeUInt32LE(8, 4);
  index.writeUInt16LE(3, 8);
  const field = (i: number, tag: number, type: number, length: number, value: number) => {
    const at = 10 + i * 12;
    index.writeUInt16LE(tag, at);
    index.writeUInt16LE(type, at + 2);
    index.writeUInt32LE(length, at + 4);
    index.writeUInt32LE(value, at + 8);
  };
  field(0, 0xb000, 7, 4, 0x30303130);
  field(1, 0xb001, 4, 1, count);
  field(2, 0xb002, 7, 16 * count, 8 + 2 + 3 * 12 + 4);
  const first = withSegments(pictures[0]?.jpeg as Buffer, [segment(0xe2, 'MPF\0', index)]);
  const base = 2 + 4 + 4;
  let at = first.length;
  for (const [i, { jpeg, type }] of pictures.entries()) {
    const entry = base + 8 + 2 + 3 * 12 + 4 + i * 16;
    first.writeUInt32LE(i === 0 ? 0x20000000 + type : type, entry);
    first.writeUInt32LE(i === 0 ? first.length : jpeg.length, entry + 4);
    first.writeUInt32LE(i === 0 ? 0 : at - base, entry + 8);
    if (i > 0) at += jpeg.length;
  }
  return Buffer.concat([first, ...pictures.slice(1).map(({ jpeg }) => jpeg)]);
}

/** Builds a stereo JPEG. Flags: 1 half height, 2 half width, 4 left first; layout: 2 side by side, 3 over-under. */
export function stereoJpegFile(jpeg: Buffer, flags: number, layout = 2): Buffer {
  return withSegments(jpeg, [segment(0xe3, '_JPSJPS_', Buffer.from([0, 4, 0, flags, layout, 1, 0, 0]))]);
}

/** Places two pictures of equal height side by side. */
export function beside(left: Picture, right: Picture): Picture {
  return draw(left.width + right.width, left.height, (x, y) => {
    const [picture, column] = x < left.width ? [left, x] : [right, x - left.width];
    const i = (y * picture.width + column) * 3;
    return [picture.data[i] as number, picture.data[i + 1] as number, picture.data[i + 2] as number];
  });
}

/** Puts two pictures of equal size one above the other. */
export function above(upper: Picture, lower: Picture): Picture {
  return { data: Buffer.concat([upper.data, lower.data]), width: upper.width, height: upper.height + lower.height };
}

export interface StereoScene {
  readonly left: Picture;
  readonly right: Picture;
  /** Ground-truth disparity at a pixel of the left eye. */
  disparity(x: number, y: number): number;
}

/**
 * Draws both eyes of a patterned ground with a patterned near square left of the middle, without noise or lens
 * distortion.
 *
 * @param far, near disparities of ground and square in pixels, possibly fractional; negative is behind the frame
 */
export function stereoScene(width: number, height: number, far: number, near: number): StereoScene {
  const inSquare = (x: number, y: number) => Math.abs(x / width - 0.45) < 0.2 && Math.abs(y / height - 0.5) < 0.25;
  const scene = (x: number, y: number, eye: 0 | 1): [number, number, number] => {
    const square = inSquare(x + eye * near, y);
    const column = x + eye * (square ? near : far);
    const grain = pattern(column, y, square ? 7 : 0);
    return square ? [90 + grain, 60 + grain, 40 + grain / 2] : [30 + grain / 2, 50 + grain, 60 + grain];
  };
  return {
    left: draw(width, height, (x, y) => scene(x, y, 0)),
    right: draw(width, height, (x, y) => scene(x, y, 1)),
    disparity: (x, y) => (inSquare(x, y) ? near : far),
  };
}

/**
 * Draws both eyes of a lawn under a far wall, with three things that stand on it: near at the bottom, as in photographs.
 *
 * @param offset added to all disparities: 0 has everything in front of the display, as parallel cameras see it
 */
export function standingScene(width: number, height: number, offset = 0): StereoScene {
  const deep = 0.06 * width;
  const ground = (y: number) => offset + 2 + deep * Math.max(0, y / height - 0.35);
  const things = [
    { from: 0.12, to: 0.3, top: 0.3, foot: 0.62, colour: [150, 60, 40] },
    { from: 0.42, to: 0.55, top: 0.15, foot: 0.8, colour: [190, 170, 60] },
    { from: 0.68, to: 0.86, top: 0.4, foot: 0.95, colour: [50, 70, 140] },
  ].map((thing) => ({ ...thing, disparity: ground(thing.foot * height) }));
  const thingAt = (x: number, y: number, eye: 0 | 1) =>
    things.findLast(({ from, to, top, foot, disparity }) => {
      const u = (x + eye * disparity) / width;
      return u > from && u < to && y / height > top && y / height < foot;
    });
  const scene = (x: number, y: number, eye: 0 | 1): [number, number, number] => {
    const thing = thingAt(x, y, eye);
    const column = x + eye * (thing?.disparity ?? ground(y));
    const grain = pattern(column, y, thing ? things.indexOf(thing) + 3 : 0) - 70;
    const [r, g, b] = thing?.colour ?? (y / height < 0.35 ? [150, 170, 190] : [60, 110, 50]);
    return [r as number, g as number, b as number].map((value) => Math.min(255, Math.max(0, value + 0.5 * grain))) as [
      number,
      number,
      number,
    ];
  };
  return {
    left: draw(width, height, (x, y) => scene(x, y, 0)),
    right: draw(width, height, (x, y) => scene(x, y, 1)),
    disparity: (x, y) => thingAt(x, y, 0)?.disparity ?? ground(y),
  };
}

/** Smooth noise, 0 … 140, without repetition. */
function pattern(x: number, y: number, seed: number): number {
  return 45 * noise(x / 3, y / 3, seed) + 45 * noise(x / 9, y / 9, seed + 1) + 50 * noise(x / 31, y / 31, seed + 2);
}

function noise(x: number, y: number, seed: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - column, y - row];
  const upper = hash(column, row, seed) * (1 - u) + hash(column + 1, row, seed) * u;
  const lower = hash(column, row + 1, seed) * (1 - u) + hash(column + 1, row + 1, seed) * u;
  return upper * (1 - v) + lower * v;
}

function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ Math.imul(seed + 1, 1_274_126_177);
  h = Math.imul(h ^ (h >>> 13), 1_103_515_245);
  return ((h ^ (h >>> 16)) >>> 0) / 4_294_967_296;
}
