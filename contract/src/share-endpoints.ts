import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { defineEndpoint, MINUTE_SECONDS } from './endpoint.ts';
import { downloadFormat, mediaType } from './entities.ts';
import { cursor, id, time } from './fields.ts';

/** Returns how a shared picture is called: its file name without the extension. */
export const sharedTitle = (name: string): string => name.replace(/(?<=.)\.\w{2,5}$/, '');

/** A public link to a picture or video, as its owner sees it. */
export const share = z.strictObject({
  id,
  media_id: id,
  /** Name and cover of the picture or video. */
  name: z.string(),
  cover: z.string().nullable(),
  media_type: mediaType,
  /** Width and height in any unit. */
  size: z.strictObject({ width: z.int(), height: z.int() }),
  /** Address of the public page. */
  url: z.url(),
  /** Address of the page for an `<iframe>` on other websites. */
  embed: z.url(),
  created_at: time,
  /** From this time on the link answers 404; null for no end. */
  expires_at: time.nullable(),
  expired: z.boolean(),
  /** Whether everybody with the link may download the files. */
  download: z.boolean(),
  /** How often it was opened by others than its owner. */
  views: z.int(),
});
export type Share = z.output<typeof share>;

/** Formats that everybody may download. The original may tell a place and a camera; `native` needs a calibration. */
const sharedFormat = downloadFormat.exclude(['original', 'native']);
export type SharedFormat = z.output<typeof sharedFormat>;

/** A shared picture or video, as everybody with the link sees it. Nothing in it tells who shares it. */
export const sharedMedia = z.strictObject({
  name: z.string(),
  media_type: mediaType,
  /** Width and height in any unit. */
  size: z.strictObject({ width: z.int(), height: z.int() }),
  /** 3D strength in percent, disparity budget in percent of the width, and depth of the focus plane, if it was chosen. */
  effect: z.int(),
  budget: z.number(),
  convergence: z.number().nullable(),
  /** Number of views in a sweep. */
  views: z.int(),
  /** Assets of the live 3D picture; null for videos and flat pictures. */
  preview: z
    .strictObject({ colour: z.string(), depth: z.string(), background: z.string(), backgroundDepth: z.string() })
    .nullable(),
  /** The flat picture, or a still of a video. */
  picture: z.string().nullable(),
  /** The flat video, as every browser plays it; null for pictures. */
  film: z.string().nullable(),
  /** What may be downloaded, the format of the owner's frame first; empty where that is not allowed. */
  files: z.array(z.strictObject({ format: sharedFormat, url: z.string() })),
});
export type SharedMedia = z.output<typeof sharedMedia>;

const byId = z.strictObject({ id });
const token = z.string().min(1).max(100);
const settings = { expires_at: time.nullable().optional(), download: z.boolean().optional() };

/** Limits of the public calls by network: a page loads six files, and a school may sit behind one address. */
const OPENED = [{ by: 'ip', max: 600, seconds: MINUTE_SECONDS }] as const;

/** Public links to pictures and videos. */
export const shareApi = {
  // The owner
  shares: defineEndpoint({
    name: 'shares',
    method: 'GET',
    path: '/shares',
    kind: 'list',
    summary: "Lists the member's public links, newest first, expired ones included; with `media` those of one picture.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional(), media: id.optional() }),
    output: share,
    errors: ['mediaNotFound'],
  }),
  shareMedia: defineEndpoint({
    name: 'shareMedia',
    method: 'POST',
    path: '/shareMedia',
    summary:
      'Makes a public link to a converted picture or video of the member. If it has one that was not revoked, returns that one with the given settings.',
    actors: MEMBERS,
    input: z.strictObject({ id, ...settings }),
    output: share,
    errors: ['sharesClosed', 'mediaNotFound', 'obj_havent_transformed_completed', 'shareEndPassed'],
    rateLimits: [{ by: 'user', max: 120, seconds: 10 * MINUTE_SECONDS }],
  }),
  changeShare: defineEndpoint({
    name: 'changeShare',
    method: 'POST',
    path: '/changeShare',
    summary: 'Changes the end or the permission to download; what is left out stays. `expires_at` null is no end.',
    actors: MEMBERS,
    input: z.strictObject({ id, ...settings }),
    output: share,
    errors: ['shareNotFound', 'shareEndPassed'],
  }),
  revokeShare: defineEndpoint({
    name: 'revokeShare',
    method: 'POST',
    path: '/revokeShare',
    summary: 'Ends a public link at once. restoreShare undoes it for a day.',
    actors: MEMBERS,
    input: byId,
    output: byId,
    errors: ['shareNotFound'],
  }),
  restoreShare: defineEndpoint({
    name: 'restoreShare',
    method: 'POST',
    path: '/restoreShare',
    summary: 'Undoes revokeShare within a day: the same address works again.',
    actors: MEMBERS,
    input: byId,
    output: share,
    errors: ['shareNotFound'],
  }),

  // Everybody with the link
  sharedMedia: defineEndpoint({
    name: 'sharedMedia',
    method: 'GET',
    path: '/shared/{token}',
    params: z.strictObject({ token }),
    summary:
      'Returns the picture or video of a public link. An unknown, revoked or expired link and one whose picture was deleted give the same error.',
    actors: PEOPLE,
    output: sharedMedia,
    errors: ['shareNotFound'],
    rateLimits: OPENED,
  }),
  sharedPart: defineEndpoint({
    name: 'sharedPart',
    method: 'GET',
    path: '/shared/{token}/{part}',
    kind: 'file',
    params: z.strictObject({
      token,
      part: z.enum(['picture', 'colour', 'depth', 'background', 'backgroundDepth', 'film', 'wiggle']),
    }),
    /** `v` changes with the content, so that caches never show old bytes. */
    input: z.strictObject({ v: z.string().max(64).optional() }),
    summary:
      'Returns the picture, an asset of the live 3D picture, the video as browsers play it, or a short video of the moving picture. Supports ranges.',
    actors: PEOPLE,
    output: z.unknown(),
    errors: ['shareNotFound', 'conversionFailed', 'conversionTimedOut', 'obj_havent_transformed_completed'],
    rateLimits: OPENED,
  }),
  sharedFile: defineEndpoint({
    name: 'sharedFile',
    method: 'GET',
    path: '/shared/{token}/file/{format}',
    kind: 'file',
    params: z.strictObject({ token, format: sharedFormat }),
    summary: 'Returns a file to download, where the owner allows it. A picture is made in that format if need be.',
    actors: PEOPLE,
    output: z.unknown(),
    errors: [
      'shareNotFound',
      'formatNotAvailable',
      'conversionFailed',
      'conversionTimedOut',
      'obj_havent_transformed_completed',
    ],
    rateLimits: [{ by: 'ip', max: 60, seconds: MINUTE_SECONDS }],
  }),
} as const;
