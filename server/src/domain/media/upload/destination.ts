import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

const destined = z.strictObject({ mediaId: z.uuid(), destination: z.uuid() });
/** `destination` is the id of an album or of a frame. */
export type Destined = z.output<typeof destined>;

// Two jobs, because this domain knows neither albums nor frames: each ignores the ids of the other.
/** Adds an upload to the album that it was made for. */
export const uploadForAlbum = defineJob('upload.arrived', destined);
/** Adds an upload to what the frame plays that it was made for. */
export const uploadForFrame = defineJob('upload.frame', destined);
