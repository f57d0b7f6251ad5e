import { z } from 'zod';
import { mediaType } from './entities.ts';
import { id, smallId, time, title, titleText } from './fields.ts';
import { byLanguage, FALLBACK_LANGUAGE, type Language, LIMITS } from './limits.ts';
import { currencyCode, moneyAmount } from './money.ts';

type Texts<Text> = { readonly [language in Language]?: Text } & Readonly<Record<typeof FALLBACK_LANGUAGE, Text>>;
/**
 * A text of operators in the languages of the site. A language without one, such as one that was added later, shows the
 * English text.
 */
export type Localized = Texts<string>;
/** The same for several lines. */
export type LocalizedLines = Texts<readonly string[]>;

const paragraph = z.string().trim().max(LIMITS.shop.contentLength);
const lines = z.array(title).max(LIMITS.shop.contentLines).readonly();

export const localizedTitle = z.strictObject({ ...byLanguage(() => titleText), [FALLBACK_LANGUAGE]: title });
export const localizedText = z.strictObject(byLanguage(() => paragraph));
export const localizedLines = z.strictObject(byLanguage(() => lines));

/** Returns the text in a language, or in English where there is none. */
export function inLanguage<Text extends { readonly length: number }>(text: Texts<Text>, language: Language): Text {
  const own = text[language];
  return own && own.length > 0 ? own : text[FALLBACK_LANGUAGE];
}

/** Returns the text with every language, as operators edit it; empty in those without one. */
export function inEveryLanguage<Text extends string | readonly string[]>(
  text: Texts<Text>,
  empty: Text,
): Record<Language, Text> {
  return byLanguage((language) => text[language] ?? empty);
}

/** A store of the home feed. */
export const store = z.strictObject({
  id: smallId,
  name: z.string(),
  /** URL of its icon; null for one without. */
  icon: z.string().nullable(),
});
export type Store = z.output<typeof store>;

/**
 * A picture or video of a product as everybody sees it before buying. The preview is a small copy: at most 640 px of
 * colour and 160 px of depth on the longer side. Null for videos and flat pictures.
 */
export const productMedia = z.strictObject({
  id,
  media_type: mediaType,
  cover: z.string().nullable(),
  preview: z
    .strictObject({ colour: z.string(), depth: z.string(), background: z.string(), backgroundDepth: z.string() })
    .nullable(),
});

/** A pack of pictures and videos. */
export const product = z.strictObject({
  id: smallId,
  name: z.string(),
  content: z.string(),
  is_activated: z.boolean(),
  /** Whether members can save it without paying. */
  hasFree: z.boolean(),
  /** Whether this member has saved it as free. */
  isFree: z.boolean(),
  /** Whether this member has it now, free or paid. */
  isSubscribed: z.boolean(),
  /** When a paid one ends for this member; null without an end. */
  paid_until: time.nullable(),
  /** Number of pictures and videos; `media` has the first of them. */
  quantity: z.int(),
  media: z.array(productMedia),
  store,
  /** The product's album among the albums of a member who has it. */
  album_id: id.nullable(),
});
export type Product = z.output<typeof product>;

/** What is for sale: a product or a plan for a number of months, or a pack of points. `id` is the id of the offer. */
export const solution = z.strictObject({
  id: smallId,
  product_id: smallId.nullable(),
  plan_id: smallId.nullable(),
  /** Points of a pack. */
  points: z.int().nullable(),
  name: z.string(),
  icon: z.string(),
  /** Price in minor units of `currency`. */
  costs: moneyAmount,
  currency: currencyCode,
  /** Every price that it is sold at. */
  prices: z.array(z.strictObject({ currency: currencyCode, costs: moneyAmount })),
  /** Months; null for points. */
  period: z.int().nullable(),
  content: z.array(z.string()),
});
export type Solution = z.output<typeof solution>;

/** Something payable, with the id that a payment names. */
export const project = z.strictObject({ id: z.string(), name: z.string() });

/** Whether the caller has a product. */
export const productSubscription = z.strictObject({
  isSubscribed: z.boolean(),
  isFree: z.boolean(),
  paid_until: time.nullable(),
});
export type ProductSubscription = z.output<typeof productSubscription>;
