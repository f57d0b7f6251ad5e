import { describe, expect, test } from 'vitest';
import { largestDifference, readReference } from './fixtures.ts';
import { fuse } from './fuse.ts';
import { estimateByHand } from './hand.ts';
import { maskOf } from './plane.ts';
import { resampleCubic, resampleLinear } from './resample.ts';
import { snapToMatte } from './snap.ts';

/** Tolerance: single precision here, mixed precision in numpy. */
const ROUNDING = 2e-5;

describe.each(['meadow', 'table'] as const)('%s, as the reference in numpy computes it', (name) => {
  test('layout, sky, contact and rounding', async () => {
    const scene = await readReference(name);
    expect(largestDifference(estimateByHand(scene.rgb, scene.matte), scene.hand)).toBeLessThan(ROUNDING);
  });

  test('mixing with the network, enlarging and snapping to the matte', async () => {
    const { network, hand, matte, finished } = await readReference(name);
    const { width, height } = finished;
    const smooth = resampleCubic(fuse(network, hand, true), width, height);
    const { data } = resampleLinear(matte, width, height);
    // The reference trusts every subject entirely.
    const snapped = snapToMatte(smooth, { data: Float32Array.from(maskOf(data)), width, height });
    expect(largestDifference(snapped, finished)).toBeLessThan(10 * ROUNDING);
  });
});
