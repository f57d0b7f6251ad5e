import { GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';
import { resampleLinear } from './resample.ts';
import { normaliseSpread } from './statistics.ts';

/** Weight of the network beside the hand estimator, tuned with a matte; the second value, without one, is not tuned. */
const NETWORK_WEIGHT = { withMatte: 0.55, withoutMatte: 0.75 };

/**
 * Mixes network and hand estimate, each freed of its unknown scale and shift.
 * @param network Output of the scene network at any size, or null when it cannot run.
 * @returns Relative inverse depth on the grid, larger is nearer, no unit.
 */
export function fuse(network: Plane | null, hand: Plane, hasMatte: boolean): Plane {
  const byHand = normaliseSpread(hand.data);
  if (!network) return { ...hand, data: byHand };
  const byNetwork = normaliseSpread(resampleLinear(network, GRID_WIDTH, GRID_HEIGHT).data);
  const weight = hasMatte ? NETWORK_WEIGHT.withMatte : NETWORK_WEIGHT.withoutMatte;
  const data = byHand.map((value, i) => weight * (byNetwork[i] as number) + (1 - weight) * value);
  return { ...hand, data };
}
