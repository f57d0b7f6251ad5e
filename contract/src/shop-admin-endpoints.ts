import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { cursor, id, smallId, smallIdText, time } from './fields.ts';
import { byLanguage, LIMITS } from './limits.ts';
import { moneyAmount } from './money.ts';
import { localizedLines, localizedText, localizedTitle } from './shop.ts';

const page = cursor.optional();
const position = z.int().min(0).max(1_000_000);
/** A word by which the web app chooses a drawing. */
const icon = z.string().regex(/^[a-z0-9-]{0,30}$/);
const price = moneyAmount.min(1).max(100_000_000);

const OFFER_KINDS = ['product', 'plan', 'points'] as const;

/** A store as operators see it; inactive ones and their products are shown to nobody else. */
export const managedStore = z.strictObject({
  id: smallId,
  name: localizedTitle,
  icon: z.string().nullable(),
  position: z.int(),
  is_active: z.boolean(),
  /** Number of its products. */
  products: z.int(),
});
export type ManagedStore = z.output<typeof managedStore>;

export const managedProduct = z.strictObject({
  id: smallId,
  store: z.strictObject({ id: smallId, name: localizedTitle }),
  name: localizedTitle,
  content: localizedText,
  is_activated: z.boolean(),
  has_free: z.boolean(),
  position: z.int(),
  /** What lies in it: pictures and videos that are ready, and others. Null without an album. */
  album: z.strictObject({ id, name: z.string(), ready: z.int(), waiting: z.int() }).nullable(),
  cover: z.string().nullable(),
  /** Number of offers that are for sale. */
  offers: z.int(),
  /** Number of members who have it now. */
  members: z.int(),
});
export type ManagedProduct = z.output<typeof managedProduct>;

export const managedPlan = z.strictObject({
  id: smallId,
  name: localizedTitle,
  icon: z.string(),
  content: localizedLines,
  /** Granted with every paid month. */
  points: z.int(),
  /** Bytes, and seconds of a video; null raises nothing. */
  storage_bytes: z.int().nullable(),
  video_seconds: z.int().nullable(),
  live: z.boolean(),
  archived_at: time.nullable(),
  members: z.int(),
});
export type ManagedPlan = z.output<typeof managedPlan>;

export const managedOffer = z.strictObject({
  id: smallId,
  kind: z.enum(OFFER_KINDS),
  product_id: smallId.nullable(),
  plan_id: smallId.nullable(),
  points: z.int().nullable(),
  /** Its own name; null for that of its product or plan. */
  name: localizedTitle.nullable(),
  icon: z.string(),
  content: localizedLines,
  /** In minor units. */
  price_usd: moneyAmount,
  price_twd: moneyAmount.nullable(),
  period: z.int().nullable(),
  position: z.int(),
  archived_at: time.nullable(),
});
export type ManagedOffer = z.output<typeof managedOffer>;

/** A price in TWD is in whole dollars, as the card provider charges no others. */
const priceTwd = price.refine((amount) => amount % 100 === 0, 'must be whole dollars');
const offerFields = {
  name: localizedTitle.nullable().default(null),
  icon: icon.default(''),
  content: localizedLines.default(byLanguage(() => [])),
  price_usd: price,
  price_twd: priceTwd.nullable().default(null),
  position: position.default(0),
};

/** The shop in the administration. */
export const shopAdminApi = {
  managedStores: defineEndpoint({
    name: 'managedStores',
    method: 'GET',
    path: '/managedStores',
    summary: 'Lists all stores in their order, inactive ones too.',
    actors: ['admin'],
    output: z.array(managedStore),
  }),
  setStore: defineEndpoint({
    name: 'setStore',
    method: 'PUT',
    path: '/setStore',
    summary:
      'Changes a store, or adds one. `icon_media` is a picture of the caller whose cover becomes the icon, null takes the icon away; without it the icon stays. An inactive store and its products are no longer on show; who has one keeps it.',
    actors: ['admin'],
    input: z.strictObject({
      id: smallId.nullable(),
      name: localizedTitle,
      position: position.default(0),
      is_active: z.boolean().default(true),
      icon_media: id.nullable().optional(),
    }),
    output: managedStore,
    errors: ['storeNotFound', 'mediaNotFound', 'conversionFailed'],
  }),
  managedProducts: defineEndpoint({
    name: 'managedProducts',
    method: 'GET',
    path: '/managedProducts',
    kind: 'list',
    summary: 'Lists the products of all stores or of one, in their order, with what is missing to show them.',
    actors: ['admin'],
    input: z.strictObject({ page, store: smallIdText.optional() }),
    output: managedProduct,
  }),
  setProduct: defineEndpoint({
    name: 'setProduct',
    method: 'PUT',
    path: '/setProduct',
    summary:
      'Changes a product, or adds one. `album_id` is an album of the caller, or the one that it has. It can be activated once something in its album is ready, and it is free or has an offer. Members who have it keep it whatever changes: as long as somebody has it, its album stays.',
    actors: ['admin'],
    input: z.strictObject({
      id: smallId.nullable(),
      store_id: smallId,
      name: localizedTitle,
      content: localizedText,
      album_id: id.nullable(),
      has_free: z.boolean(),
      is_activated: z.boolean(),
      position: position.default(0),
    }),
    output: managedProduct,
    errors: ['productNotFound', 'storeNotFound', 'albumNotFound', 'albumOfMembers', 'productNotReady'],
  }),
  managedPlans: defineEndpoint({
    name: 'managedPlans',
    method: 'GET',
    path: '/managedPlans',
    summary: 'Lists the plans, archived ones too, with the number of members who have them; not that of having none.',
    actors: ['admin'],
    output: z.array(managedPlan),
  }),
  setPlan: defineEndpoint({
    name: 'setPlan',
    method: 'PUT',
    path: '/setPlan',
    summary:
      'Changes what a plan is called and what it brings, for all who have it, or adds one. An archived plan is offered to nobody; who has it keeps it and goes on renewing it. Plan 1 is having none: it brings nothing.',
    actors: ['admin'],
    input: z.strictObject({
      id: smallId.min(LIMITS.planIds.nonMember + 1).nullable(),
      name: localizedTitle,
      icon,
      content: localizedLines,
      points: z.int().min(0).max(1_000_000),
      storage_bytes: z.int().min(1).max(1e15).nullable(),
      video_seconds: z.int().min(1).max(LIMITS.shop.videoSeconds).nullable(),
      live: z.boolean(),
      archived: z.boolean(),
    }),
    output: managedPlan,
    errors: ['planNotFound'],
  }),
  managedOffers: defineEndpoint({
    name: 'managedOffers',
    method: 'GET',
    path: '/managedOffers',
    kind: 'list',
    summary: 'Lists offers in their order, archived ones too: of one kind, and of one product or plan.',
    actors: ['admin'],
    input: z.strictObject({
      page,
      kind: z.enum(OFFER_KINDS).optional(),
      product_id: smallIdText.optional(),
      plan_id: smallIdText.optional(),
    }),
    output: managedOffer,
  }),
  setOffer: defineEndpoint({
    name: 'setOffer',
    method: 'PUT',
    path: '/setOffer',
    summary:
      'Changes an offer, or adds one. Where price, period or points change, the offer is archived and another takes its place, so that what was paid for keeps its price. Prices are in minor units; without one in TWD the card provider is not offered.',
    actors: ['admin'],
    input: z.discriminatedUnion('kind', [
      z.strictObject({
        id: smallId.nullable(),
        kind: z.literal('product'),
        product_id: smallId,
        period: z.int().min(1).max(LIMITS.shop.months),
        ...offerFields,
      }),
      z.strictObject({
        id: smallId.nullable(),
        kind: z.literal('plan'),
        plan_id: smallId.min(LIMITS.planIds.nonMember + 1),
        ...offerFields,
      }),
      z.strictObject({
        id: smallId.nullable(),
        kind: z.literal('points'),
        points: z.int().min(1).max(1_000_000),
        ...offerFields,
        name: localizedTitle,
      }),
    ]),
    output: managedOffer,
    errors: ['offerNotFound', 'productNotFound', 'planNotFound'],
  }),
  archiveOffer: defineEndpoint({
    name: 'archiveOffer',
    method: 'PUT',
    path: '/archiveOffer',
    summary: 'Takes an offer off the shelf, or puts it back. What was bought stays bought.',
    actors: ['admin'],
    input: z.strictObject({ id: smallId, archived: z.boolean() }),
    output: managedOffer,
    errors: ['offerNotFound'],
  }),
  giveUserPlan: defineEndpoint({
    name: 'giveUserPlan',
    method: 'PUT',
    path: '/giveUserPlan',
    summary:
      'Gives a member a plan without payment and without an end, in place of an earlier one that nobody pays for; null takes it away. A paid plan is not touched.',
    actors: ['admin'],
    input: z.strictObject({ id, plan_id: smallId.min(LIMITS.planIds.nonMember + 1).nullable() }),
    output: z.strictObject({ plan_id: smallId }),
    errors: ['userNotFound', 'planNotFound', 'alreadySubscribed'],
  }),
} as const;
