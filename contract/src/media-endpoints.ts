import { z } from 'zod';
import { MEMBERS, UPLOADERS } from './actors.ts';
import { defineEndpoint, MINUTE_SECONDS } from './endpoint.ts';
import {
  convergence,
  crop,
  downloadFormat,
  downloadLink,
  fileDetails,
  fileOptions,
  ground,
  media,
  mediaDetail,
  mediaStatus,
  mediaType,
  orderType,
  pairChoice,
  stroke,
} from './entities.ts';
import { cursor, id, smallId } from './fields.ts';
import { DOWNLOAD_FORMATS } from './formats.ts';
import { MEDIA_SORTS, mediaFilter } from './library-endpoints.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });

/** Endpoints for uploads and their conversions, always the caller's own. */
export const mediaApi = {
  // Uploads
  requestUploadMedia: defineEndpoint({
    name: 'requestUploadMedia',
    method: 'POST',
    path: '/requestUploadMedia',
    summary:
      'Returns presigned upload links: one for the whole file, and one per part of it. Send the file to either. A part may be sent again, which replaces it. The conversion costs what `prices` says now, charged when the upload is finished: `points` or `free_points` chooses the kind by its presence, its number is ignored; with both or neither, free points are taken if they suffice.',
    actors: UPLOADERS,
    input: z.strictObject({
      /** Without a file: `noImageSelected`. */
      originalDetails: fileDetails.optional(),
      coverDetails: fileDetails.optional(),
      obj: z.unknown().optional(),
      deviceType: smallId,
      type: orderType.default(0),
      media_type: mediaType,
      effect_param_id: smallId,
      /** Id of the caller's media whose upload is retried. */
      id: id.optional(),
      /** With `id` and the same size: keeps the parts that have arrived. Without, the earlier links become invalid. */
      resume: z.boolean().optional(),
      picFile: z.unknown().optional(),
      /** Id of an album or of a paired frame of the caller that gets the result; what else it is, is ignored. */
      to: z.string().max(100).optional(),
      points: z.number().optional(),
      free_points: z.number().optional(),
      crop: crop.optional(),
      /** Colour behind transparent parts of a picture; without it, one on which the picture can be seen. */
      ground: ground.optional(),
      /** What a picture or video is that looks like a pair. Without it, the server finds out. */
      pair: pairChoice.optional(),
    }),
    output: z.strictObject({
      media_id: id,
      /** URL to PUT the file to, with exactly the announced size and the given `headers`. */
      original: z.string(),
      cover: z.string().nullable(),
      obj: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      /** The file in parts of `size` bytes, in order: PUT each to its `url` with its `headers`, unless it has arrived. */
      parts: z.array(
        z.strictObject({
          url: z.string(),
          size: z.int(),
          headers: z.record(z.string(), z.string()),
          arrived: z.boolean(),
        }),
      ),
      expires_at: z.iso.datetime(),
    }),
    errors: [
      'noImageSelected',
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
      'notEnoughPoints',
      'notEnoughFreePoints',
      'mediaNotFound',
    ],
    // Each of many files is announced once, and again for every set of new links.
    rateLimits: [{ by: 'user', max: 4 * LIMITS.filesAtOnce, seconds: 10 * MINUTE_SECONDS }],
  }),
  setMediaS3UploadFinish: defineEndpoint({
    name: 'setMediaS3UploadFinish',
    method: 'POST',
    path: '/setMediaS3UploadFinish',
    summary:
      'Reports that the file, or all its parts, were PUT. The server checks what arrived and starts the conversion, also for effect 0 %: the status is 0 until it has ended.',
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
      'invalidExtension',
      'filmAsPicture',
      'pictureAsFilm',
      'filmDamaged',
      'filmWithoutPictures',
      'filmTooLarge',
      'filmTooSmall',
      'filmTooLong',
      'uploadImageFailed',
      'uploadVideoFailed',
      'notEnoughPoints',
      'notEnoughFreePoints',
    ],
  }),

  getUserUsage: defineEndpoint({
    name: 'getUserUsage',
    method: 'GET',
    path: '/getUserUsage',
    summary:
      "Returns the bytes used by the caller's uploads, including pending ones, and the limit. Deleted uploads do not count.",
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
      "Lists the caller's pictures and videos, newest first unless `sort` says otherwise. `type` is the order type, `page` the cursor from links.next, which fits the same `sort` only.",
    actors: UPLOADERS,
    input: mediaFilter.extend({ page: cursor.optional(), sort: z.enum(MEDIA_SORTS).default('newest') }),
    output: media,
    errors: ['albumNotFound'],
  }),
  media: defineEndpoint({
    name: 'media',
    method: 'GET',
    path: '/media/{id}',
    params: byId,
    summary: 'Returns a picture or video of the caller: status, progress, depth source, comfort, preview.',
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
    summary: 'Streams the same as server-sent events named `media` until the status is no longer 0.',
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
    /** `v` changes with the content, so that caches never show old bytes. */
    input: z.strictObject({ v: z.string().max(64).optional() }),
    summary:
      'Returns the cover, an asset of the 3D preview, the uncropped picture, or a video as browsers play it. Supports ranges.',
    actors: UPLOADERS,
    output: z.unknown(),
    errors: ['mediaNotFound', 'conversionFailed'],
  }),
  getMediaLink: defineEndpoint({
    name: 'getMediaLink',
    method: 'POST',
    path: '/getMediaLink',
    summary:
      "Returns links to the files of a finished conversion, by default in the device's native format. Other formats are made from the stored depth; for videos the response is formatBeingMade until they are ready.",
    actors: UPLOADERS,
    input: fileOptions.extend({
      id,
      format: downloadFormat.optional(),
      /** Several formats as one archive, instead of `format`. */
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
      'calibrationOfOther',
      'conversionFailed',
      'conversionTimedOut',
    ],
    rateLimits: [{ by: 'user', max: 300, seconds: 10 * MINUTE_SECONDS }],
  }),
  cancelMedia: defineEndpoint({
    name: 'cancelMedia',
    method: 'POST',
    path: '/cancelMedia',
    summary:
      'Cancels a waiting or running conversion. Cancelling a change keeps the previous result. A conversion that has ended is returned as it is.',
    actors: UPLOADERS,
    input: byId,
    output: mediaDetail,
    errors: ['mediaNotFound'],
  }),
  retryMedia: defineEndpoint({
    name: 'retryMedia',
    method: 'POST',
    path: '/retryMedia',
    summary:
      'Retries a failed or cancelled conversion from the stored upload. Its price is charged again if it was returned.',
    actors: UPLOADERS,
    input: byId,
    output: mediaDetail,
    errors: ['mediaNotFound', 'uploadMissing', 'notEnoughPoints', 'notEnoughFreePoints'],
    rateLimits: [{ by: 'user', max: 120, seconds: 10 * MINUTE_SECONDS }],
  }),
  changeMedia: defineEndpoint({
    name: 'changeMedia',
    method: 'POST',
    path: '/media/{id}/change',
    params: byId,
    summary:
      'Converts the stored upload again with another strength, crop, convergence, ground or layout of a pair; omitted fields stay. The depth is reused unless the crop or the layout changes. `crop` null is the largest centred crop, `convergence` null the one derived from the subject, `ground` null one on which a transparent picture can be seen, `pair` null what the server finds; of a video only the order of the eyes can change.',
    actors: UPLOADERS,
    input: z.strictObject({
      effect_param_id: smallId.optional(),
      crop: crop.nullable().optional(),
      convergence: convergence.nullable().optional(),
      ground: ground.nullable().optional(),
      pair: pairChoice.nullable().optional(),
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
      'notEnoughPoints',
      'notEnoughFreePoints',
    ],
    rateLimits: [{ by: 'user', max: 200, seconds: 10 * MINUTE_SECONDS }],
  }),
  setMediaDepth: defineEndpoint({
    name: 'setMediaDepth',
    method: 'PUT',
    path: '/media/{id}/depth',
    takes: 'file',
    params: byId,
    summary:
      "Converts again with the caller's own depth map: PNG or JPEG, 8 or 16 bits, any colour mode, white is near, with the crop's aspect ratio. Replaces the depth and its brush strokes.",
    actors: UPLOADERS,
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'depthNotEditable',
      'fileEmpty',
      'depthMapTooLarge',
      'storageLimitReached',
      'depthMapUnfit',
      'notAPicture',
      'pictureDamaged',
      'pictureTooLarge',
      'uploadBroken',
      'conversionFailed',
      'uploadMissing',
      'pictureTooSmall',
      'UploadTimeOut',
      'notEnoughPoints',
      'notEnoughFreePoints',
    ],
    rateLimits: [{ by: 'user', max: 60, seconds: 10 * MINUTE_SECONDS }],
  }),
  previewDepth: defineEndpoint({
    name: 'previewDepth',
    method: 'POST',
    path: '/previewDepth',
    takes: 'file',
    summary:
      'Returns the layers of a small copy of a picture, as it is cropped, to show its depth before it is uploaded. Nothing is stored, and it costs nothing.',
    actors: UPLOADERS,
    /** Data URLs. */
    output: z.strictObject({
      colour: z.string(),
      depth: z.string(),
      background: z.string(),
      backgroundDepth: z.string(),
    }),
    errors: [
      'fileEmpty',
      'notAPicture',
      'pictureDamaged',
      'pictureTooLarge',
      'cropTooSmall',
      'conversionFailed',
      'uploadBroken',
      'UploadTimeOut',
    ],
    // An estimate takes seconds of a core, and anybody can be many guests.
    rateLimits: [
      { by: 'user', max: 60, seconds: 10 * MINUTE_SECONDS },
      { by: 'ip', max: 200, seconds: 10 * MINUTE_SECONDS },
    ],
  }),
  paintMediaDepth: defineEndpoint({
    name: 'paintMediaDepth',
    method: 'POST',
    path: '/media/{id}/strokes',
    params: byId,
    summary: 'Appends brush strokes to the depth and converts again.',
    actors: UPLOADERS,
    input: z.strictObject({ strokes: z.array(stroke).min(1).max(LIMITS.strokes.count) }),
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'depthNotEditable',
      'tooManyStrokes',
      'uploadMissing',
      'notEnoughPoints',
      'notEnoughFreePoints',
    ],
    rateLimits: [{ by: 'user', max: 200, seconds: 10 * MINUTE_SECONDS }],
  }),
  undoMediaChange: defineEndpoint({
    name: 'undoMediaChange',
    method: 'POST',
    path: '/media/{id}/undo',
    params: byId,
    summary:
      'Undoes the last change of strength, crop, convergence or depth, over several steps. Undoing a failed change restores the previous result at once.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'nothingToUndo',
      'uploadMissing',
      'notEnoughPoints',
      'notEnoughFreePoints',
    ],
  }),
  redoMediaChange: defineEndpoint({
    name: 'redoMediaChange',
    method: 'POST',
    path: '/media/{id}/redo',
    params: byId,
    summary: 'Redoes the change undone last. A new change clears the redo history.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'nothingToUndo',
      'uploadMissing',
      'notEnoughPoints',
      'notEnoughFreePoints',
    ],
  }),
  deleteMedia: defineEndpoint({
    name: 'deleteMedia',
    method: 'POST',
    path: '/deleteMedia',
    summary: 'Deletes a picture or video. Its files are removed after one day; until then restoreMedia undoes it.',
    actors: MEMBERS,
    input: byId,
    output: z.strictObject({ id }),
    errors: ['mediaNotFound', 'albumInProduct'],
  }),
  restoreMedia: defineEndpoint({
    name: 'restoreMedia',
    method: 'POST',
    path: '/restoreMedia',
    summary: 'Undoes deleteMedia within its grace period.',
    actors: MEMBERS,
    input: byId,
    output: mediaDetail,
    errors: ['mediaNotFound', 'storageLimitReached'],
  }),
} as const;
