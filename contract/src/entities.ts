import { z } from 'zod';
import { featureSwitches } from './features.ts';
import { id, smallId, time } from './fields.ts';
import { LANGUAGES, LIMITS, MEDIA_STATUS, MEDIA_TYPE, ORDER_TYPE } from './limits.ts';

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
  /** When the account will be removed, after deleteAccount and until keepAccount. */
  deletionAt: time.nullable(),
});
export type User = z.output<typeof user>;

/** One place where a member is logged in. */
export const session = z.strictObject({
  id,
  /** As the browser names itself; may be empty. */
  userAgent: z.string(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  /** The one that asks. */
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
  /** Format that the device itself takes, one of `FORMATS`. */
  format: z.string(),
  /** Quilt grid of a light-field device. */
  quilt: z.strictObject({ columns: z.int(), rows: z.int() }).nullable(),
  /** Largest comfortable travel between the outermost views, percent of the width; previews keep to it as files do. */
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

/** What a finished conversion can be downloaded as. `native` needs the calibration of the display that it is for. */
export const DOWNLOAD_FORMATS = [
  'quilt',
  'native',
  'sbs',
  'hsbs',
  'tb',
  'htb',
  'cross',
  '2x1',
  'anaglyph',
  'mpo',
  'jps',
  'rgbd',
  'depth',
  'wiggle',
  'wiggle_mp4',
  'left',
  'right',
  'flat',
  'original',
] as const;
export const downloadFormat = z.enum(DOWNLOAD_FORMATS);
export type DownloadFormat = z.output<typeof downloadFormat>;

/** Kinds of red-cyan picture. */
export const ANAGLYPHS = ['dubois', 'half-colour', 'grey'] as const;

/** How the files of a picture are made; for videos none of it. */
export const fileOptions = z.strictObject({
  /** The right eye where the left one belongs; the name of the file tells. Formats without two eyes ignore it. */
  swapEyes: z.boolean().optional(),
  /** `dubois` when absent. */
  anaglyph: z.enum(ANAGLYPHS).optional(),
  /** Text of the `visual.json` of a light-field display. */
  calibration: z.string().max(LIMITS.calibrationCharacters).optional(),
});
export type FileOptions = z.output<typeof fileOptions>;

/** A rectangle in upright source pixels. */
export const crop = z.strictObject({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(1),
  height: z.int().min(1),
});

/** 0 … 1: a share of the crop's width or height, or a depth (0 far, 1 near). */
const share = z.number().min(0).max(1);
export const convergence = share;

/**
 * A correction painted over the depth, in shares of the crop, origin top left. `near` and `far` move what lies under the
 * brush by `amount`, `flatten` draws it towards its median. `radius` is the brush's, as a share of the crop's width.
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

/** Row of the list of one's pictures and videos. */
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

/** Row of the list of one's albums. */
export const album = z.strictObject({
  id,
  name: z.string(),
  /** Pictures and videos in it. */
  quantity: z.int(),
  /** Address of the cover of the newest picture in it, null while there is none. */
  cover: z.string().nullable(),
  date: time,
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

/** What only videos have. */
export const video = z.strictObject({
  seconds: z.number(),
  /** In all; an estimate until the video is finished. */
  frames: z.int(),
  /** Done so far in the conversion that runs; all of them when it is finished. */
  frame: z.int(),
  /** Codes of what people should know, e.g. subtitles that were left behind. */
  notes: z.array(z.string()),
  /** Address of the whole video, flat, as every browser plays it; it can be sought in. Null until there is one. */
  preview: z.string().nullable(),
  /** Formats that are there. The others of `formats` are made when getMediaLink asks for them. */
  ready: z.array(downloadFormat),
  /** Formats asked for that are being made, or could not be made; asking again tries again. */
  making: z.array(
    z.strictObject({
      format: downloadFormat,
      /** 0 … 100. */
      progress: z.int(),
      frame: z.int(),
      timeLeft: z.number().nullable(),
      failure: failureOfMedia.nullable(),
    }),
  ),
});
export type Video = z.output<typeof video>;

/** Everything about one's picture while and after it is converted; also the data of each progress event. */
export const mediaDetail = media.extend({
  /** False while the file itself has not arrived. */
  uploaded: z.boolean(),
  step: z.enum(CONVERSION_STEPS),
  /** Seconds until it is done, as far as can be told. */
  timeLeft: z.number().nullable(),
  /** Code of the error table and its sentence, when status is 2. */
  failure: failureOfMedia.nullable(),
  /** 'basic', 'embedded', 'member' or 'model:NAME'. */
  depthSource: z.string().nullable(),
  /** `clamped` says that the wish is above what is comfortable on this kind of frame. */
  comfort: comfort.nullable(),
  /** Depth that lies in the plane of the frame; null when it is chosen from the subject. */
  convergence: convergence.nullable(),
  /** Number of corrections painted over the depth. */
  strokes: z.int(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
  crop: crop.nullable(),
  /** Upright size of the source. */
  source: z.strictObject({ width: z.int(), height: z.int() }).nullable(),
  deviceType: deviceType,
  /** Addresses of the preview's parts on our own origin; null until finished, and for effect 0 %. */
  preview: z
    .strictObject({ colour: z.string(), depth: z.string(), background: z.string(), backgroundDepth: z.string() })
    .nullable(),
  /** Address of the upright, uncropped picture (of a video one frame) as a small JPEG, to choose another crop on. */
  whole: z.string().nullable(),
  /** Null for pictures. */
  film: video.nullable(),
  /** What getMediaLink gives now; the device's own format first. */
  formats: z.array(downloadFormat),
});
export type MediaDetail = z.output<typeof mediaDetail>;

/** Something ordered: an upload to be converted, pictures taken on site, a purchase. */
export const order = z.strictObject({
  id,
  /** Of what was ordered. It stays when that is deleted. */
  name: z.string(),
  type: orderType,
  /** In minor units of `currency`; points have none. */
  costs: z.int(),
  /** 'points', or a code of ISO 4217. */
  currency: z.string(),
  date: time,
  /** 0 … 100: how far its conversions have come. */
  progress: z.int(),
  /** Oldest first. A deleted one (status 3) is here as long as restoreMedia brings it back. */
  media: z.array(media),
  /** Null where nothing was bought. */
  product: z.strictObject({ album: z.strictObject({ name: z.string() }) }).nullable(),
  solution_order: z.strictObject({ order_id: z.string() }).nullable(),
});
export type Order = z.output<typeof order>;

export const NOTIFICATION_KINDS = ['upload', 'warning', 'info'] as const;

/** Something that a member is told in the app, in the language of the call. */
export const notification = z.strictObject({
  id,
  title: z.string(),
  content: z.string(),
  release_at: time,
  kind: z.enum(NOTIFICATION_KINDS),
  is_read: z.boolean(),
  /** The picture or video that it is about. */
  media_id: id.nullable(),
});
export type Notification = z.output<typeof notification>;

export const fileDetails = z.strictObject({
  name: z.string().min(1).max(1000),
  /** Bytes. */
  size: z.int().min(0),
  /** MIME type as the browser tells it; may be empty. */
  type: z.string().max(100),
});

export const downloadLink = z.strictObject({ url: z.string(), id, type: z.string() });

/** What converts here, for operators. */
export const engineStatus = z.strictObject({
  version: z.string(),
  /** The depth engine in use: 'basic' or 'model:NAME', its name and licence, and how a small known picture fared. */
  depth: z.strictObject({
    source: z.string(),
    name: z.string(),
    licence: z.string(),
    selfTest: z.enum(['ok', 'failed']),
    selfTestMs: z.number(),
  }),
  /** Sentences about what is missing or cannot be used. */
  warnings: z.array(z.string()),
  /** Of Node and of the libraries that convert. */
  versions: z.record(z.string(), z.string()),
  /** Conversions that wait and that run, over all processes. */
  queue: z.strictObject({ waiting: z.int(), running: z.int() }),
});
export type EngineStatusAnswer = z.output<typeof engineStatus>;

/** Maintenance mode, and the window that people are told of. */
export const maintenance = z.strictObject({
  on: z.boolean(),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
});
export type Maintenance = z.output<typeof maintenance>;

const notice = z.string().trim().min(1).max(LIMITS.announcementLength);
/** `id` is another one for each announcement, so that 'never show again' means this one. */
export const announcement = z.strictObject({
  id,
  text: z.strictObject({ en: notice, zh: notice, ja: notice }),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
});
export type Announcement = z.output<typeof announcement>;

/** What ALTCHA's widget takes as its challenge. */
export const captchaChallenge = z.looseObject({ parameters: z.looseObject({}), signature: z.string() });

export const CAPTCHAS = ['off', 'altcha', 'recaptcha'] as const;

export const ENVIRONMENTS = ['production', 'dev'] as const;

export const publicConfig = z.strictObject({
  version: z.string(),
  /** `dev` only where the app is being worked on: it shows what is not ready, and the gallery of the parts of screens. */
  environment: z.enum(ENVIRONMENTS),
  /** True while mails and payments stay on this machine. */
  sandbox: z.boolean(),
  isMaintenance: z.boolean(),
  /** The window of maintenance that people are told of. */
  maintenance: maintenance.omit({ on: true }),
  /** Whether there is an announcement now. */
  Announcement: z.boolean(),
  announcement: announcement.nullable(),
  /** What register, forgetPassword and guestLogin want in `recaptcha`. */
  captcha: z.enum(CAPTCHAS),
  /** For the script of reCAPTCHA; null while `captcha` is something else. */
  recaptcha: z.strictObject({ siteKey: z.string(), script: z.url() }).nullable(),
  features: featureSwitches,
  /** A player site outside; null where /player is the app's own page. */
  playerUrl: z.string().nullable(),
  /** Where /about of the menu leads outside; null where /about is the app's own page. */
  aboutUrl: z.string().nullable(),
  /** Origins beside our own that uploads and downloads may go to (an S3 store). */
  storageOrigins: z.array(z.string()),
});
export type PublicConfig = z.output<typeof publicConfig>;
