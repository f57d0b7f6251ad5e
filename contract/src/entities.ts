import { z } from 'zod';
import { DEPTH_MODEL_PROBLEMS } from './depth-models.ts';
import { featureSwitches } from './features.ts';
import { id, notice, smallId, time } from './fields.ts';
import { ANAGLYPHS, DOWNLOAD_FORMATS, PAIR_CHOICES } from './formats.ts';
import { byLanguage, LANGUAGES, LIMITS, MEDIA_STATUS, MEDIA_TYPE, ORDER_TYPE } from './limits.ts';
import { paymentStates } from './money.ts';
import { note, PICTURE_NOTES } from './notes.ts';

export const languageCode = z.enum(LANGUAGES.map((language) => language.code));

const oneOf = <T extends Readonly<Record<string, number>>>(values: T) =>
  z.literal(Object.values(values) as T[keyof T][]);
export const mediaType = oneOf(MEDIA_TYPE);
export const mediaStatus = oneOf(MEDIA_STATUS);
export const orderType = oneOf(ORDER_TYPE);

/** The calling member or guest. `myPlan.plan.id` 1 means no plan, which has neither icon nor name. */
export const user = z.strictObject({
  id,
  name: z.string(),
  /** Empty for a guest. */
  email: z.string(),
  phone: z.string(),
  points: z.int(),
  freePoints: z.int(),
  myPlan: z.strictObject({ plan: z.strictObject({ id: smallId, icon: z.string(), name: z.string() }) }),
  isAdmin: z.boolean(),
  VIP: z.boolean(),
  /** The longest video that they may upload, as a VIP or by their plan; 0 allows none. */
  videoSeconds: z.int(),
  adsTimes: z.int(),
  isGuest: z.boolean(),
  /** False until the emailed confirmation link has been used; until then the session is limited to /confirmation. */
  isConfirmed: z.boolean(),
  /** Time at which the account is removed; set by deleteAccount, cleared by keepAccount. */
  deletionAt: time.nullable(),
});
export type User = z.output<typeof user>;

/** A session of a member. */
export const session = z.strictObject({
  id,
  /** User-Agent header; may be empty. */
  userAgent: z.string(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type Session = z.output<typeof session>;

/** `ratio` is 'width,height'; `extendResolution` is 'height,width', the pixels of the panel. */
export const deviceType = z.strictObject({
  id: smallId,
  name: z.string(),
  note: z.string(),
  ratio: z.string(),
  extendResolution: z.string(),
  is_actived: z.boolean(),
  /** Format that the device plays natively, one of `FORMATS`. */
  format: z.string(),
  /** Quilt grid of a light-field device. */
  quilt: z.strictObject({ columns: z.int(), rows: z.int() }).nullable(),
  /** Largest comfortable disparity between the outermost views, in percent of the width; limits previews and files alike. */
  disparityBudget: z.number(),
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

/** Download formats of a finished conversion. `native` requires the calibration of the target display. */
export const downloadFormat = z.enum(DOWNLOAD_FORMATS);

/** Options for the files of a picture; videos take all but the calibration. */
export const fileOptions = z.strictObject({
  /** Swaps left and right (cross-eyed viewing); reflected in the file name. Ignored by formats without two views. */
  swapEyes: z.boolean().optional(),
  /** `dubois` when absent. */
  anaglyph: z.enum(ANAGLYPHS).optional(),
  /** Content of a light-field display's `visual.json`. */
  calibration: z.string().max(LIMITS.calibrationCharacters).optional(),
});
export type FileOptions = z.output<typeof fileOptions>;

/** Colour behind the transparent parts of a picture. */
export const ground = z
  .string()
  .regex(/^#[0-9a-f]{6}$/)
  .transform((colour) => colour as `#${string}`);

/** What a picture that looks like a pair is: where its two eyes are, or `flat`. */
export const pairChoice = z.enum(PAIR_CHOICES);

/**
 * A rectangle of the upright picture after its edit, in its pixels. The order is: mirror left and right, turn clockwise
 * by quarters, straighten by `tilt` degrees clockwise. A straightened picture is the largest rectangle of its own aspect
 * ratio without empty corners. With a `border` the rectangle contains the whole picture, and the border is filled with a
 * blurred copy of it or a colour. Videos take the rectangle alone.
 */
export const crop = z
  .strictObject({
    x: z.int().min(-LIMITS.crop.farthestPx),
    y: z.int().min(-LIMITS.crop.farthestPx),
    width: z.int().min(1),
    height: z.int().min(1),
    turn: z.literal([0, 90, 180, 270]).optional(),
    mirror: z.boolean().optional(),
    tilt: z.number().min(-LIMITS.crop.maxTilt).max(LIMITS.crop.maxTilt).optional(),
    border: z.union([z.literal('blur'), ground]).optional(),
  })
  .refine(({ x, y, border }) => border !== undefined || (x >= 0 && y >= 0), {
    message: 'only a crop with a border may begin outside of the picture',
  });
export type Crop = z.output<typeof crop>;

/** 0 … 1: fraction of the crop's width or height, or a depth (0 far, 1 near). */
const share = z.number().min(0).max(1);
export const convergence = share;

/**
 * A brush stroke that corrects the depth, in fractions of the crop, origin top left. `near` and `far` shift the depth
 * under the brush by `amount`, `flatten` pulls it towards its median. `radius` is a fraction of the crop's width.
 */
export const stroke = z.strictObject({
  kind: z.enum(['near', 'far', 'flatten']),
  radius: z.number().min(0.001).max(1),
  amount: share,
  points: z
    .array(z.tuple([share, share]))
    .min(1)
    .max(LIMITS.strokes.points),
});
export type StrokeInput = z.output<typeof stroke>;

/** Row of the caller's list of pictures and videos. */
export const media = z.strictObject({
  id,
  name: z.string(),
  status: mediaStatus,
  /** URL of the cover picture (500 px wide), null until it exists. */
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
  /** Name typed by whoever sent it by an upload link of its owner. */
  sent_by: z.string().optional(),
});
export type Media = z.output<typeof media>;

/** The product that something is shown by to a member who has it: it can be looked at, and not changed. */
export const ofProduct = z.strictObject({
  id: smallId,
  name: z.string(),
  /** Name of the store. */
  store: z.string(),
});

/** Row of the caller's list of albums. */
export const album = z.strictObject({
  id,
  name: z.string(),
  /** Number of pictures and videos in the album. */
  quantity: z.int(),
  /** Cover URL of the chosen item, or of the newest; null while the album is empty. */
  cover: z.string().nullable(),
  /** The chosen item; null for the newest, and once the chosen one is deleted or taken out. */
  cover_media_id: id.nullable(),
  date: time,
  /** Set for the album of a product, whose name it bears. */
  product: ofProduct.optional(),
});
export type Album = z.output<typeof album>;

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

const failureOfMedia = z.strictObject({ code: z.string(), message: z.string() });

/** Fields that only videos have. */
export const video = z.strictObject({
  seconds: z.number(),
  /** Total number of frames; an estimate until the video is finished. */
  frames: z.int(),
  /** Frames converted so far; equal to `frames` when finished. */
  frame: z.int(),
  /** What the user should know about the conversion, e.g. that subtitles were dropped. */
  notes: z.array(note),
  /** URL of the flat video in a form that every browser plays, with range support. Null until it exists. */
  preview: z.string().nullable(),
  /** Formats that exist. The others of `formats` are made on request by getMediaLink. */
  ready: z.array(downloadFormat),
  /** Requested formats in progress or failed; requesting a failed one again retries it. */
  making: z.array(
    z.strictObject({
      format: downloadFormat,
      options: fileOptions.pick({ swapEyes: true, anaglyph: true }),
      /** 0 … 100. */
      progress: z.int(),
      frame: z.int(),
      timeLeft: z.number().nullable(),
      failure: failureOfMedia.nullable(),
    }),
  ),
});
export type Video = z.output<typeof video>;

/** Details of a picture or video during and after its conversion; also the data of each progress event. */
export const mediaDetail = media.extend({
  /** False until the uploaded file has been stored. */
  uploaded: z.boolean(),
  step: z.enum(CONVERSION_STEPS),
  /** Estimated seconds until it is finished; null while unknown. */
  timeLeft: z.number().nullable(),
  /** Error code and its message, when status is 2; `conversionDelayed` while trouble of the server holds status 0 up. */
  failure: failureOfMedia.nullable(),
  /** 'basic', 'embedded', 'member' or 'model:NAME'. */
  depthSource: z.string().nullable(),
  /** Whether `improveManyMedia` would make a better depth of this picture: a neural model is in use that did not make it. */
  betterDepth: z.boolean(),
  /** `clamped` is true when the requested strength exceeds the comfortable disparity of this device type. */
  comfort: comfort.nullable(),
  /** Depth of the zero-parallax plane; null when it is derived from the subject. */
  convergence: convergence.nullable(),
  /** Colour behind transparent parts; null for one on which the picture can be seen. */
  ground: ground.nullable(),
  /** Where the two eyes are in a picture of both, as chosen or found; `flat` if the member says that it is none. */
  pair: pairChoice.nullable(),
  /** Notes for the user about a picture, e.g. that a part of it is missing in the file; those of a video are in `film`. */
  notes: z.array(z.enum(PICTURE_NOTES)),
  /** Number of brush strokes applied to the depth. */
  strokes: z.int(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
  crop: crop.nullable(),
  /** Size of the upright source in pixels. */
  source: z.strictObject({ width: z.int(), height: z.int() }).nullable(),
  deviceType: deviceType,
  /** Same-origin URLs of the preview's assets; null until finished, and for effect 0 %. */
  preview: z
    .strictObject({ colour: z.string(), depth: z.string(), background: z.string(), backgroundDepth: z.string() })
    .nullable(),
  /** Same-origin URL of the result as a flat picture, larger than its cover; null until finished, and for videos. */
  picture: z.string().nullable(),
  /** URL of the upright, uncropped picture (for a video: one frame) as a small JPEG, used to choose another crop. */
  whole: z.string().nullable(),
  /** Null for pictures. */
  film: video.nullable(),
  /** Formats that getMediaLink offers now; the device's native format first. */
  formats: z.array(downloadFormat),
  /** Set for what belongs to a product and not to the caller. */
  product: ofProduct.optional(),
});
export type MediaDetail = z.output<typeof mediaDetail>;

/** An order: an upload to be converted, pictures taken on site, or a purchase. */
export const order = z.strictObject({
  id,
  /** Name of the ordered item; kept when the item is deleted. */
  name: z.string(),
  type: orderType,
  /** Amount in minor units of `currency`; points have no minor unit. */
  costs: z.int(),
  /** 'points' or an ISO 4217 code. */
  currency: z.string(),
  date: time,
  /** 0 … 100: progress of its conversions. */
  progress: z.int(),
  /** Oldest first. Deleted media (status 3) are listed as long as restoreMedia can bring them back. */
  media: z.array(media),
  /** Null unless something was bought. */
  product: z.strictObject({ album: z.strictObject({ name: z.string() }) }).nullable(),
  /** The number of its payment. */
  solution_order: z.strictObject({ order_id: z.string() }).nullable(),
  /** How far it is paid; only for purchases. */
  payment_state: paymentStates.optional(),
  /** Points of a pack; only for those. */
  points: z.int().optional(),
});
export type Order = z.output<typeof order>;

export const NOTIFICATION_KINDS = ['upload', 'warning', 'info'] as const;

/** An in-app notification in the language of the request. */
export const notification = z.strictObject({
  id,
  title: z.string(),
  content: z.string(),
  release_at: time,
  kind: z.enum(NOTIFICATION_KINDS),
  is_read: z.boolean(),
  /** Name of who caused it, e.g. a friend; else the name of the member's own account. */
  account: z.string(),
  /** Path of the page of the web app where the member goes on; null if there is nothing more to see. */
  link: z.string().nullable(),
  /** The picture or video it refers to. */
  media_id: id.nullable(),
});
export type Notification = z.output<typeof notification>;

export const fileDetails = z.strictObject({
  name: z.string().min(1).max(1000),
  /** Bytes. */
  size: z.int().min(0),
  /** MIME type as reported by the browser; may be empty. */
  type: z.string().max(100),
});

export const downloadLink = z.strictObject({ url: z.string(), id, type: z.string() });

/** Status of the conversion engine, for admins. */
export const engineStatus = z.strictObject({
  version: z.string(),
  /** The depth engine in use: 'basic' or 'model:NAME', its name, licence and self-test result. */
  depth: z.strictObject({
    source: z.string(),
    name: z.string(),
    licence: z.string(),
    selfTest: z.enum(['ok', 'failed']),
    selfTestMs: z.number(),
    /** Where it runs: 'cpu', 'cuda', 'coreml', 'directml' or 'webgpu'. */
    device: z.string(),
  }),
  /** Sentences about missing or unusable components. */
  warnings: z.array(z.string()),
  /** Versions of Node and of the conversion libraries. */
  versions: z.record(z.string(), z.string()),
  /** Numbers of waiting and running conversions over all processes. */
  queue: z.strictObject({ waiting: z.int(), running: z.int() }),
});
export type EngineStatusAnswer = z.output<typeof engineStatus>;

/** The neural depth model of the settings and what the workers made of it; null with basic depth. */
export const depthModel = z.strictObject({
  model: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      licence: z.string(),
      /** Size of the download. */
      bytes: z.int(),
      /** `waiting` for a worker that fetches it; `checking` is its self-test. */
      state: z.enum(['waiting', 'fetching', 'checking', 'inUse', 'failed', 'removed']),
      /** Bytes that have arrived. */
      fetched: z.int(),
      problem: z.enum(DEPTH_MODEL_PROBLEMS).nullable(),
      /** Technical words about the problem, in English. */
      detail: z.string().nullable(),
      /** When a worker tries again by itself; null if only when asked to. */
      nextTryAt: time.nullable(),
    })
    .nullable(),
});
export type DepthModel = z.output<typeof depthModel>;

/** Maintenance mode and its announced window. */
export const maintenance = z.strictObject({
  on: z.boolean(),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
});
export type Maintenance = z.output<typeof maintenance>;

/** `id` changes with each announcement, so that 'never show again' applies to this one only. */
export const announcement = z.strictObject({
  id,
  text: z.strictObject(byLanguage(() => notice)),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
});
export type Announcement = z.output<typeof announcement>;

/** Challenge for the ALTCHA widget. */
export const captchaChallenge = z.looseObject({ parameters: z.looseObject({}), signature: z.string() });

export const CAPTCHAS = ['off', 'altcha', 'recaptcha'] as const;

export const ENVIRONMENTS = ['production', 'dev'] as const;

export const publicConfig = z.strictObject({
  version: z.string(),
  /** `dev` only in development: shows unfinished features and the component gallery. */
  environment: z.enum(ENVIRONMENTS),
  /** True while emails and payments are handled by the local stand-ins. */
  sandbox: z.boolean(),
  isMaintenance: z.boolean(),
  /** The announced maintenance window. */
  maintenance: maintenance.omit({ on: true }),
  /** Whether an announcement is active. */
  Announcement: z.boolean(),
  announcement: announcement.nullable(),
  /** Kind of captcha that register, forgetPassword and guestLogin expect in `recaptcha`. */
  captcha: z.enum(CAPTCHAS),
  /** Site key of reCAPTCHA; null for other kinds. */
  recaptcha: z.strictObject({ siteKey: z.string(), script: z.url() }).nullable(),
  features: featureSwitches,
  /** URL of an external player site; null where /player is the app's own page. */
  playerUrl: z.string().nullable(),
  /** URL of an external about page; null where /about is the app's own page. */
  aboutUrl: z.string().nullable(),
  /** Additional origins for uploads and downloads (an S3 store). */
  storageOrigins: z.array(z.string()),
});
export type PublicConfig = z.output<typeof publicConfig>;
