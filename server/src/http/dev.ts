import { ApiError, api } from '@framelift/contract';
import type { Context } from '../context.ts';
import { listMedia } from '../domain/media/media.ts';
import type { Handlers } from './endpoint.ts';

/** @throws ApiError `notFound` outside of the environment dev, as for a path that does not exist */
function requireDev({ settings }: Context): void {
  if (settings.environment !== 'dev') throw new ApiError('notFound');
}

export const devHandlers = {
  queryVideoList: async ({ context, actor, input }) => {
    requireDev(context);
    return listMedia(context, actor, api.videos.input.parse(input));
  },
  testBC: async ({ context, input: { text } }) => {
    requireDev(context);
    return { text, time: context.clock.now().toISOString() };
  },
} satisfies Partial<Handlers>;
