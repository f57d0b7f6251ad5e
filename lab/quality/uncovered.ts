import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmbeddedDepth } from '../../engine/src/decode/embedded/index.ts';
import { openHeader, openPicture } from '../../engine/src/decode/open.ts';
import { leftEyeHeader } from '../../engine/src/decode/stereo/find-pair.ts';
import { sharedBytes } from '../../engine/src/depth/layers/layers.ts';
import { depthRange } from '../../engine/src/depth/layers/range.ts';
import { createStack } from '../../engine/src/depth/layers/stack.ts';
import { pairPlaces } from '../../engine/src/formats/pair-places.ts';
import { drawViews } from '../../engine/src/render/draw.ts';
import { createPool } from '../../engine/src/render/pool.ts';
import type { Picture } from '../../engine/src/types.ts';
import { jumps } from './flicker.ts';
import { besideEachOther, type IndexedPair } from './pairs.ts';
import { readPicture, readSamples } from './stereo-files.ts';

/** Figures of the views that are drawn from the left eye alone, and with the right one. */
type Both = readonly [alone: number, both: number];

export interface UncoveredScores {
  readonly id: string;
  /** PSNR in dB of the view from the right eye's place against the right photograph: all, and what the left eye does not see. */
  readonly all: Both;
  readonly uncovered: Both;
  /**
   * The same of the view halfway, against the right photograph moved by the true disparity of what is behind; NaN where
   * too little is uncovered.
   */
  readonly between: Both;
  /** Mean second difference between neighbouring views where something is filled in. */
  readonly flicker: Both;
  /** The same where nothing is filled in: mere motion also changes pixels. */
  readonly motion: Both;
}

/** Neighbouring views from the left to the right eye; the first and last are the eyes. */
const VIEWS = 25;
const HALF = (VIEWS - 1) / 2;
/** Fewer uncovered pixels are no measure. */
const LEAST = 100;
/** Pixels by which a gap may be wider or narrower than the step of the disparity beside it. */
const SLACK = 2;

/** Draws views between and at the eyes of each pair of a folder. */
export async function scoreUncovered(
  folder: string,
  onPair: (scores: UncoveredScores) => void,
): Promise<UncoveredScores[]> {
  const pairs = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexedPair[];
  const work = mkdtempSync(join(tmpdir(), 'framelift-uncovered-'));
  const pool = createPool(0);
  try {
    const scores: UncoveredScores[] = [];
    for (const { id, left: leftFile, right: rightFile, disp, dispScale } of pairs) {
      const [left, right] = await Promise.all([leftFile, rightFile].map((name) => readPicture(join(folder, name))));
      if (!left || !right) continue;
      const truth = (await readSamples(join(folder, disp))).data.map((value) => value * dispScale);
      const file = join(work, 'pair.png');
      await besideEachOther(left, right, file);
      const { views, far } = await drawn(file, right);
      const gaps = views[0].map((_, view) => gapsOf(truth, left, view / (VIEWS - 1)));
      const moved = Math.round(-far);
      const score = (view: number, wanted: Picture, mask: Uint8Array | null, shift: number) =>
        views.map((set) => psnr(set[view] as Picture, wanted, mask, shift)) as unknown as Both;
      const halfway = photographed(right, truth, gaps[HALF] as Uint8Array);
      const made = {
        id,
        all: score(VIEWS - 1, right, null, moved),
        uncovered: score(VIEWS - 1, right, gaps.at(-1) as Uint8Array, moved),
        between: score(HALF, halfway.picture, halfway.known, Math.round(moved / 2)),
        flicker: views.map((set) => jumps(set, gaps, 3)) as unknown as Both,
        motion: views.map((set) => jumps(set, gaps, 0)) as unknown as Both,
      };
      scores.push(made);
      onPair(made);
    }
    return scores;
  } finally {
    await pool.close();
    rmSync(work, { recursive: true });
  }

  /** Returns the views of both kinds, and the disparity in pixels of the farthest, which has none in the views. */
  async function drawn(file: string, right: Picture): Promise<{ views: [Picture[], Picture[]]; far: number }> {
    const whole = await openPicture(file);
    const places = pairPlaces(whole.header.whole, 'leftRight', false);
    if (!places) throw new Error(`${file} is no pair`);
    const opened = openHeader(whole.bytes, leftEyeHeader(whole.header, places));
    const crop = { x: 0, y: 0, ...opened.size };
    const picture = await opened.cut(crop);
    const measured = await findEmbeddedDepth(opened.bytes, opened.header);
    const [map, ofMap] = [measured?.cut(crop), measured?.disparity(crop)];
    const range = map && depthRange(map);
    if (!map || !ofMap || !range) throw new Error(`${file} has no depth`);
    const at = (value: number) => ofMap.far + value * (ofMap.near - ofMap.far);
    const eye = { picture: right, far: at(range.low), near: at(range.high) };
    const { width, height } = picture;
    const draw = async (rightEye?: typeof eye) => {
      const stack = createStack(picture, map, pool, undefined, rightEye);
      const packed = sharedBytes(3 * width * height * VIEWS);
      const reach = (eye.near - eye.far) * width;
      drawViews(
        {
          kind: 'views',
          layer: await stack.layer(picture),
          background: await stack.background(picture),
          convergence: 0,
          reaches: Float32Array.from({ length: VIEWS }, (_, view) => (-view / (VIEWS - 1)) * reach),
          corners: Int32Array.from({ length: 2 * VIEWS }, (_, i) => (i % 2 ? height * (i >> 1) : 0)),
          inset: 0,
          fade: 0,
          packed,
          packedWidth: width,
        },
        0,
        height,
      );
      const bytes = 3 * width * height;
      return Array.from({ length: VIEWS }, (_, i) => ({
        data: packed.subarray(i * bytes, (i + 1) * bytes),
        width,
        height,
      }));
    };
    return { views: [await draw(), await draw(eye)], far: eye.far * width };
  }
}

/**
 * Marks what is uncovered in the view at `place` between the eyes: gaps between pixels of known disparity that are as wide
 * as the step between them.
 */
function gapsOf(disparity: Float32Array, { width, height }: Picture, place: number): Uint8Array {
  const gaps = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const nearest = nearestOf(disparity.subarray(y * width, (y + 1) * width), place);
    for (let x = 1; x < width; ) {
      if ((nearest[x] as number) > 0) {
        x++;
        continue;
      }
      let end = x;
      while (end < width && nearest[end] === 0) end++;
      const step = place * ((nearest[x - 1] as number) - (nearest[end] ?? 0));
      const isKnown = end < width && (nearest[x - 1] as number) > 0;
      if (isKnown && end - x >= 2 && Math.abs(end - x - step) <= SLACK + 0.2 * (end - x))
        gaps.fill(1, y * width + x, y * width + end);
      x = end;
    }
  }
  return gaps;
}

/** Returns the nearest disparity at each pixel of a row of the view at `place`; 0 where there is none. */
function nearestOf(row: Float32Array, place: number): Float32Array {
  const nearest = new Float32Array(row.length);
  for (let x = 0; x < row.length; x++) {
    const value = row[x] as number;
    const to = x - place * value;
    if (value > 0)
      for (const i of [Math.floor(to), Math.ceil(to)])
        if (i >= 0 && i < row.length) nearest[i] = Math.max(nearest[i] as number, value);
  }
  return nearest;
}

/** Returns what the right photograph shows in the gaps of the view halfway, at the disparity of the ground beside them. */
function photographed(right: Picture, disparity: Float32Array, gaps: Uint8Array) {
  const { width, height } = right;
  const picture = { data: new Uint8Array(right.data.length), width, height };
  const known = new Uint8Array(gaps.length);
  for (let y = 0; y < height; y++) {
    const nearest = nearestOf(disparity.subarray(y * width, (y + 1) * width), 0.5);
    let ground = 0;
    for (let x = width - 1; x >= 0; x--) {
      const at = y * width + x;
      if (gaps[at] === 0) {
        ground = nearest[x] as number;
        continue;
      }
      const column = Math.round(x - ground / 2);
      if (ground === 0 || column < 0) continue;
      known[at] = 1;
      const from = 3 * (y * width + column);
      picture.data.set(right.data.subarray(from, from + 3), 3 * at);
    }
  }
  return { picture, known };
}

/** PSNR where `mask` is set, when `made` is moved right by `shift` pixels. */
function psnr(made: Picture, wanted: Picture, mask: Uint8Array | null, shift: number): number {
  const { width, height } = made;
  let [error, n] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = Math.max(0, shift); x < Math.min(width, width + shift); x++) {
      const at = y * width + x;
      if (mask?.[at] === 0) continue;
      for (let c = 0; c < 3; c++, n++)
        error += ((made.data[3 * (at - shift) + c] as number) - (wanted.data[3 * at + c] as number)) ** 2;
    }
  }
  return n < 3 * LEAST ? Number.NaN : 10 * Math.log10(65_025 / Math.max(0.01, error / n));
}
