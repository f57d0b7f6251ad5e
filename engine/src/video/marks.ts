import { open } from 'node:fs/promises';
import { box, boxesIn, fullBox, type Place, u32 } from '../encode/iso-boxes.ts';
import { writeAtomically } from '../encode/write-atomically.ts';
import { focalLength } from '../geometry/index.ts';
import type { Size } from '../types.ts';

/** Bytes of a table before its entries, and of a visual sample entry before its boxes (ISO/IEC 14496-12). */
const ENTRIES = 8;
const VISUAL_ENTRY = 78;

const COPIED_AT_ONCE = 1_048_576;

/** As in spatial photos: the cameras are unknown. */
const BASELINE_UM = 65_000;

/** Values of Apple's Video Extended Usage boxes: both eyes are there, the left one is shown where only one can be. */
const BOTH_EYES = 0b11;
const LEFT_EYE = 1;

/**
 * Returns the boxes that make a full side-by-side video spatial: where the eyes are, and the camera.
 * @param eye size of one eye
 */
export function spatialMarks(eye: Size): Buffer {
  const across = 2 * Math.atan(eye.width / 2 / focalLength(eye));
  const eyes = box(
    'eyes',
    fullBox('stri', 0, Buffer.from([BOTH_EYES])),
    fullBox('hero', 0, Buffer.from([LEFT_EYE])),
    box('cams', fullBox('blin', 0, u32(BASELINE_UM))),
    box('cmfy', fullBox('dadj', 0, u32(0))),
  );
  const packing = box('pack', fullBox('pkin', 0, Buffer.from('side')));
  const thousandths = Math.round((across * 180_000) / Math.PI);
  return Buffer.concat([box('vexu', eyes, packing), box('hfov', u32(thousandths))]);
}

/** Layout of `st3d`: the left eye is on the left. */
const LEFT_RIGHT = 2;
/** Share of the sphere that is cut off at its left, and at its right: of 0xffff_ffff, as in files that YouTube takes. */
const QUARTER = 0x3fff_ffff;

/** Returns the boxes of a VR180 video: two half spheres side by side (Spherical Video V2). */
export function halfSphereMarks(): Buffer {
  const projection = box('proj', fullBox('prhd', 0, u32(0, 0, 0)), fullBox('equi', 0, u32(0, 0, QUARTER, QUARTER)));
  const source = fullBox('svhd', 0, Buffer.from('Framelift\0'));
  return Buffer.concat([fullBox('st3d', 0, Buffer.from([LEFT_RIGHT])), box('sv3d', source, projection)]);
}

/**
 * Adds boxes to the description of the pictures of an MP4 whose index comes first. The file is written anew, because
 * everything behind the index moves.
 */
export function markPictures(path: string, marks: Buffer): Promise<void> {
  return writeAtomically(path, (part) => copyMarked(path, part, marks));
}

async function copyMarked(path: string, marked: string, marks: Buffer): Promise<void> {
  const file = await open(path);
  const out = await open(marked, 'w');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    for (;;) {
      await file.read(head, 0, 16, at);
      const length = head.readUInt32BE(0);
      if (length < 8 || at + length > size) throw new Error('the index is not at the beginning of the MP4');
      const whole = Buffer.alloc(length);
      await file.read(whole, 0, length, at);
      at += length;
      const isIndex = whole.toString('latin1', 4, 8) === 'moov';
      await out.writeFile(isIndex ? withMarks(whole, marks) : whole);
      if (isIndex) break;
    }
    const rest = Buffer.alloc(COPIED_AT_ONCE);
    for (;;) {
      const { bytesRead } = await file.read(rest, 0, rest.length, at);
      if (bytesRead === 0) break;
      await out.writeFile(rest.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await Promise.all([file.close(), out.close()]);
  }
}

/** Returns the index with marks at the end of the first sample entry of the first track, all offsets moved. */
function withMarks(index: Buffer, marks: Buffer): Buffer {
  const [moov] = boxesIn(index) as [Place];
  const inside = (parent: Place, type: string, skipped = 0) => {
    const found = boxesIn(index, parent.from + skipped, parent.to).find((one) => one.type === type);
    if (!found) throw new Error(`an MP4 without ${type}`);
    return found;
  };
  const tableOf = (track: Place) => inside(inside(inside(track, 'mdia'), 'minf'), 'stbl');
  const tracks = boxesIn(index, moov.from, moov.to).filter(({ type }) => type === 'trak');
  const [first] = tracks;
  if (!first) throw new Error('an MP4 without tracks');
  const table = tableOf(first);
  const descriptions = inside(table, 'stsd');
  const [entry] = boxesIn(index, descriptions.from + ENTRIES, descriptions.to);
  if (!entry || entry.to - entry.from < VISUAL_ENTRY) throw new Error('an MP4 without pictures');

  const moved = Buffer.from(index);
  const media = inside(first, 'mdia');
  for (const { at } of [moov, first, media, inside(media, 'minf'), table, descriptions, entry])
    moved.writeUInt32BE(moved.readUInt32BE(at) + marks.length, at);
  for (const track of tracks) {
    for (const { type, from, to } of boxesIn(index, tableOf(track).from, tableOf(track).to)) {
      if (type === 'stco')
        for (let at = from + ENTRIES; at < to; at += 4) moved.writeUInt32BE(moved.readUInt32BE(at) + marks.length, at);
      if (type === 'co64')
        for (let at = from + ENTRIES; at < to; at += 8)
          moved.writeBigUInt64BE(moved.readBigUInt64BE(at) + BigInt(marks.length), at);
    }
  }
  return Buffer.concat([moved.subarray(0, entry.to), marks, moved.subarray(entry.to)]);
}
