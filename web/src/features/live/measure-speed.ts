import { LIMITS } from '@framelift/contract';
import { openSpeedTest } from '../../api/live.ts';

/** How fast the line is, compared with what streams need. */
export type SpeedLevel = 'slow' | 'fair' | 'good';

const WARM_UP_BYTES = 256 * 1024;
const SAMPLE_BYTES = 2 * 1024 * 1024;
const MOST_SAMPLES = 3;
/** Milliseconds after which enough is measured, and after which one sample is broken off. */
const ENOUGH_MS = 2000;
const LONGEST_SAMPLE_MS = 4000;
/** The beginning of a sample says more about the delay of the line than about its speed. */
const IGNORED_MS = 300;

export const levelOf = (mbps: number): SpeedLevel =>
  mbps < LIMITS.stream.minMbps ? 'slow' : mbps < LIMITS.stream.recommendedMbps ? 'fair' : 'good';

/** Returns the middle one of some figures. */
function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

interface Sample {
  readonly mbps: number;
  readonly ms: number;
}

/** Loads this many bytes, for at most as long as one sample may take. */
async function take(bytes: number, signal: AbortSignal): Promise<Sample> {
  const reader = (await openSpeedTest(bytes, signal)).getReader();
  const start = performance.now();
  let first = { at: start, bytes: 0 };
  let received = 0;
  let now = start;
  for (;;) {
    const { done, value } = await reader.read();
    now = performance.now();
    if (done) break;
    received += value.length;
    if (now - start <= IGNORED_MS) first = { at: now, bytes: received };
    if (now - start > LONGEST_SAMPLE_MS) {
      await reader.cancel();
      break;
    }
  }
  // A fast line is over before its beginning is.
  const from = received > first.bytes && now - first.at > IGNORED_MS ? first : { at: start, bytes: 0 };
  return { mbps: ((received - from.bytes) * 8) / 1000 / Math.max(1, now - from.at), ms: now - start };
}

/**
 * Measures the speed of the line to the server in Mbps, in a few seconds.
 * @throws if nothing could be measured, or it was broken off
 */
export async function measureSpeed(signal: AbortSignal): Promise<number> {
  await take(WARM_UP_BYTES, signal);
  const samples: Sample[] = [];
  const spent = () => samples.reduce((sum, { ms }) => sum + ms, 0);
  while (samples.length < MOST_SAMPLES && spent() < ENOUGH_MS) samples.push(await take(SAMPLE_BYTES, signal));
  return median(samples.map(({ mbps }) => mbps));
}
