import type { ConversionPrice } from '@framelift/contract';
import { expect, it } from 'vitest';
import { costOf, priceOf } from './price.ts';

const price = (device_type_id: number | null, media_type: 0 | 1, points: number): ConversionPrice => ({
  device_type_id,
  media_type,
  points,
});

it('a type has its own price, otherwise that of all others, otherwise none', () => {
  const prices = [price(null, 1, 9), price(3, 0, 50), price(3, 1, 0)];
  expect(priceOf(prices, 1, 1)).toBe(9);
  expect(priceOf(prices, 3, 1)).toBe(0);
  expect(priceOf(prices, 3, 0)).toBe(50);
  expect(priceOf(prices, 1, 0)).toBe(0);
});

it('each upload takes free points if they suffice for it, otherwise points, and never both', () => {
  expect(costOf([3, 3, 3], { points: 10, freePoints: 7 })).toEqual({ points: 3, freePoints: 6, isEnough: true });
  expect(costOf([3], { points: 2, freePoints: 2 })).toEqual({ points: 3, freePoints: 0, isEnough: false });
  expect(costOf([5, 1], { points: 5, freePoints: 4 })).toEqual({ points: 5, freePoints: 1, isEnough: true });
  expect(costOf([0, 0], { points: 0, freePoints: 0 })).toEqual({ points: 0, freePoints: 0, isEnough: true });
});
