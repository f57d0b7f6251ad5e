import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '../../engine/src/decode/decoder.ts';
import { correlation } from '../../engine/src/depth/statistics.ts';
import { createEngine } from '../../engine/src/process/engine.ts';
import { writeVideo } from '../../engine/src/testing/videos.ts';
import type { DeviceProfile, OutputFile, Picture, Size } from '../../engine/src/types.ts';
import { readPicture, readSamples } from './stereo-files.ts';

export interface IndexedPair {
  readonly id: string;
  readonly left: string;
  readonly right: string;
  readonly disp: string;
  readonly dispScale: number;
}

export interface PairScores {
  readonly id: string;
  /** Correlation of the depth with the measured disparity: of the pair in order, and with its halves exchanged. */
  readonly inOrder: number;
  readonly exchanged: number;
  /** PSNR in dB of the right eye of a side-by-side file against the photographed one, at the shift that fits best. */
  readonly rightView: number;
  /**
   * The same of a video of the pair, null if it was taken for a squeezed one by its shape; whether its order is found, and
   * that of a video with exchanged halves.
   */
  readonly video: number | null;
  readonly videoInOrder: boolean;
  readonly videoExchanged: boolean;
}

/** A video of a pair: frames, and how it is compressed. */
const VIDEO = { frames: 25, options: { crf: 18 } };

/** Widest shift between the plane of the display in the file and in the photographs, as a share of the width. */
const WIDEST_SHIFT = 0.2;

/** Converts each pair of a folder, in order and with exchanged halves, as files that say nothing about themselves. */
export async function scorePairs(folder: string, onPair: (scores: PairScores) => void): Promise<PairScores[]> {
  const pairs = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexedPair[];
  const work = mkdtempSync(join(tmpdir(), 'framelift-pairs-'));
  const engine = createEngine({ threads: 2 });
  const convert = async (left: Picture, right: Picture, name: string) => {
    const input = join(work, `${name}.png`);
    await besideEachOther(left, right, input);
    const outDir = mkdtempSync(join(work, 'out-'));
    const device = deviceOf(left);
    const formats = ['depth', 'sbs'] as const;
    const { files, depthSource } = await engine.convert({
      kind: 'picture',
      input,
      device,
      effect: 100,
      formats,
      outDir,
      name: 'it',
    });
    const [depth, sbs] = files as [depth: OutputFile, sbs: OutputFile];
    // Depth that was estimated from one view says nothing about the pair.
    return { depth: depthSource === 'embedded' ? (await readSamples(depth.path)).data : new Float32Array(0), sbs };
  };
  const convertVideo = async (left: Picture, right: Picture) => {
    const file = join(work, 'pair.png');
    await besideEachOther(left, right, file);
    const { data, width, height } = await readPicture(file);
    const input = join(work, 'pair.mp4');
    await writeVideo(input, {
      width,
      height: height & ~1,
      draw: () => data.subarray(0, 3 * width * (height & ~1)),
      ...VIDEO,
    });
    const [outDir, workDir] = [mkdtempSync(join(work, 'out-')), mkdtempSync(join(work, 'work-'))];
    const fixed = { kind: 'video', effect: 100, tier: 'fast', format: 'sbs', name: 'it' } as const;
    const made = await engine.convert({ ...fixed, input, device: deviceOf(left), outDir, workDir });
    const still = join(work, 'still.png');
    await engine.videoStill({ path: made.file.path, pair: 'flat', seconds: 0.5, outPath: still });
    return { layout: made.pair, still, isStretched: made.source.width > left.width };
  };
  try {
    const scores: PairScores[] = [];
    for (const { id, left: leftFile, right: rightFile, disp, dispScale } of pairs) {
      const [left, right] = await Promise.all([
        readPicture(join(folder, leftFile)),
        readPicture(join(folder, rightFile)),
      ]);
      const truth = (await readSamples(join(folder, disp))).data.map((value) => value * dispScale);
      const { depth, sbs } = await convert(left, right, 'pair');
      const { depth: exchanged } = await convert(right, left, 'other');
      const { layout, still, isStretched } = await convertVideo(left, right);
      const made = {
        id,
        inOrder: likeness(depth, truth),
        exchanged: likeness(exchanged, truth),
        rightView: bestLikeness(await rightHalf(sbs.path), right),
        video: isStretched ? null : likenessOfVideo(await rightHalf(still), right),
        videoInOrder: layout === 'leftRight',
        videoExchanged: (await convertVideo(right, left)).layout === 'rightLeft',
      };
      scores.push(made);
      onPair(made);
    }
    return scores;
  } finally {
    await engine.close();
    rmSync(work, { recursive: true });
  }
}

/** A display of the shape of one eye, so that nothing is cropped from a recognised pair. */
function deviceOf({ width, height }: Picture): DeviceProfile {
  return {
    slug: 'pair',
    name: 'Pair',
    ratio: [width, height],
    resolution: { width, height },
    format: 'sbs',
    disparityBudget: 3,
  };
}

export async function besideEachOther(left: Picture, right: Picture, path: string): Promise<void> {
  const { width, height } = left;
  const raw = (picture: Picture) => ({ raw: { width: picture.width, height: picture.height, channels: 3 as const } });
  await sharp({ create: { width: 2 * width, height, channels: 3, background: 'black' } })
    .composite([
      { input: Buffer.from(left.data), ...raw(left), left: 0, top: 0 },
      { input: Buffer.from(right.data), ...raw(right), left: width, top: 0 },
    ])
    .png()
    .toFile(path);
}

function likenessOfVideo(made: Picture, right: Picture): number {
  return bestLikeness(made, evenPart(right, made));
}

/** Returns the top left part of a picture: a video has even sides. */
function evenPart({ data, width }: Picture, size: Size): Picture {
  const out = new Uint8Array(3 * size.width * size.height);
  for (let y = 0; y < size.height; y++)
    out.set(data.subarray(3 * y * width, 3 * (y * width + size.width)), 3 * y * size.width);
  return { data: out, width: size.width, height: size.height };
}

async function rightHalf(path: string): Promise<Picture> {
  const { data, width, height } = await readPicture(path);
  const half = width / 2;
  const out = new Uint8Array(3 * half * height);
  for (let y = 0; y < height; y++) out.set(data.subarray(3 * (y * width + half), 3 * (y + 1) * width), 3 * y * half);
  return { data: out, width: half, height };
}

/** Returns the correlation where the truth is known; 0 when the sizes differ, as of a pair that was not recognised. */
function likeness(depth: Float32Array, truth: Float32Array): number {
  const isKnown = (_: number, i: number) => (truth[i] as number) > 0;
  return depth.length === truth.length ? correlation(depth.filter(isKnown), truth.filter(isKnown)) : 0;
}

function bestLikeness(made: Picture, wanted: Picture): number {
  if (made.width !== wanted.width || made.height !== wanted.height) return 0;
  const widest = Math.round(made.width * WIDEST_SHIFT);
  let best = 0;
  for (let shift = -widest; shift <= widest; shift++) best = Math.max(best, psnr(made, wanted, shift));
  return best;
}

/** PSNR where both overlap when `made` is moved right by `shift` pixels; rows are sampled. */
function psnr(made: Picture, wanted: Picture, shift: number): number {
  const { width, height } = made;
  let [error, n] = [0, 0];
  for (let y = 0; y < height; y += 2) {
    for (let x = Math.max(0, shift); x < Math.min(width, width + shift); x++) {
      const [at, from] = [3 * (y * width + x), 3 * (y * width + x - shift)];
      for (let c = 0; c < 3; c++, n++)
        error += ((made.data[from + c] as number) - (wanted.data[at + c] as number)) ** 2;
    }
  }
  return 10 * Math.log10(65_025 / Math.max(0.01, error / n));
}
