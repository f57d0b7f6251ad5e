/** Evaluates depth estimators on the photographs with measured depth next to the checkout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharp } from '../../engine/src/decode/decoder.ts';
import { openPicture } from '../../engine/src/decode/open.ts';
import type { BasicDepth } from '../../engine/src/depth/index.ts';
import type { Plane } from '../../engine/src/depth/plane.ts';
import { type DepthScore, scoreDepth } from './depth-score.ts';

/**
 * Groups of kinds. Scenes of a kind resemble each other: groups count equally, kinds in a group by the square root of
 * their number of scenes.
 */
const GROUPS: Readonly<Record<string, string>> = {
  middlebury: 'objects measured by structured light',
  hci: 'objects measured by structured light',
  middlebury2021: 'rooms by structured light',
  nyu: 'rooms',
  kinect2: 'rooms',
  tum: 'rooms',
  '7scenes': 'rooms',
  '3dmatch': 'rooms',
  aims: 'rooms',
  'rgbd-room': 'rooms',
  apc: 'things',
  grasp: 'things',
  lensblur: 'things',
  kitti: 'outdoors',
  field: 'outdoors',
};
const AFFINE = ['lensblur', 'field', 'hci'];

export interface EvaluationPicture {
  readonly id: string;
  readonly kind: string;
  readonly picture: string;
  readonly truth: string;
}

export function evaluationPictures(folder: string): EvaluationPicture[] {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
    id: string;
    kind: string;
    rgb: string;
    inv: string;
  }[];
  return index.map(({ id, kind, rgb, inv }) => ({ id, kind, picture: join(folder, rgb), truth: join(folder, inv) }));
}

export interface MeanScore {
  readonly ordinal: number;
  readonly absRel: number;
  readonly delta1: number;
}

export type Estimate = (picture: EvaluationPicture) => Promise<Plane>;

/** Near at the bottom, far at the top: the prior of most photographs, as a baseline. */
export const verticalRamp: Estimate = async () => ({
  data: Float32Array.from({ length: 64 * 64 }, (_, i) => Math.floor(i / 64) / 63),
  width: 64,
  height: 64,
});

export function byEstimator(estimator: Pick<BasicDepth, 'estimate'>): Estimate {
  return async ({ picture }) => {
    const open = await openPicture(picture);
    return estimator.estimate(await open.cut({ x: 0, y: 0, ...open.size }));
  };
}

export async function scoreEstimate(pictures: readonly EvaluationPicture[], estimate: Estimate): Promise<MeanScore> {
  const scores: { kind: string; score: DepthScore }[] = [];
  for (const picture of pictures) {
    const truth = await readTruth(picture.truth);
    const score = scoreDepth(await estimate(picture), truth, AFFINE.includes(picture.kind));
    scores.push({ kind: picture.kind, score });
  }
  const mean = (metric: keyof DepthScore) =>
    meanOverGroups(scores.map(({ kind, score }) => ({ kind, value: score[metric] ?? Number.NaN })));
  return { ordinal: mean('ordinal'), absRel: mean('absRel'), delta1: mean('delta1') };
}

async function readTruth(file: string): Promise<Plane> {
  const { data, info } = await sharp(file)
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer, data.byteOffset, info.width * info.height);
  return { data: Float32Array.from(values), width: info.width, height: info.height };
}

/** Returns the mean over groups; omits NaN values (a metric that a kind does not have). */
export function meanOverGroups(values: readonly { readonly kind: string; readonly value: number }[]): number {
  const kinds = new Map<string, number[]>();
  for (const { kind, value } of values)
    if (Number.isFinite(value)) kinds.set(kind, [...(kinds.get(kind) ?? []), value]);
  const groups = new Map<string, { sum: number; weight: number }>();
  for (const [kind, list] of kinds) {
    const group = GROUPS[kind] ?? kind;
    const { sum, weight } = groups.get(group) ?? { sum: 0, weight: 0 };
    const own = Math.sqrt(list.length);
    groups.set(group, { sum: sum + own * average(list), weight: weight + own });
  }
  return average([...groups.values()].map(({ sum, weight }) => sum / weight));
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
