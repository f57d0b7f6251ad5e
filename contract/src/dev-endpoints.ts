import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { media } from './entities.ts';
import { cursor } from './fields.ts';
import { LIMITS } from './limits.ts';

/** Endpoints for tests of other programs. They exist only in the environment `dev`. */
export const devApi = {
  queryVideoList: defineEndpoint({
    name: 'queryVideoList',
    method: 'POST',
    path: '/queryVideoList',
    kind: 'list',
    summary:
      "Lists the caller's pictures and videos like videos does, by POST. Outside of the environment dev: notFound.",
    actors: ['admin'],
    input: z.strictObject({ page: cursor.optional() }),
    output: media,
    errors: ['notFound'],
  }),
  testBC: defineEndpoint({
    name: 'testBC',
    method: 'POST',
    path: '/testBC',
    summary: 'Returns the text that it was sent and the time of the server. Outside of the environment dev: notFound.',
    actors: ['admin'],
    input: z.strictObject({ text: z.string().max(LIMITS.announcementLength).default('') }),
    output: z.strictObject({ text: z.string(), time: z.iso.datetime() }),
    errors: ['notFound'],
  }),
} as const;
