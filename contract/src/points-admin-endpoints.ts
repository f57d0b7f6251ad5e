import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { mediaType } from './entities.ts';
import { id, shortName, smallId } from './fields.ts';
import { LIMITS } from './limits.ts';
import { conversionPrice, pointEntry, pointEntryFilter, pointKind } from './points-endpoints.ts';

/** Admin endpoints for points. */
export const pointsAdminApi = {
  conversionPrices: defineEndpoint({
    name: 'conversionPrices',
    method: 'GET',
    path: '/conversionPrices',
    summary: 'Lists the prices of conversions that an operator set, those of all device types (null) first.',
    actors: ['admin'],
    output: z.array(conversionPrice),
  }),
  setConversionPrice: defineEndpoint({
    name: 'setConversionPrice',
    method: 'PUT',
    path: '/setConversionPrice',
    summary:
      'Sets the price of a conversion for a device type, or for all without a price of their own (null). `points` null removes the price. Uploads that were announced before keep the price that their owner was told.',
    actors: ['admin'],
    input: z.strictObject({
      device_type_id: smallId.nullable(),
      media_type: mediaType,
      points: conversionPrice.shape.points.nullable(),
    }),
    output: z.array(conversionPrice),
    errors: ['unknownDeviceType'],
  }),
  userPointEntries: defineEndpoint({
    name: 'userPointEntries',
    method: 'GET',
    path: '/users/{id}/pointEntries',
    params: z.strictObject({ id }),
    kind: 'list',
    summary: "Lists the changes of a member's points, newest first.",
    actors: ['admin'],
    input: pointEntryFilter,
    output: pointEntry,
    errors: ['userNotFound'],
  }),
  correctPoints: defineEndpoint({
    name: 'correctPoints',
    method: 'POST',
    path: '/correctPoints',
    summary:
      'Adds points to a member, or takes them away, for a reason that the member can read. Not below zero. `id` is chosen by the caller: a repeated call with the same one changes nothing.',
    actors: ['admin'],
    input: z.strictObject({
      id,
      userId: id,
      kind: pointKind,
      amount: z
        .int()
        .min(-LIMITS.points)
        .max(LIMITS.points)
        .refine((amount) => amount !== 0, 'must not be zero'),
      note: shortName,
    }),
    /** The balance afterwards. */
    output: z.strictObject({ points: z.int(), freePoints: z.int() }),
    errors: ['userNotFound', 'notEnoughPoints', 'notEnoughFreePoints'],
  }),
} as const;
