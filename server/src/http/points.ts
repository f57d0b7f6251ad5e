import { listPointEntries } from '../domain/points/points.ts';
import { listPrices } from '../domain/points/prices.ts';
import type { Handlers } from './endpoint.ts';

export const pointsHandlers = {
  pointEntries: ({ context, actor, input }) => listPointEntries(context, actor, input),
  prices: ({ context, actor }) => listPrices(context, actor),
} satisfies Partial<Handlers>;
