import { z } from 'zod';
import { id, shortText, time } from './fields.ts';

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
