import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workingSize } from '../decode/stereo/eyes.ts';
import { comparePair, type PairComparison } from '../decode/stereo/find-pair.ts';
import { isExchanged } from '../decode/stereo/order.ts';
import { median } from '../depth/statistics.ts';
import { layoutOf } from '../formats/pair-places.ts';
import { canSeek, FrameReader, uprightFrames } from './frames.ts';
import type { VideoLimits } from './limits.ts';
import { examineVideo, type Video, type VideoHints } from './open-video.ts';
import { wholeFrame } from './plan-video.ts';
import { clockFor } from './timestamps.ts';

/** Places of a video that are looked at, as shares of its length, and the long side of an eye that is compared. */
const PLACES = [0.1, 0.3, 0.5, 0.7, 0.9];
const SIDE = 320;
/** Least number of places that show a pair, if a video has so many. */
const ENOUGH = 3;

/**
 * Reads the properties of a video file and finds its eyes: as the member says, by its tags, by its name, or by looking
 * at several places of it, which must agree. The whole video has one order of the eyes.
 *
 * @throws {EngineError} as `examineVideo`
 */
export async function findEyes(path: string, limits: VideoLimits, hints: VideoHints = {}): Promise<Video> {
  const video = await examineVideo(path, limits, hints);
  const { doubt } = video.pictures;
  if (!doubt) return video;
  const { packing, isPair } = doubt;
  const as = (second: boolean) => examineVideo(path, limits, { ...hints, pair: layoutOf(packing, second) });
  const first = isPair ? video : await as(false);
  const looks = await lookAt(first);
  const pairs = looks.filter((look) => look.isPair);
  if (!isPair && (pairs.length < looks.length || pairs.length < Math.min(ENOUGH, first.info.frames))) return video;
  const exchanged = pairs.length > 0 && isExchanged(median(Float32Array.from(pairs, ({ order }) => order)));
  return exchanged ? as(first.info.pair?.layout === layoutOf(packing, false)) : first;
}

/** Compares the eyes at several places; those that cannot be read, or show nothing, are left out. */
async function lookAt(video: Video): Promise<PairComparison[]> {
  const looks: PairComparison[] = [];
  const places = PLACES.map((place) => place * video.info.seconds);
  // A file that cannot be sought is read once, not once for each place.
  const runs = canSeek(video) ? places.map((place) => [place]) : [places];
  for (const run of runs) await lookAtPlaces(video, run, looks).catch(() => undefined);
  return looks;
}

/** Adds what is seen at several places, one after the other, from the first one on. */
async function lookAtPlaces(video: Video, places: readonly number[], looks: PairComparison[]): Promise<void> {
  const from = places[0] ?? 0;
  const ticks = clockFor(video.pictures.timeBase);
  const crop = wholeFrame(video.pictures.shown);
  const { width, height } = workingSize(crop, SIDE);
  const size = { width: width & ~1, height: height & ~1 };
  const reader = new FrameReader({ ...size, height: 2 * size.height }, 'yuv420');
  const options = { crop, size, pixels: 'yuv420', both: true, threads: 1, from, atKeyFrame: true } as const;
  const tempFile = join(tmpdir(), `framelift-${randomUUID()}.cube`);
  const more = { tempFile, maxSeconds: Number.POSITIVE_INFINITY };
  try {
    let at = 0;
    for await (const { frame, time } of uprightFrames(video, { ...options, ...more }, { packets: 0 })) {
      try {
        if (at > 0 && time < (places[at] as number) * ticks) continue;
        const [luma] = reader.read(frame) as [Uint8Array];
        const pixels = size.width * size.height;
        const eye = (at: number) => ({ ...size, data: luma.slice(at, at + pixels) });
        const look = comparePair(eye(0), eye(pixels));
        if (look) looks.push(look);
        if (++at === places.length) return;
      } finally {
        frame.free();
      }
    }
  } finally {
    reader.free();
  }
}
