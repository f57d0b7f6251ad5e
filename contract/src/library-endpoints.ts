import { z } from 'zod';
import { MEMBERS } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { media, mediaType, orderType } from './entities.ts';
import { fileName, id, searchText, timeZone } from './fields.ts';
import { LIMITS } from './limits.ts';

/** Order of a list of pictures and videos. Names are compared without regard to case and width, numbers by value. */
export const MEDIA_SORTS = ['newest', 'oldest', 'name'] as const;

/** What restricts a list of pictures and videos. All conditions must hold. */
export const mediaFilter = z.strictObject({
  /** The order type. */
  type: z.enum(['all', '0', '1', '2']).default('all'),
  media_type: z
    .enum(['0', '1'])
    .transform((text) => Number(text) as z.output<typeof mediaType>)
    .optional(),
  /** Part of the name, without regard to case and to full or half width. */
  search: searchText.optional(),
  /** An album of the caller. */
  album: id.optional(),
});

export const mediaIds = z.array(id).min(1).max(LIMITS.mediaAtOnce);
const byIds = z.strictObject({ media_ids: mediaIds });
const someIds = z.array(id);

/** Endpoints for a member's whole collection of pictures and videos, and for many of them at once. */
export const libraryApi = {
  videosSummary: defineEndpoint({
    name: 'videosSummary',
    method: 'GET',
    path: '/videosSummary',
    summary:
      'Counts what `videos` lists: the matching items by month in `time_zone`, newest month first, and, regardless of the filter, the kinds that exist (in the album, if one is given).',
    actors: MEMBERS,
    input: mediaFilter.extend({ time_zone: timeZone.default(LIMITS.timeZone) }),
    output: z.strictObject({
      total: z.int(),
      /** `month` as YYYY-MM. */
      months: z.array(z.strictObject({ month: z.string(), count: z.int() })),
      types: z.array(orderType),
      media_types: z.array(mediaType),
    }),
    errors: ['albumNotFound'],
  }),
  renameMedia: defineEndpoint({
    name: 'renameMedia',
    method: 'POST',
    path: '/renameMedia',
    summary:
      'Renames a picture or video and its files. The extension stays: a name without it gets it. Other calls may have the earlier name in their history.',
    actors: MEMBERS,
    input: z.strictObject({ id, name: fileName }),
    output: media,
    errors: ['mediaNotFound'],
  }),
  deleteManyMedia: defineEndpoint({
    name: 'deleteManyMedia',
    method: 'POST',
    path: '/deleteManyMedia',
    summary:
      'Deletes pictures and videos, all or, with a single unknown id, none. restoreManyMedia undoes it for a day.',
    actors: MEMBERS,
    input: byIds,
    output: byIds,
    errors: ['mediaNotFound', 'albumInProduct'],
  }),
  restoreManyMedia: defineEndpoint({
    name: 'restoreManyMedia',
    method: 'POST',
    path: '/restoreManyMedia',
    summary: 'Undoes deleteManyMedia within a day, for all or none.',
    actors: MEMBERS,
    input: byIds,
    output: byIds,
    errors: ['mediaNotFound', 'storageLimitReached'],
  }),
  improveManyMedia: defineEndpoint({
    name: 'improveManyMedia',
    method: 'POST',
    path: '/improveManyMedia',
    summary:
      'Converts those again whose depth the installed engine would estimate better, and retries failed ones. `passed_over` lists the others: their depth is as good, was made by the member or the camera, or they are flat or being converted. With a single unknown id nothing is started.',
    actors: MEMBERS,
    input: byIds,
    output: z.strictObject({ started: someIds, passed_over: someIds }),
    errors: ['mediaNotFound'],
    rateLimits: [{ by: 'user', max: 30, seconds: 10 * MINUTE_SECONDS }],
  }),
  zipMedia: defineEndpoint({
    name: 'zipMedia',
    method: 'POST',
    path: '/zipMedia',
    summary:
      "Returns a link to an archive with one file of each, in its device's native format. Files in `to_make` do not exist yet: getMediaLink makes them, and the next zipMedia contains them. What cannot be included is in `left_out` and named in the archive.",
    actors: MEMBERS,
    input: z.strictObject({ media_ids: z.array(id).min(1).max(LIMITS.zipAtOnce) }),
    output: z.strictObject({
      url: z.string(),
      /** Exact size of the archive in bytes. */
      size: z.int(),
      /** Number of pictures and videos in it. */
      files: z.int(),
      to_make: someIds,
      left_out: z.array(z.strictObject({ id, name: z.string(), message: z.string() })),
    }),
    errors: ['mediaNotFound'],
    rateLimits: [{ by: 'user', max: 120, seconds: 10 * MINUTE_SECONDS }],
  }),
  mediaZip: defineEndpoint({
    name: 'mediaZip',
    method: 'GET',
    path: '/mediaZip',
    kind: 'file',
    summary: 'Downloads the archive of zipMedia, for the same member only.',
    actors: MEMBERS,
    /** Ids, separated by commas. */
    input: z.strictObject({
      media_ids: z
        .string()
        .max(LIMITS.zipAtOnce * 37)
        .transform((text) => text.split(','))
        .pipe(z.array(id).min(1).max(LIMITS.zipAtOnce)),
    }),
    output: z.unknown(),
    errors: ['mediaNotFound'],
    rateLimits: [{ by: 'user', max: 60, seconds: HOUR_SECONDS }],
  }),
} as const;
