import { z } from 'zod';
import { MEMBERS, UPLOADERS } from './actors.ts';
import { defineEndpoint, MINUTE_SECONDS } from './endpoint.ts';
import {
  convergence,
  crop,
  DOWNLOAD_FORMATS,
  downloadFormat,
  downloadLink,
  fileDetails,
  fileOptions,
  media,
  mediaDetail,
  mediaStatus,
  mediaType,
  orderType,
  stroke,
} from './entities.ts';
import { cursor, id, smallId } from './fields.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });

/** Calls about uploads and what becomes of them, always the caller's own. */
export const mediaApi = {
  // Uploads
  requestUploadMedia: defineEndpoint({
    name: 'requestUploadMedia',
    method: 'POST',
    path: '/requestUploadMedia',
    summary:
      'Asks for presigned links. A price sent by the client (points, free_points) is ignored: prices live on the server.',
    actors: UPLOADERS,
    input: z.strictObject({
      originalDetails: fileDetails,
      coverDetails: fileDetails.optional(),
      obj: z.unknown().optional(),
      deviceType: smallId,
      type: orderType.default(0),
      media_type: mediaType,
      effect_param_id: smallId,
      /** An earlier media of the caller whose upload is tried again. */
      id: id.optional(),
      picFile: z.unknown().optional(),
      to: z.string().max(100).optional(),
      points: z.number().optional(),
      free_points: z.number().optional(),
      crop: crop.optional(),
    }),
    output: z.strictObject({
      media_id: id,
      /** Address to PUT the file to, with exactly the announced size and the `headers` given. */
      original: z.string(),
      cover: z.string().nullable(),
      obj: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      expires_at: z.iso.datetime(),
    }),
    errors: [
      'fileEmpty',
      'upload_up_to_limit',
      'invalidExtension',
      'not_VIP',
      'featureNotAvailableYet',
      'no_device_registered',
      'unknownDeviceType',
      'unknownEffect',
      'cropTooSmall',
      'guestUploadLimit',
      'tooManyPendingUploads',
      'storageLimitReached',
      'mediaNotFound',
    ],
    rateLimits: [{ by: 'user', max: 30, seconds: 10 * MINUTE_SECONDS }],
  }),
  setMediaS3UploadFinish: defineEndpoint({
    name: 'setMediaS3UploadFinish',
    method: 'POST',
    path: '/setMediaS3UploadFinish',
    summary:
      'Says that the file was PUT. The server looks at what really arrived and derives the status itself: 1 for effect 0 %, else 0 and the conversion starts.',
    actors: UPLOADERS,
    input: z.strictObject({ id, status: mediaStatus.optional() }),
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'uploadMissing',
      'uploadSizeMismatch',
      'fileEmpty',
      'notAPicture',
      'pictureDamaged',
      'pictureTooLarge',
      'pictureTooSmall',
      'cropOutsidePicture',
      'cropTooSmall',
      'conversionFailed',
      'notAFilm',
      'filmDamaged',
      'filmWithoutPictures',
      'filmTooLarge',
      'filmTooSmall',
      'filmTooLong',
    ],
  }),

  getUserUsage: defineEndpoint({
    name: 'getUserUsage',
    method: 'GET',
    path: '/getUserUsage',
    summary:
      'How many bytes the uploads of the caller take, those on their way included, and how many they may. What is deleted counts no more.',
    actors: UPLOADERS,
    output: z.strictObject({ used: z.int(), limit: z.int() }),
  }),

  // Pictures and videos
  videos: defineEndpoint({
    name: 'videos',
    method: 'GET',
    path: '/videos',
    kind: 'list',
    summary:
      "The caller's pictures and videos, newest first. `type` is the order type; `page` the position from links.next.",
    actors: UPLOADERS,
    input: z.strictObject({
      page: cursor.optional(),
      type: z.enum(['all', '0', '1', '2']).default('all'),
      /** Only those that lie in this album of the caller. */
      album: id.optional(),
    }),
    output: media,
    errors: ['albumNotFound'],
  }),
  media: defineEndpoint({
    name: 'media',
    method: 'GET',
    path: '/media/{id}',
    params: byId,
    summary: 'One picture or video of the caller: status, progress, depth source, comfort, preview.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: ['mediaNotFound'],
  }),
  mediaEvents: defineEndpoint({
    name: 'mediaEvents',
    method: 'GET',
    path: '/media/{id}/events',
    kind: 'events',
    params: byId,
    summary: 'The same as a stream of server-sent events named `media`, until the status is no longer 0.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: ['mediaNotFound'],
  }),
  mediaPart: defineEndpoint({
    name: 'mediaPart',
    method: 'GET',
    path: '/media/{id}/{part}',
    kind: 'file',
    params: z.strictObject({
      id,
      part: z.enum(['cover', 'colour', 'depth', 'background', 'backgroundDepth', 'whole', 'film']),
    }),
    /** `v` changes with the bytes, so that an address seen before is never shown for new ones. */
    input: z.strictObject({ v: z.string().max(64).optional() }),
    summary:
      'Bytes of the cover, of one part of the 3D preview, of the uncropped picture, or of a video as browsers play it. Answers ranges.',
    actors: UPLOADERS,
    output: z.unknown(),
    errors: ['mediaNotFound', 'conversionFailed'],
  }),
  getMediaLink: defineEndpoint({
    name: 'getMediaLink',
    method: 'POST',
    path: '/getMediaLink',
    summary:
      "Links to the files of a finished conversion; the device's own format when none is named. Other formats are made from the stored depth; those of a video take their time: formatBeingMade until then.",
    actors: UPLOADERS,
    input: fileOptions.extend({
      id,
      format: downloadFormat.optional(),
      /** Several formats in one archive, instead of `format`. */
      zip: z
        .array(downloadFormat.exclude(['original']))
        .min(1)
        .max(DOWNLOAD_FORMATS.length)
        .optional(),
    }),
    output: z.array(downloadLink),
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'formatNotAvailable',
      'formatBeingMade',
      'calibrationMissing',
      'calibrationInvalid',
      'conversionFailed',
      'conversionTimedOut',
    ],
  }),
  cancelMedia: defineEndpoint({
    name: 'cancelMedia',
    method: 'POST',
    path: '/cancelMedia',
    summary:
      'Stops what waits or runs. A change that is stopped leaves what was there before it. One that has ended is answered as it is.',
    actors: UPLOADERS,
    input: byId,
    output: mediaDetail,
    errors: ['mediaNotFound'],
  }),
  retryMedia: defineEndpoint({
    name: 'retryMedia',
    method: 'POST',
    path: '/retryMedia',
    summary: 'Converts a failed or cancelled picture or video again from the stored upload.',
    actors: UPLOADERS,
    input: byId,
    output: mediaDetail,
    errors: ['mediaNotFound', 'uploadMissing'],
  }),
  changeMedia: defineEndpoint({
    name: 'changeMedia',
    method: 'POST',
    path: '/media/{id}/change',
    params: byId,
    summary:
      'Converts the stored upload again with another strength, crop or convergence; what is left out stays. The depth is used again unless the crop changes. `crop` null is the largest centred one, `convergence` null the one chosen from the subject.',
    actors: UPLOADERS,
    input: z.strictObject({
      effect_param_id: smallId.optional(),
      crop: crop.nullable().optional(),
      convergence: convergence.nullable().optional(),
    }),
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'uploadMissing',
      'unknownEffect',
      'cropTooSmall',
      'cropOutsidePicture',
      'pictureTooSmall',
      'filmTooSmall',
    ],
  }),
  setMediaDepth: defineEndpoint({
    name: 'setMediaDepth',
    method: 'PUT',
    path: '/media/{id}/depth',
    takes: 'file',
    params: byId,
    summary:
      "Converts again with a depth map of one's own: PNG or JPEG of 8 or 16 bits and any mode, white near, of the crop's proportions. Replaces the depth and what was painted over it.",
    actors: UPLOADERS,
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'depthNotEditable',
      'fileEmpty',
      'depthMapTooLarge',
      'depthMapUnfit',
      'notAPicture',
      'pictureDamaged',
      'pictureTooLarge',
      'uploadBroken',
      'conversionFailed',
      'uploadMissing',
      'pictureTooSmall',
      'UploadTimeOut',
    ],
  }),
  paintMediaDepth: defineEndpoint({
    name: 'paintMediaDepth',
    method: 'POST',
    path: '/media/{id}/strokes',
    params: byId,
    summary: 'Paints corrections over the depth, after those that are there, and converts again with them.',
    actors: UPLOADERS,
    input: z.strictObject({ strokes: z.array(stroke).min(1).max(LIMITS.strokes.count) }),
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'depthNotEditable',
      'tooManyStrokes',
      'uploadMissing',
    ],
  }),
  undoMediaChange: defineEndpoint({
    name: 'undoMediaChange',
    method: 'POST',
    path: '/media/{id}/undo',
    params: byId,
    summary:
      'Takes the last change of strength, crop, convergence or depth back, several deep; of a change that failed, the result before it is there at once.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: ['mediaNotFound', 'obj_havent_transformed_completed', 'nothingToUndo', 'uploadMissing'],
  }),
  redoMediaChange: defineEndpoint({
    name: 'redoMediaChange',
    method: 'POST',
    path: '/media/{id}/redo',
    params: byId,
    summary: 'Makes the change again that was taken back last. A new change ends what can be made again.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: ['mediaNotFound', 'obj_havent_transformed_completed', 'nothingToUndo', 'uploadMissing'],
  }),
  deleteMedia: defineEndpoint({
    name: 'deleteMedia',
    method: 'POST',
    path: '/deleteMedia',
    summary:
      'Takes a picture or video out of the lists. Its files go after a grace of one day; until then restoreMedia undoes it.',
    actors: MEMBERS,
    input: byId,
    output: z.strictObject({ id }),
    errors: ['mediaNotFound'],
  }),
  restoreMedia: defineEndpoint({
    name: 'restoreMedia',
    method: 'POST',
    path: '/restoreMedia',
    summary: 'Undoes deleteMedia within its grace.',
    actors: MEMBERS,
    input: byId,
    output: mediaDetail,
    errors: ['mediaNotFound'],
  }),
} as const;
