import { GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';
import { resampleLinear } from './resample.ts';
import { normaliseSpread } from './statistics.ts';

/** Weight of the network relative to the hand estimator. The value with a matte is tuned, the one without is not. */
const NETWORK_WEIGHT = { withMatte: 0.55, withoutMatte: 0.75 };

/**
 * Blends the network and hand estimates after removing the unknown scale and shift of each.
 * @param network Output of the scene network at any size, or null when it is unavailable.
 * @returns Unitless relative inverse depth on the grid, larger is nearer.
 */
export function fuse(network: Plane | null, hand: Plane, hasMatte: boolean): Plane {
  const byHand = normaliseSpread(hand.data);
  if (!network) return { ...hand, data: byHand };
  const byNetwork = normaliseSpread(resampleLinear(network, GRID_WIDTH, GRID_HEIGHT).data);
  const weight = hasMatte ? NETWORK_WEIGHT.withMatte : NETWORK_WEIGHT.withoutMatte;
  const data = byHand.map((value, i) => weight * (byNetwork[i] as number) + (1 - weight) * value);
  return { ...hand, data };
}
