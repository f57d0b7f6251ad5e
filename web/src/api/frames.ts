import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** The member's display frames, most recently paired first. */
export const frameListQuery = paged(['frames'], (at, signal) => call('frames', { input: at, signal }));

/** The frame that waits with this code. Requested as rarely as possible: wrong codes are rate limited. */
export const deviceQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device', deviceId],
    queryFn: ({ signal }) => call('findDevice', { input: { deviceId }, signal }),
    retry: false,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: QUIET,
  });

const refreshList = (client: QueryClient) => client.invalidateQueries({ queryKey: frameListQuery.queryKey });

export const pairFrame = mutationOptions({
  mutationFn: (input: { deviceId: string; name?: string }) => call('addDevice', { input }),
  onSuccess: (_frame, _input, _result, { client }) => void refreshList(client),
  meta: QUIET,
});

export const refuseFrame = mutationOptions({
  mutationFn: (deviceId: string) => call('refuseDevice', { input: { deviceId } }),
  onSuccess: (_, deviceId, _result, { client }) => client.removeQueries({ queryKey: deviceQuery(deviceId).queryKey }),
  meta: QUIET,
});

export const renameFrame = mutationOptions({
  mutationFn: (input: { id: string; name: string }) => call('renameFrame', { input }),
  onSuccess: (_frame, _input, _result, { client }) => refreshList(client),
  meta: QUIET,
});

export const unpairFrame = mutationOptions({
  mutationFn: (id: string) => call('unpairFrame', { input: { id } }),
  // Also after a failure: the frame may have been unpaired on the device itself.
  onSettled: (_data, _error, _id, _result, { client }) => refreshList(client),
});
