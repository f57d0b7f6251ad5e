import { z } from 'zod';
import { MEMBERS, UPLOADERS } from './actors.ts';
import { defineEndpoint, MINUTE_SECONDS } from './endpoint.ts';
import { mediaType } from './entities.ts';
import { cursor, id, smallId, time } from './fields.ts';
import { LIMITS } from './limits.ts';

/** Kinds of points: bought or granted with a plan, and earned by watching ads. */
export const POINT_KINDS = ['points', 'freePoints'] as const;
export type PointKind = (typeof POINT_KINDS)[number];
export const pointKind = z.enum(POINT_KINDS);

/** Why points of a member changed. */
export const POINT_REASONS = [
  'conversion',
  'conversionReturned',
  'ad',
  'pack',
  'packRefunded',
  'plan',
  'planRefunded',
  'product',
  'productReturned',
  'correction',
] as const;
export type PointReason = (typeof POINT_REASONS)[number];

/** One change of the points of a member. */
export const pointEntry = z.strictObject({
  id,
  kind: pointKind,
  /** Positive for points that were added. */
  amount: z.int(),
  /** Points of this kind afterwards. */
  balance: z.int(),
  /** One of `POINT_REASONS`, or a reason of another version. */
  reason: z.string(),
  /** The reason as a sentence in the caller's language. */
  title: z.string(),
  /** Name of what it is about, or what an operator wrote; empty if there is nothing to say. */
  note: z.string(),
  date: time,
});
export type PointEntry = z.output<typeof pointEntry>;

export const pointEntryFilter = z.strictObject({ kind: pointKind.optional(), page: cursor.optional() });

/** Points that a conversion costs. `device_type_id` null is the price of all device types without one of their own. */
export const conversionPrice = z.strictObject({
  device_type_id: smallId.nullable(),
  media_type: mediaType,
  points: z.int().min(0).max(LIMITS.points),
});
export type ConversionPrice = z.output<typeof conversionPrice>;

/** `type` of checkPaymentFlow. */
export const PAYMENT_TYPE = { points: 1, freePoints: 2 } as const;

/** What a rewarded ad gave. */
export const reward = z.strictObject({ type: pointKind, amount: z.int() });

/** Endpoints for the caller's points. */
export const pointsApi = {
  pointEntries: defineEndpoint({
    name: 'pointEntries',
    method: 'GET',
    path: '/pointEntries',
    kind: 'list',
    summary: "Lists the changes of the caller's points, newest first.",
    actors: MEMBERS,
    input: pointEntryFilter,
    output: pointEntry,
  }),
  prices: defineEndpoint({
    name: 'prices',
    method: 'GET',
    path: '/prices',
    summary:
      'Lists what the first conversion of an upload costs the caller, in points or in free points alike. Device types that are not listed cost what is listed for null; without that, nothing. Later changes of the upload are free.',
    actors: UPLOADERS,
    output: z.array(conversionPrice),
  }),
  checkPaymentFlow: defineEndpoint({
    name: 'checkPaymentFlow',
    method: 'POST',
    path: '/checkPaymentFlow',
    summary:
      "With `value` 0 and `type` 2: gives the free points of the ad that the caller has watched to its end, once; the amount is the server's. Otherwise tells whether the caller has `value` points (`type` 1) or free points (`type` 2), and takes none.",
    actors: MEMBERS,
    input: z.strictObject({
      value: z.int().min(0).max(LIMITS.points),
      type: z.literal(Object.values(PAYMENT_TYPE)),
      product_id: smallId.nullable().default(null),
    }),
    /** The points afterwards; `reward` is null unless it was about an ad. */
    output: z.strictObject({ points: z.int(), freePoints: z.int(), reward: reward.nullable() }),
    errors: ['notEnoughPoints', 'notEnoughFreePoints', 'adNotWatched'],
    rateLimits: [{ by: 'user', max: 60, seconds: 10 * MINUTE_SECONDS }],
  }),
} as const;
