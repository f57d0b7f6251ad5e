import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { DAY_SECONDS, defineEndpoint, MINUTE_SECONDS } from './endpoint.ts';
import { crop, fileDetails, ground } from './entities.ts';
import { cursor, id, shortName, smallId, time } from './fields.ts';
import { LIMITS } from './limits.ts';
import { mediaApi } from './media-endpoints.ts';

const byId = z.strictObject({ id });

/** A link with which people without an account send pictures to its owner, as the owner sees it. */
export const uploadLink = z.strictObject({
  id,
  /** Shown to the senders. */
  name: z.string(),
  url: z.url(),
  device_type_id: smallId,
  max_uploads: z.int(),
  /** Pictures that have arrived. */
  received: z.int(),
  date: time,
  expires_at: time,
  /** `ended`: expired, or all pictures have arrived. */
  state: z.enum(['open', 'ended']),
});
export type UploadLink = z.output<typeof uploadLink>;

/** The secret in the address of a link. */
const token = z.string().min(1).max(100);

/**
 * Links for uploading. Their token opens nothing but these three calls, each of which needs it: what the link is for,
 * announcing a picture, and reporting that it was sent. Nothing that has arrived can be read with it.
 */
export const uploadLinkApi = {
  // The owner
  uploadLinks: defineEndpoint({
    name: 'uploadLinks',
    method: 'GET',
    path: '/uploadLinks',
    kind: 'list',
    summary: "Lists the member's upload links that are not revoked, newest first.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional() }),
    output: uploadLink,
  }),
  createUploadLink: defineEndpoint({
    name: 'createUploadLink',
    method: 'POST',
    path: '/createUploadLink',
    summary: 'Makes a link with which others send pictures to the member, for one device type.',
    actors: MEMBERS,
    input: z.strictObject({
      name: shortName,
      device_type_id: smallId,
      days: z.int().min(1).max(LIMITS.uploadLinks.days),
      max_uploads: z.int().min(1).max(LIMITS.uploadLinks.uploads),
    }),
    output: uploadLink,
    errors: ['unknownDeviceType', 'tooManyUploadLinks'],
    rateLimits: [{ by: 'user', max: 100, seconds: DAY_SECONDS }],
  }),
  revokeUploadLink: defineEndpoint({
    name: 'revokeUploadLink',
    method: 'POST',
    path: '/revokeUploadLink',
    summary:
      'Ends a link at once: unfinished uploads are dropped, what has arrived stays. Undone by restoreUploadLink.',
    actors: MEMBERS,
    input: byId,
    output: byId,
    errors: ['uploadLinkNotFound'],
  }),
  restoreUploadLink: defineEndpoint({
    name: 'restoreUploadLink',
    method: 'POST',
    path: '/restoreUploadLink',
    summary: 'Undoes revokeUploadLink within a day. The link keeps its end date and its count.',
    actors: MEMBERS,
    input: byId,
    output: uploadLink,
    errors: ['uploadLinkNotFound', 'tooManyUploadLinks'],
  }),

  // The senders
  openUploadLink: defineEndpoint({
    name: 'openUploadLink',
    method: 'POST',
    path: '/uploadLink/open',
    summary:
      'What a link is for: its owner, its name, the ratio of the frame, and how many pictures may still be sent.',
    actors: PEOPLE,
    input: z.strictObject({ token }),
    output: z.strictObject({
      owner: z.string(),
      name: z.string(),
      device: z.strictObject({ id: smallId, name: z.string(), ratio: z.string() }),
      left: z.int(),
      expires_at: time,
    }),
    errors: ['uploadLinkNotFound', 'uploadLinkEnded'],
    rateLimits: [{ by: 'ip', max: 120, seconds: 10 * MINUTE_SECONDS }],
  }),
  announceLinkUpload: defineEndpoint({
    name: 'announceLinkUpload',
    method: 'POST',
    path: '/uploadLink/announce',
    summary:
      "Announces one picture and returns the links to upload it to, like requestUploadMedia. It takes one place of the link and counts against the owner's storage until it has arrived or its links have expired.",
    actors: PEOPLE,
    input: z.strictObject({
      token,
      /** As typed by the sender. */
      sender: shortName,
      file: fileDetails,
      crop: crop.optional(),
      ground: ground.optional(),
      /** Media of an earlier attempt by this link. */
      media_id: id.optional(),
      /** With `media_id` and the same size: keeps the parts that have arrived. */
      resume: z.boolean().optional(),
    }),
    output: mediaApi.requestUploadMedia.output,
    errors: [
      'uploadLinkNotFound',
      'uploadLinkEnded',
      'uploadLinkFull',
      'uploadLinkPaused',
      'fileEmpty',
      'upload_up_to_limit',
      'invalidExtension',
      'no_device_registered',
      'unknownDeviceType',
      'unknownEffect',
      'cropTooSmall',
      'tooManyPendingUploads',
      'mediaNotFound',
    ],
    rateLimits: [{ by: 'ip', max: 60, seconds: 10 * MINUTE_SECONDS }],
  }),
  finishLinkUpload: defineEndpoint({
    name: 'finishLinkUpload',
    method: 'POST',
    path: '/uploadLink/finish',
    summary: 'Reports that a picture was sent. The server checks it and gives it to the owner. Idempotent.',
    actors: PEOPLE,
    input: z.strictObject({ token, media_id: id }),
    output: z.strictObject({ media_id: id }),
    errors: [...mediaApi.setMediaS3UploadFinish.errors, 'uploadLinkNotFound', 'uploadLinkFull', 'uploadLinkPaused'],
    rateLimits: [{ by: 'ip', max: 120, seconds: 10 * MINUTE_SECONDS }],
  }),
} as const;
