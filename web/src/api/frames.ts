import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { cursorOf } from './media.ts';

/** One's own display frames, the one paired last first. */
export const frameListQuery = infiniteQueryOptions({
  queryKey: ['frames'],
  queryFn: ({ pageParam, signal }) => call('frames', { input: pageParam === null ? {} : { page: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => cursorOf(page.next),
  refetchOnMount: 'always',
  meta: { quiet: true },
});

/** The frame behind a code. It is asked about as rarely as can be: a wrong code counts, and few may be tried. */
export const deviceQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device', deviceId],
    queryFn: ({ signal }) => call('findDevice', { input: { deviceId }, signal }),
    retry: false,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });

const refreshList = (queries: QueryClient) => queries.invalidateQueries({ queryKey: frameListQuery.queryKey });

export async function pairFrame(queries: QueryClient, input: { deviceId: string; name?: string }) {
  const frame = await call('addDevice', { input });
  void refreshList(queries);
  return frame;
}

export async function refuseFrame(queries: QueryClient, deviceId: string): Promise<void> {
  await call('refuseDevice', { input: { deviceId } });
  queries.removeQueries({ queryKey: deviceQuery(deviceId).queryKey });
}

export async function renameFrame(queries: QueryClient, id: string, name: string): Promise<void> {
  await call('renameFrame', { input: { id, name } });
  await refreshList(queries);
}

/** Also after a failure the list is looked at again: somebody at the frame may have unpaired it. */
export async function unpairFrame(queries: QueryClient, id: string): Promise<void> {
  try {
    await call('unpairFrame', { input: { id } });
  } finally {
    await refreshList(queries);
  }
}
