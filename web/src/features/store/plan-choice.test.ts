import type { Solution } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { carouselIndex } from './carousel-index.ts';
import { plansOf } from './plan-choice.ts';

const offer = (id: number, costs: number, product_id = 7): Solution => ({
  ...{ id, product_id, costs, plan_id: null, points: null, name: 'Lanterns', icon: '', content: [], period: 3 },
  ...{ currency: 'USD', prices: [{ currency: 'USD', costs }] },
});
const paid = { id: 7, hasFree: false };

describe('the offers of a product', () => {
  it('[R-4.plan-picker.1] are those that cost something', () => {
    const plans = plansOf([offer(1, 0), offer(2, 900), offer(3, 0), offer(4, 2400), offer(5, 900, 8)], paid);
    expect(plans.map(({ id }) => id)).toEqual([2, 4]);
  });

  it('[R-4.plan-picker.2] are none if it is free', () => {
    expect(plansOf([offer(1, 0), offer(2, 900)], { id: 7, hasFree: true })).toEqual([]);
  });
});

it('[R-4.carousel.1] the index of a carousel stays within 0 and count - 1', () => {
  const at = [-3, -1, 0, 2, 3, 4, 99].map((index) => carouselIndex(index, 4));
  expect(at).toEqual([0, 0, 0, 2, 3, 3, 3]);
  expect(carouselIndex(1, 0)).toBe(0);
});
