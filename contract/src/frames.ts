import { z } from 'zod';
import { id, shortText, smallId, time, timeZone } from './fields.ts';
import { LIMITS } from './limits.ts';

/**
 * Alphabet of pairing codes: consonants only, so that no words appear, and without letters that are easily confused
 * (RFC 8628, section 6.1).
 */
export const PAIRING_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const PAIRING_CODE_LENGTH = 8;

const PAIRING_CODE = new RegExp(`^[${PAIRING_LETTERS}]{${PAIRING_CODE_LENGTH}}$`);

/**
 * A pairing code as typed by people: any case, with or without the dash, also in full-width letters. Normalised to the
 * form that the frame shows, `WDJB-MJHT`.
 */
export const pairingCode = z
  .string()
  .max(40)
  .transform((text) =>
    text
      .normalize('NFKC')
      .replace(/[\s\p{Pd}\u30fc_.]/gu, '')
      .toUpperCase(),
  )
  .pipe(z.string().regex(PAIRING_CODE, 'is not a code of a frame'))
  .transform((letters) => `${letters.slice(0, 4)}-${letters.slice(4)}`);

/** Screen of a frame: `width` and `height` in physical pixels, `pixelRatio` physical per CSS pixel. */
export const frameScreen = z.strictObject({
  width: z.int().min(1).max(32_768),
  height: z.int().min(1).max(32_768),
  pixelRatio: z.number().positive().max(16),
});
export type FrameScreen = z.output<typeof frameScreen>;

/** A display frame that a member has paired. */
export const pairedFrame = z.strictObject({
  id,
  name: z.string(),
  /** Self-reported description, e.g. 'Chrome, Android'; may be empty. */
  kind: z.string(),
  screen: frameScreen,
  pairedAt: time,
  /** Null until its first heartbeat. */
  lastSeenAt: time.nullable(),
  /** Whether a heartbeat arrived within the last few minutes. */
  online: z.boolean(),
  /** Version of the frame page; null until reported. */
  version: z.string().nullable(),
});
export type PairedFrame = z.output<typeof pairedFrame>;

/** What a member sees of a pairing code: the waiting frame, or the frame they paired with it. */
export const deviceState = z.strictObject({
  state: z.enum(['waiting', 'paired']),
  /** The code as shown on the frame. */
  deviceId: z.string(),
  kind: z.string(),
  screen: frameScreen,
  /** Time until which it can be paired. */
  expires_at: time,
  /** Null until it is paired. */
  frame: pairedFrame.nullable(),
});
export type DeviceState = z.output<typeof deviceState>;

/** A frame's view of itself. */
export const frameIdentity = z.strictObject({
  id,
  name: z.string(),
  /** Name of the owner. */
  owner: z.string(),
});
export type FrameIdentity = z.output<typeof frameIdentity>;

/** Self-description of a frame that requests a code. */
export const frameStart = z.strictObject({ screen: frameScreen, kind: shortText.default('') });

/** Device authorization response of RFC 8628, section 3.2; times in seconds. */
export const frameCodes = z.strictObject({
  /** Secret of the frame, exchanged for its token. */
  device_code: z.string(),
  /** Code for people to read and type. */
  user_code: z.string(),
  verification_uri: z.url(),
  /** Verification URL including the code, for a QR code. */
  verification_uri_complete: z.url(),
  expires_in: z.int(),
  interval: z.int(),
});
export type FrameCodes = z.output<typeof frameCodes>;

/** How a frame draws what it plays; `docs/frames.md` tells which files each mode uses. */
export const FRAME_MODES = ['flat', 'parallax', 'sbs', 'hsbs', 'tb', 'htb', 'anaglyph', 'quilt', 'native'] as const;
export type FrameMode = (typeof FRAME_MODES)[number];

/** A time of day, 24 hours. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 07:30');
const fit = z.enum(['fit', 'fill']);

/** How a frame plays. */
export const frameOptions = z.strictObject({
  mode: z.enum(FRAME_MODES),
  /** How long a picture stays; a video plays to its end. */
  intervalSeconds: z.int().min(LIMITS.frames.intervalSeconds.min).max(LIMITS.frames.intervalSeconds.max),
  shuffle: z.boolean(),
  transition: z.enum(['none', 'fade', 'slide']),
  /** `fill` cuts off what is beyond the screen. */
  fit,
  sound: z.boolean(),
  clock: z.boolean(),
  brightness: z.number().min(0.1).max(1),
  /** Multiplies the disparity of a picture; 1 shows it as it was converted. */
  strength: z.number().min(0).max(2),
  /** The screen is dark from one time of day to another, in the frame's zone; null never. */
  sleep: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable(),
  timeZone,
});
export type FrameOptions = z.output<typeof frameOptions>;

/** A file that a frame plays. Its content never changes, so `sha256` identifies it. */
export const frameFile = z.strictObject({
  sha256: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Content type. */
  type: z.string(),
  layout: z.enum(['whole', 'sideBySide', 'halfSideBySide', 'quilt']),
  /** Link of this server that supports ranges. It ends with the item and after `LIMITS.frames.linkHours`. */
  url: z.string(),
});
export type FrameFile = z.output<typeof frameFile>;

/** Grid of a quilt: views from left to right, bottom row first; `aspect` is width / height of one view as shown. */
const quiltGrid = z.strictObject({ columns: z.int(), rows: z.int(), aspect: z.number() });

/** One picture or video of a playlist. */
export const playlistItem = z.strictObject({
  /** Stable: the id of the item, for a picture of an album followed by `:` and the id of the picture. */
  id: z.string(),
  mediaId: id,
  name: z.string(),
  /** Name of the friend who sent it; null for the owner's. */
  sender: z.string().nullable(),
  kind: z.enum(['picture', 'video']),
  /** Pixels of the crop. */
  width: z.int(),
  height: z.int(),
  /** Length of a video. */
  seconds: z.number().nullable(),
  /** Null for the frame's. */
  fit: fit.nullable(),
  /** Percent; 0 has no depth. */
  effect: z.int(),
  /** Depth in the plane of the frame; null for the one derived from the subject. */
  convergence: z.number().nullable(),
  /** Largest disparity between the outermost views, in percent of the width. */
  budget: z.number(),
  /** Set if `main` is a quilt. */
  quilt: quiltGrid.nullable(),
  /** `main` is what the mode shows. The others are the layers of a picture, for the modes that are drawn live. */
  files: z.strictObject({
    main: frameFile.optional(),
    colour: frameFile.optional(),
    depth: frameFile.optional(),
    background: frameFile.optional(),
    backgroundDepth: frameFile.optional(),
  }),
});
export type PlaylistItem = z.output<typeof playlistItem>;

/** What a frame plays, in order. */
export const framePlaylist = z.strictObject({
  /** Hash of everything but the links: it changes with every change, and only then. The ETag is the same. */
  version: z.string(),
  frame: frameIdentity,
  options: frameOptions,
  /** Text of the `visual.json` of the display. */
  calibration: z.string().nullable(),
  items: z.array(playlistItem),
  /** Number of pictures and videos whose files are being made. */
  waiting: z.int(),
  /** When the links end. */
  expires_at: time,
});
export type FramePlaylist = z.output<typeof framePlaylist>;

/** The playlist for players of others; `docs/frames.md` is the guide. */
export const frameFeed = z.strictObject({
  version: z.string(),
  name: z.string(),
  options: frameOptions,
  items: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      sender: z.string().nullable(),
      kind: z.enum(['picture', 'video']),
      seconds: z.number().nullable(),
      fit: fit.nullable(),
      /** Absolute link that supports ranges. */
      url: z.url(),
      type: z.string(),
      /** Bytes. */
      size: z.int(),
      sha256: z.string(),
      layout: frameFile.shape.layout,
      quilt: quiltGrid.nullable(),
    }),
  ),
  waiting: z.int(),
  expires_at: time,
});

/** What went wrong on a frame with one item, or with the frame itself. */
export const FRAME_PROBLEMS = ['notLoaded', 'notDecoded', 'stalled', 'noWebGl', 'storageFull', 'other'] as const;

/** What a frame reports once a minute. Pages of earlier versions send only the first two. */
export const frameReport = z.strictObject({
  version: z.string().trim().min(1).max(40),
  screen: frameScreen,
  /** IANA name of the device's time zone. One that the server does not know is ignored. */
  timeZone: z.string().max(64).optional(),
  /** Version of the playlist whose files have all been downloaded; null while there is none. */
  playlist: z.string().max(64).nullable().optional(),
  showing: z
    .strictObject({ item: z.string().max(80), since: time })
    .nullable()
    .optional(),
  problems: z
    .array(
      z.strictObject({
        item: z.string().max(80).nullable(),
        code: z.enum(FRAME_PROBLEMS),
        detail: z.string().max(200),
      }),
    )
    .max(20)
    .optional(),
  /** Items shown since the last report. */
  shown: z.array(z.string().max(80)).max(200).optional(),
});
export type FrameReport = z.output<typeof frameReport>;

/** A frame of a member, and what it does now. */
export const ownFrame = pairedFrame.extend({
  /** Type of device that it counts as: pictures of other ratios are cropped for it. Null plays them as they are. */
  device_type_id: smallId.nullable(),
  options: frameOptions,
  hasCalibration: z.boolean(),
  /** `downloading` until the frame has all files of the present playlist; `never` until it has reported once. */
  state: z.enum(['upToDate', 'downloading', 'offline', 'empty', 'never']),
  /** Pictures and videos that it plays, and those whose files are being made. */
  count: z.int(),
  waiting: z.int(),
  /** Null for an item that is gone, and while nothing is shown. */
  showing: z.strictObject({ item: z.string(), name: z.string(), cover: z.string().nullable(), since: time }).nullable(),
  problems: z.array(
    z.strictObject({ at: time, name: z.string().nullable(), code: z.enum(FRAME_PROBLEMS), detail: z.string() }),
  ),
  /** Friends who may send to it. */
  senders: z.int(),
});
export type OwnFrame = z.output<typeof ownFrame>;

/** An entry of a frame's list: one picture or video, or an album with everything that is added to it. */
export const frameItem = z.strictObject({
  id,
  kind: z.enum(['media', 'album']),
  media_id: id.nullable(),
  album_id: id.nullable(),
  name: z.string(),
  cover: z.string().nullable(),
  /** Name of the friend who sent it; null for the owner's. */
  sender: z.string().nullable(),
  /** Id of the friendship by which it was sent; null for the owner's. */
  friend: id.nullable(),
  /** `waiting` while a file for the frame is being made; `failed` if one could not be made. */
  state: z.enum(['ready', 'waiting', 'failed']),
  failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  fit: fit.nullable(),
  added_at: time,
  /** When the frame first showed it. */
  shown_at: time.nullable(),
  /** Pictures and videos of an album. */
  quantity: z.int().nullable(),
});
export type FrameItem = z.output<typeof frameItem>;

/** A friend of the owner, and whether they may send pictures to the frame. */
export const frameSender = z.strictObject({
  /** Id of the friendship. */
  friend: id,
  name: z.string(),
  allowed: z.boolean(),
});
export type FrameSender = z.output<typeof frameSender>;

/** A frame of a friend to which the caller may send. */
export const friendsFrame = z.strictObject({
  id,
  name: z.string(),
  /** Name of the owner. */
  owner: z.string(),
});
export type FriendsFrame = z.output<typeof friendsFrame>;
