import { z } from 'zod';
import { featureSwitches } from './features.ts';
import { id, smallId, time } from './fields.ts';
import { LANGUAGES, MEDIA_STATUS, MEDIA_TYPE, ORDER_TYPE } from './limits.ts';

export const languageCode = z.enum(LANGUAGES.map((language) => language.code));

const oneOf = <T extends Readonly<Record<string, number>>>(values: T) =>
  z.literal(Object.values(values) as T[keyof T][]);
export const mediaType = oneOf(MEDIA_TYPE);
export const mediaStatus = oneOf(MEDIA_STATUS);
export const orderType = oneOf(ORDER_TYPE);

/** The member or guest who calls. `myPlan.plan.id` 1 means non-member. */
export const user = z.strictObject({
  id,
  name: z.string(),
  /** Empty for a guest. */
  email: z.string(),
  phone: z.string(),
  points: z.int(),
  freePoints: z.int(),
  myPlan: z.strictObject({ plan: z.strictObject({ id: smallId, icon: z.string() }) }),
  isAdmin: z.boolean(),
  VIP: z.boolean(),
  adsTimes: z.int(),
  isGuest: z.boolean(),
  /** False until the link of the confirmation mail was used; such a session sees only /confirmation. */
  isConfirmed: z.boolean(),
});
export type User = z.output<typeof user>;

/** `ratio` is 'width,height'; `extendResolution` is 'height,width', the pixels of the panel. */
export const deviceType = z.strictObject({
  id: smallId,
  name: z.string(),
  note: z.string(),
  ratio: z.string(),
  extendResolution: z.string(),
  is_actived: z.boolean(),
  /** Format that the device itself takes, one of `FORMATS`. */
  format: z.string(),
  /** Quilt grid of a light-field device. */
  quilt: z.strictObject({ columns: z.int(), rows: z.int() }).nullable(),
});
export type DeviceType = z.output<typeof deviceType>;

/** The 0 % entry has id 0 and belongs to every device type (device_type_id null). */
export const effectParam = z.strictObject({
  id: smallId,
  /** Percentage label, e.g. '100%'. */
  effect: z.string(),
  device_type_id: smallId.nullable(),
  media_type: mediaType.nullable(),
  is_activated: z.boolean(),
  vip_required: z.boolean(),
});
export type EffectParam = z.output<typeof effectParam>;

/** What a finished conversion can be downloaded as. */
export const DOWNLOAD_FORMATS = [
  'quilt',
  'sbs',
  'hsbs',
  'anaglyph',
  'rgbd',
  'depth',
  'wiggle',
  'flat',
  'original',
] as const;
export const downloadFormat = z.enum(DOWNLOAD_FORMATS);
export type DownloadFormat = z.output<typeof downloadFormat>;

/** A rectangle in upright source pixels. */
export const crop = z.strictObject({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(1),
  height: z.int().min(1),
});

/** Row of the list of one's pictures and films. */
export const media = z.strictObject({
  id,
  name: z.string(),
  status: mediaStatus,
  /** Address of the cover picture (500 px wide), null until there is one. */
  cover: z.string().nullable(),
  date: time,
  finish_time: time.nullable(),
  type: orderType,
  media_type: mediaType,
  device_type_id: smallId,
  /** Percent, 0 … 100. */
  effect: z.int(),
  /** 0 … 100. */
  progress: z.int(),
});
export type Media = z.output<typeof media>;

export const CONVERSION_STEPS = [
  'waiting',
  'open',
  'crop',
  'depth',
  'layers',
  'views',
  'pack',
  'check',
  'done',
] as const;

export const comfort = z.strictObject({
  largestDisparityPercent: z.number(),
  wishedDisparityPercent: z.number(),
  clamped: z.boolean(),
  windowViolation: z.number(),
});

/** Everything about one's picture while and after it is converted; also the data of each progress event. */
export const mediaDetail = media.extend({
  /** False while the file itself has not arrived. */
  uploaded: z.boolean(),
  step: z.enum(CONVERSION_STEPS),
  /** Seconds until it is done, as far as can be told. */
  timeLeft: z.number().nullable(),
  /** Code of the error table and its sentence, when status is 2. */
  failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** 'basic', 'embedded', 'member' or 'model:NAME'. */
  depthSource: z.string().nullable(),
  comfort: comfort.nullable(),
  crop: crop.nullable(),
  /** Upright size of the source. */
  source: z.strictObject({ width: z.int(), height: z.int() }).nullable(),
  deviceType: deviceType,
  /** Addresses of the preview's parts on our own origin; null until finished, and for effect 0 %. */
  preview: z
    .strictObject({ colour: z.string(), depth: z.string(), background: z.string(), backgroundDepth: z.string() })
    .nullable(),
  /** What getMediaLink gives now; the device's own format first. */
  formats: z.array(downloadFormat),
});
export type MediaDetail = z.output<typeof mediaDetail>;

export const fileDetails = z.strictObject({
  name: z.string().min(1).max(1000),
  /** Bytes. */
  size: z.int().min(0),
  /** MIME type as the browser tells it; may be empty. */
  type: z.string().max(100),
});

export const downloadLink = z.strictObject({ url: z.string(), id, type: z.string() });

export const publicConfig = z.strictObject({
  version: z.string(),
  /** True while mails and payments stay on this machine. */
  sandbox: z.boolean(),
  isMaintenance: z.boolean(),
  Announcement: z.boolean(),
  features: featureSwitches,
  /** Origins beside our own that uploads and downloads may go to (an S3 store). */
  storageOrigins: z.array(z.string()),
});
