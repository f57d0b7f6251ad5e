import type { DepthMap, Picture } from '../../types.ts';
import type { BasicDepth } from '../index.ts';

/** Draws a pale sky, a checkered floor and a red ball on it: a scene with unambiguous depth. */
function drawTestPicture(width = 320, height = 240): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      const u = (x + 0.5) / width;
      const v = (y + 0.5) / height;
      const ball = Math.hypot((u - 0.5) / 0.16, (v - 0.6) / 0.22);
      const tile = (Math.floor(u * 12) + Math.floor(v * 12)) % 2 === 0 ? 40 : 0;
      if (ball < 1) {
        data[i] = 230 - 90 * ball;
        data[i + 1] = 50;
        data[i + 2] = 40;
      } else if (v < 0.45) {
        data[i] = 170;
        data[i + 1] = 195;
        data[i + 2] = 225;
      } else {
        data[i] = 90 + tile;
        data[i + 1] = 80 + tile;
        data[i + 2] = 60 + tile;
      }
    }
  }
  return { data, width, height };
}

export interface SelfTest {
  readonly ms: number;
  /** Description of the problem, or null. */
  readonly problem: string | null;
  /** Null if the estimator failed. */
  readonly depth: DepthMap | null;
}

/** Smallest accepted range of the map within 0 … 1; below it everything would lie in one plane. */
const LEAST_SPREAD = 0.2;

/** Runs an estimator on the test picture: its depth must be finite and not flat. */
export async function selfTest(estimate: BasicDepth['estimate']): Promise<SelfTest> {
  const started = performance.now();
  let problem: string | null = null;
  let depth: DepthMap | null = null;
  try {
    depth = await estimate(drawTestPicture());
    const { data } = depth;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let finite = true;
    for (const value of data) {
      if (!Number.isFinite(value)) finite = false;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!finite) problem = 'it gives values that are no numbers';
    else if (!(high - low >= LEAST_SPREAD)) problem = 'it sees no depth in a picture that has some';
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return { ms: performance.now() - started, problem, depth };
}
