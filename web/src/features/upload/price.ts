import type { ConversionPrice } from '@framelift/contract';

export interface Balance {
  readonly points: number;
  readonly freePoints: number;
}

export interface Cost extends Balance {
  /** The member has enough for all of it. */
  readonly isEnough: boolean;
}

/** Returns what a conversion for a device type costs: its own price, otherwise that of all others. */
export function priceOf(
  prices: readonly ConversionPrice[],
  deviceTypeId: number,
  mediaType: ConversionPrice['media_type'],
): number {
  const own = (id: number | null) =>
    prices.find(({ device_type_id, media_type }) => device_type_id === id && media_type === mediaType);
  return (own(deviceTypeId) ?? own(null))?.points ?? 0;
}

/**
 * Returns what uploads cost that are sent in this order. Each takes free points if they suffice for it, otherwise points,
 * as on the server; the kinds are never combined for one of them.
 */
export function costOf(prices: readonly number[], balance: Balance): Cost {
  let { points, freePoints } = balance;
  for (const price of prices) {
    if (freePoints >= price) freePoints -= price;
    else points -= price;
  }
  return {
    points: balance.points - points,
    freePoints: balance.freePoints - freePoints,
    isEnough: points >= 0,
  };
}
