import type { EffectParam, MEDIA_TYPE } from '@framelift/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** Available device types. They change only when an operator edits them, which is rare. */
export const deviceTypesQuery = queryOptions({
  queryKey: ['deviceTypes'],
  queryFn: ({ signal }) => call('getDeviceType', { signal }),
  staleTime: 5 * 60_000,
});

/** Returns the percentage named by an effect's label. */
export const percentOf = (effect: Pick<EffectParam, 'effect'>) => Number.parseInt(effect.effect, 10) || 0;

type MediaType = (typeof MEDIA_TYPE)[keyof typeof MEDIA_TYPE];

/** Effect strengths of one device type, 0 % first. The server omits those that the caller may not use. */
export const effectsQuery = (deviceTypeId: number, mediaType: MediaType) =>
  queryOptions({
    queryKey: ['effects', deviceTypeId, mediaType],
    queryFn: async ({ signal }) => {
      const input = { device_type_id: String(deviceTypeId), media_type: mediaType === 0 ? '0' : '1' } as const;
      const page = await call('effect_params', { input, signal });
      return page.data;
    },
    staleTime: 5 * 60_000,
  });
