import { z } from 'zod';
import { MEMBERS } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { id, time } from './fields.ts';
import { reward } from './points-endpoints.ts';

/** Our own ads, in the order in which they are shown. */
export const HOUSE_ADS = ['depth', 'frame', 'friends'] as const;
export type HouseAd = (typeof HOUSE_ADS)[number];

/** Parts of an ad, in percent of its duration. */
export const QUARTILES = [0, 25, 50, 75, 100] as const;

/** `house` shows our own ads, `gpt` a rewarded slot of the Google Publisher Tag, `off` none. */
export const AD_PROVIDERS = ['house', 'gpt', 'off'] as const;

export const adSettings = z
  .strictObject({
    provider: z.enum(AD_PROVIDERS),
    /** Rewarded slot at Google, `/network/unit`; needed by `gpt`. */
    adUnitPath: z
      .string()
      .max(200)
      .regex(/^\/\d+(,\d+)?(\/[\w.-]+)+$/)
      .nullable(),
    /** Free points per ad. */
    reward: z.int().min(1).max(1000),
    /** A view is refused if adsTimes is greater than this. */
    limit: z.int().min(0).max(1000),
  })
  .refine(({ provider, adUnitPath }) => provider !== 'gpt' || adUnitPath !== null, {
    path: ['adUnitPath'],
    message: 'is needed by gpt',
  });
export type AdSettings = z.output<typeof adSettings>;

/** An ad that was started. Only the newest one of a member counts. */
export const adSession = z.strictObject({
  id,
  /** For the next adProgress; each works once. */
  nonce: z.string(),
  /** Milliseconds that it must be visible. */
  duration: z.int(),
  reward,
  /** One of our own ads in the caller's language. Null for one of Google. */
  ad: z
    .strictObject({
      slug: z.enum(HOUSE_ADS),
      title: z.string(),
      text: z.string(),
      /** Path of the page that it is about. */
      click: z.string(),
      /** URLs of an SVG that moves and one that does not, 16:9. */
      animation: z.string(),
      poster: z.string(),
    })
    .nullable(),
  /** Rewarded slot at Google; null for one of our own. */
  adUnitPath: z.string().nullable(),
});
export type AdSession = z.output<typeof adSession>;

const session = z.strictObject({ id });

/** Endpoints for rewarded ads. The reward is given by checkPaymentFlow. */
export const adApi = {
  ads: defineEndpoint({
    name: 'ads',
    method: 'GET',
    path: '/ads',
    summary: 'Returns what an ad gives, and how many ads the caller may start today, in Asia/Taipei.',
    actors: MEMBERS,
    output: z.strictObject({
      /** False where the operator shows no ads. */
      offered: z.boolean(),
      reward,
      left: z.int(),
      /** When the next one can be started; null for now. */
      next_at: time.nullable(),
    }),
  }),
  startAd: defineEndpoint({
    name: 'startAd',
    method: 'POST',
    path: '/ad/session',
    summary:
      "Starts an ad and ends an earlier one of the caller that was not watched to its end. With Google's slot: when the slot is ready.",
    actors: MEMBERS,
    output: adSession,
    errors: ['adsLimitReached', 'adTooSoon', 'featureNotAvailableYet'],
    rateLimits: [
      { by: 'user', max: 60, seconds: HOUR_SECONDS },
      { by: 'ip', max: 300, seconds: HOUR_SECONDS },
    ],
  }),
  adProgress: defineEndpoint({
    name: 'adProgress',
    method: 'POST',
    path: '/ad/session/{id}/progress',
    params: session,
    summary:
      'Reports that the ad has reached a quartile, 0 for its beginning, or that it was hidden or shown (with the same quartile). Time counts while it is visible, by the clock of the server. Each answer has the nonce of the next report; repeating the last report returns the same answer. Quartile 100 is refused until the ad was visible for its duration.',
    actors: MEMBERS,
    input: z.strictObject({
      nonce: z.string().max(100),
      quartile: z.literal(QUARTILES),
      visible: z.boolean(),
    }),
    /** `nonce` is null when the ad has been watched to its end: checkPaymentFlow gives the reward then. */
    output: z.strictObject({ nonce: z.string().nullable(), quartile: z.literal(QUARTILES) }),
    errors: ['adNotFound', 'adNotCounted'],
    rateLimits: [{ by: 'user', max: 300, seconds: 10 * MINUTE_SECONDS }],
  }),
  adPicture: defineEndpoint({
    name: 'adPicture',
    method: 'GET',
    path: '/ad/session/{id}/picture',
    kind: 'file',
    params: session,
    input: z.strictObject({ still: z.enum(['yes', 'no']).default('no') }),
    summary: "Returns the drawing of the caller's ad as SVG, moving or still.",
    actors: MEMBERS,
    output: z.unknown(),
    errors: ['adNotFound'],
  }),
} as const;

/** Admin endpoints for rewarded ads. */
export const adAdminApi = {
  adSettings: defineEndpoint({
    name: 'adSettings',
    method: 'GET',
    path: '/adSettings',
    summary: 'Returns which ads are shown, what they give, and how many are allowed a day.',
    actors: ['admin'],
    output: adSettings,
  }),
  setAdSettings: defineEndpoint({
    name: 'setAdSettings',
    method: 'PUT',
    path: '/setAdSettings',
    summary:
      'Sets which ads are shown, what they give, and how many are allowed a day. Ads that were started keep their reward.',
    actors: ['admin'],
    input: adSettings,
    output: adSettings,
  }),
} as const;
