import { z } from 'zod';
import { MEMBERS, PEOPLE, SIGNED_IN, UPLOADERS } from './actors.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  convergence,
  crop,
  deviceType,
  downloadFormat,
  downloadLink,
  effectParam,
  engineStatus,
  fileDetails,
  media,
  mediaDetail,
  mediaStatus,
  mediaType,
  orderType,
  publicConfig,
  stroke,
  user,
} from './entities.ts';
import { cursor, email, id, newPassword, phone, shortName, smallId, smallIdText } from './fields.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });
/** A password as typed at login: any length that could ever have been accepted. */
const typedPassword = z.string().min(1).max(LIMITS.password.max);
/** Secret of a mailed link: 32 random bytes in base64url. */
const linkCode = z.string().min(1).max(100);

/** Every call of the API. The server mounts exactly these; a call that is not here does not exist. */
export const api = {
  config: defineEndpoint({
    name: 'config',
    method: 'GET',
    path: '/config',
    summary: 'What the web app must know before anybody is logged in.',
    actors: PEOPLE,
    output: publicConfig,
  }),

  // Accounts
  register: defineEndpoint({
    name: 'register',
    method: 'POST',
    path: '/register',
    summary: 'Creates an account and mails a confirmation link. The answer is the same for an address that has one.',
    actors: PEOPLE,
    input: z.strictObject({
      name: shortName,
      email,
      phone: phone.default(''),
      password: newPassword,
      password_confirmation: z.string().max(LIMITS.password.max),
      recaptcha: z.string().max(10_000).optional(),
      isChecked: z.boolean(),
    }),
    output: z.strictObject({ email: z.string() }),
    errors: ['passwordsDoNotMatch', 'agreementMissing'],
  }),
  sendConfirmEmail: defineEndpoint({
    name: 'sendConfirmEmail',
    method: 'POST',
    path: '/sendConfirmEmail',
    summary: 'Mails the confirmation link again. The answer is the same for every address.',
    actors: PEOPLE,
    input: z.strictObject({ email }),
    output: z.strictObject({ email: z.string() }),
  }),
  confirmEmail: defineEndpoint({
    name: 'confirmEmail',
    method: 'POST',
    path: '/confirmEmail',
    summary: 'Confirms an address with the code of the mailed link. Opening the link alone never does.',
    actors: PEOPLE,
    input: z.strictObject({ email, code: linkCode }),
    output: z.strictObject({ alreadyConfirmed: z.boolean() }),
    errors: ['incorrectVerificationCode', 'expiredVerificationCode'],
  }),
  login: defineEndpoint({
    name: 'login',
    method: 'POST',
    path: '/login',
    summary: 'Starts a session: the token is answered for API clients and set as an HttpOnly cookie for the web app.',
    actors: PEOPLE,
    input: z.strictObject({ email: z.string().trim().min(1).max(LIMITS.emailLength), password: typedPassword }),
    output: z.strictObject({ token: z.string(), user }),
    errors: ['loginFailed'],
  }),
  guestLogin: defineEndpoint({
    name: 'guestLogin',
    method: 'POST',
    path: '/guestLogin',
    summary: 'Starts a guest session. The same guestId finds the same uploads again; it is a secret of the browser.',
    actors: PEOPLE,
    input: z.strictObject({ guestId: z.string().min(16).max(128) }),
    output: z.strictObject({ token: z.string(), user }),
  }),
  logout: defineEndpoint({
    name: 'logout',
    method: 'POST',
    path: '/logout',
    summary: 'Ends this session on the server and clears the cookie. Without a session it succeeds as well.',
    actors: PEOPLE,
    output: z.strictObject({}),
  }),
  user: defineEndpoint({
    name: 'user',
    method: 'GET',
    path: '/user',
    summary: 'The member or guest of this session.',
    actors: SIGNED_IN,
    output: user,
  }),

  // Devices and effects
  getDeviceType: defineEndpoint({
    name: 'getDeviceType',
    method: 'POST',
    path: '/getDeviceType',
    summary: 'The kinds of display frames that pictures can be converted for, active ones only.',
    actors: PEOPLE,
    output: z.array(deviceType),
  }),
  effect_params: defineEndpoint({
    name: 'effect_params',
    method: 'GET',
    path: '/effect_params',
    kind: 'list',
    summary:
      'The strengths offered for a device type and media type: activated ones, 0 % first; VIP ones only to VIPs.',
    actors: PEOPLE,
    input: z.strictObject({
      device_type_id: smallIdText,
      media_type: z.enum(['0', '1']).transform(Number).pipe(mediaType),
    }),
    output: effectParam,
    errors: ['unknownDeviceType'],
  }),

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
    ],
  }),

  // Pictures and films
  videos: defineEndpoint({
    name: 'videos',
    method: 'GET',
    path: '/videos',
    kind: 'list',
    summary:
      "The caller's pictures and films, newest first. `type` is the order type; `page` the position from links.next.",
    actors: UPLOADERS,
    input: z.strictObject({
      page: cursor.optional(),
      type: z.enum(['all', '0', '1', '2']).default('all'),
    }),
    output: media,
  }),
  media: defineEndpoint({
    name: 'media',
    method: 'GET',
    path: '/media/{id}',
    params: byId,
    summary: 'One picture or film of the caller: status, progress, depth source, comfort, preview.',
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
      'Bytes of the cover, of one part of the 3D preview, of the uncropped picture, or of a film as browsers play it. Answers ranges.',
    actors: UPLOADERS,
    output: z.unknown(),
    errors: ['mediaNotFound'],
  }),
  getMediaLink: defineEndpoint({
    name: 'getMediaLink',
    method: 'POST',
    path: '/getMediaLink',
    summary:
      "Links to the files of a finished conversion; the device's own format when none is named. Other formats are made from the stored depth; those of a film take their time: formatBeingMade until then.",
    actors: UPLOADERS,
    input: z.strictObject({ id, format: downloadFormat.optional() }),
    output: z.array(downloadLink),
    errors: [
      'mediaNotFound',
      'obj_havent_transformed_completed',
      'formatNotAvailable',
      'formatBeingMade',
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
    summary: 'Converts a failed or cancelled picture or film again from the stored upload.',
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
    errors: ['mediaNotFound', 'obj_havent_transformed_completed', 'depthNotEditable', 'tooManyStrokes'],
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
    errors: ['mediaNotFound', 'obj_havent_transformed_completed', 'nothingToUndo'],
  }),
  redoMediaChange: defineEndpoint({
    name: 'redoMediaChange',
    method: 'POST',
    path: '/media/{id}/redo',
    params: byId,
    summary: 'Makes the change again that was taken back last. A new change ends what can be made again.',
    actors: UPLOADERS,
    output: mediaDetail,
    errors: ['mediaNotFound', 'obj_havent_transformed_completed', 'nothingToUndo'],
  }),
  deleteMedia: defineEndpoint({
    name: 'deleteMedia',
    method: 'POST',
    path: '/deleteMedia',
    summary:
      'Takes a picture or film out of the lists. Its files go after a grace of one day; until then restoreMedia undoes it.',
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

  // For operators
  engineStatus: defineEndpoint({
    name: 'engineStatus',
    method: 'GET',
    path: '/engineStatus',
    summary: 'Which engine converts here, its licence, its self-test and versions, and how long the queue is.',
    actors: ['admin'],
    output: engineStatus,
  }),
} as const;

export type Api = typeof api;
export type EndpointName = keyof Api;
