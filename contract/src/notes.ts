import { z } from 'zod';

/** Notes of a conversion for the user that need no figures. Their texts are in `texts/<language>/result.json`. */
export const PLAIN_NOTES = [
  'subtitlesLeftOut',
  'soundLeftOut',
  'soundDamaged',
  'filmDamagedInPart',
  'leftEyeUsed',
  'coloursUncertain',
] as const;

/**
 * Notes about a picture: a part of it is missing in the file; a part of its own depth, or of its second eye, is missing;
 * only the first frame of an animation was converted; its crop was scaled up to `LIMITS.crop.minPx`.
 */
export const PICTURE_NOTES = ['pictureIncomplete', 'depthIncomplete', 'firstFrame', 'pictureSmall'] as const;
export type PictureNote = (typeof PICTURE_NOTES)[number];

/** A note: a code, or a code with its figures. */
export const note = z.union([
  z.enum(PLAIN_NOTES),
  /** The file ends before the video does: seconds that it holds, and seconds that its header promises. */
  z.strictObject({ code: z.literal('filmCutShort'), seconds: z.number(), promised: z.number() }),
]);
export type Note = z.output<typeof note>;
