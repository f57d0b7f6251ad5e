import { type FileKind, MEDIA_TYPE } from '@framelift/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pricesQuery } from '../../api/points.ts';
import { userQuery, useSession } from '../../api/session.ts';
import { type Balance, type Cost, costOf, priceOf } from './price.ts';

export interface Payment {
  readonly balance: Balance;
  /** Returns the price of one upload; 0 for those who pay nothing, and while it is not known. */
  priceOf(deviceTypeId: number | undefined, kind: FileKind): number;
  costOf(prices: readonly number[]): Cost;
  readonly onWatchAd: () => void;
  readonly onBuy: () => void;
}

/**
 * Returns what uploads cost the member. Where they cost something, the points are refreshed whenever `settled` changes:
 * the number of uploads that were accepted or refused.
 */
export function usePayment(
  enabled: boolean,
  settled: number,
  { onWatchAd, onBuy }: Pick<Payment, 'onWatchAd' | 'onBuy'>,
): Payment {
  const session = useSession();
  const queries = useQueryClient();
  const isMember = session.kind === 'member';
  const { data: prices = [] } = useQuery({ ...pricesQuery, enabled: enabled && isMember });
  const pays = prices.some(({ points }) => points > 0);
  useEffect(() => {
    if (pays && settled > 0) void queries.invalidateQueries({ queryKey: userQuery.queryKey });
  }, [pays, settled, queries]);
  const balance: Balance = isMember ? session.user : { points: 0, freePoints: 0 };
  return {
    balance,
    priceOf: (deviceTypeId, kind) => (deviceTypeId === undefined ? 0 : priceOf(prices, deviceTypeId, MEDIA_TYPE[kind])),
    costOf: (each) => costOf(each, balance),
    onWatchAd,
    onBuy,
  };
}
