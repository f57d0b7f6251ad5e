import { z } from 'zod';
import { id, shortText, time } from './fields.ts';

/**
 * Letters of the codes that frames show: consonants, so that no word comes out of them, and none that is taken for
 * another (RFC 8628, section 6.1).
 */
export const PAIRING_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const PAIRING_CODE_LENGTH = 8;

const PAIRING_CODE = new RegExp(`^[${PAIRING_LETTERS}]{${PAIRING_CODE_LENGTH}}$`);

/**
 * The code on a frame as people type it: in any case, with or without its dash, also in the full-width letters of a
 * Japanese or Chinese keyboard. Comes out as the frame shows it, `WDJB-MJHT`.
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

/** Of a frame's screen: `width` and `height` are the pixels that it lights, `pixelRatio` how many make one of CSS. */
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
  /** What it calls itself, e.g. 'Chrome, Android'; may be empty. */
  kind: z.string(),
  screen: frameScreen,
  pairedAt: time,
  /** Null until it has called for the first time. */
  lastSeenAt: time.nullable(),
  /** It called within the last few minutes. */
  online: z.boolean(),
  /** Of the page that runs on it; null until it has told. */
  version: z.string().nullable(),
});
export type PairedFrame = z.output<typeof pairedFrame>;

/** What a member sees of a code: of the frame that waits with it, or of the one that they paired with it. */
export const deviceState = z.strictObject({
  state: z.enum(['waiting', 'paired']),
  /** The code, as the frame shows it. */
  deviceId: z.string(),
  kind: z.string(),
  screen: frameScreen,
  /** Until then it can be paired. */
  expires_at: time,
  /** Null while it waits. */
  frame: pairedFrame.nullable(),
});
export type DeviceState = z.output<typeof deviceState>;

/** What a frame knows of itself. */
export const frameIdentity = z.strictObject({
  id,
  name: z.string(),
  /** Name of the member whose frame it is. */
  owner: z.string(),
});
export type FrameIdentity = z.output<typeof frameIdentity>;

/** What a frame tells of itself when it asks for a code. */
export const frameStart = z.strictObject({ screen: frameScreen, kind: shortText.default('') });

/** The answer that it gets, in the words of RFC 8628, section 3.2; times are seconds. */
export const frameCodes = z.strictObject({
  /** The frame's secret: whoever has it gets the token. */
  device_code: z.string(),
  /** For people to read and type. */
  user_code: z.string(),
  verification_uri: z.url(),
  /** The same with the code in it, for a QR code. */
  verification_uri_complete: z.url(),
  expires_in: z.int(),
  interval: z.int(),
});
export type FrameCodes = z.output<typeof frameCodes>;
