import type { FrameItem, FrameOptions, OwnFrame } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** The member's display frames, most recently paired first. */
export const frameListQuery = paged(['frames'], (at, signal) => call('frames', { input: at, signal }));

/** One frame of the member, and what it does now. */
export const frameQuery = (id: string) =>
  queryOptions({
    queryKey: ['frame', id],
    queryFn: ({ signal }) => call('getFrame', { params: { id }, signal }),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** What a frame of the member plays, in order; of the frame of a friend what the member sent there. */
export const frameItemsQuery = (id: string) =>
  queryOptions({
    queryKey: ['frameItems', id],
    queryFn: ({ signal }) => call('frameItems', { params: { id }, signal }),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** The member's friends, and who of them may send pictures to a frame. */
export const frameSendersQuery = (id: string) =>
  queryOptions({
    queryKey: ['frameSenders', id],
    queryFn: ({ signal }) => call('frameSenders', { params: { id }, signal }),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** Frames of friends to which the member may send pictures. */
export const friendsFramesQuery = queryOptions({
  queryKey: ['framesOfFriends'],
  queryFn: ({ signal }) => call('framesOfFriends', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

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
const refreshItems = (client: QueryClient, id: string) =>
  Promise.all(
    [frameItemsQuery(id).queryKey, frameQuery(id).queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
/** Stores the frame of a response where its page reads it. */
function keepFrame(client: QueryClient, frame: OwnFrame): void {
  client.setQueryData(frameQuery(frame.id).queryKey, frame);
  void refreshList(client);
}

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
  onSuccess: ({ id, name }, _input, _result, { client }) => {
    client.setQueryData(frameQuery(id).queryKey, (frame) => frame && { ...frame, name });
    return refreshList(client);
  },
  meta: QUIET,
});

export const unpairFrame = mutationOptions({
  mutationFn: (id: string) => call('unpairFrame', { input: { id } }),
  // Also after a failure: the frame may have been unpaired on the device itself.
  onSettled: (_data, _error, _id, _result, { client }) => refreshList(client),
});

const withOptions = (frame: OwnFrame, options: Partial<FrameOptions>): OwnFrame => ({
  ...frame,
  options: { ...frame.options, ...options },
});

/**
 * Changes options of a frame: at once in the cache, one call after the other. A failed call takes its own change back;
 * the caller shows the failure.
 */
export const setFrameOptions = (id: string) =>
  mutationOptions({
    mutationKey: ['frameOptions', id],
    mutationFn: (options: Partial<FrameOptions>) => call('setFrameOptions', { params: { id }, input: options }),
    scope: { id: `frame-options-${id}` },
    onMutate: async (options, { client }) => {
      const { queryKey } = frameQuery(id);
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey)?.options;
      client.setQueryData(queryKey, (frame) => frame && withOptions(frame, options));
      return before;
    },
    onError: (_error, options, before, { client }) => {
      if (before === undefined) return;
      const changed = Object.keys(options) as (keyof FrameOptions)[];
      const old = Object.fromEntries(changed.map((name) => [name, before[name]]));
      client.setQueryData(frameQuery(id).queryKey, (frame) => frame && withOptions(frame, old));
    },
    // The last of several changes decides: an earlier answer does not know the later ones yet.
    onSettled: (frame, _error, _options, _result, { client }) => {
      if (client.isMutating({ mutationKey: ['frameOptions', id] }) > 1) return;
      if (frame) keepFrame(client, frame);
      else void client.invalidateQueries({ queryKey: frameQuery(id).queryKey });
    },
    meta: QUIET,
  });

export const setFrameDevice = (id: string) =>
  mutationOptions({
    mutationFn: (device_type_id: number | null) =>
      call('setFrameDevice', { params: { id }, input: { device_type_id } }),
    onSuccess: (frame, _device, _result, { client }) => {
      keepFrame(client, frame);
      void client.invalidateQueries({ queryKey: frameItemsQuery(id).queryKey });
    },
  });

/** Stores the text of a `visual.json`, or removes it. */
export const setFrameCalibration = (id: string) =>
  mutationOptions({
    mutationFn: (calibration: string | null) => call('setFrameCalibration', { params: { id }, input: { calibration } }),
    onSuccess: (frame, _text, _result, { client }) => keepFrame(client, frame),
    meta: QUIET,
  });

/** Returns the items with one of them moved before another, or to the end. */
function withMoved(items: readonly FrameItem[], item: string, before: string | null): FrameItem[] {
  const moved = items.find(({ id }) => id === item);
  const others = items.filter(({ id }) => id !== item);
  const at = before === null ? others.length : others.findIndex(({ id }) => id === before);
  return moved && at >= 0 ? others.toSpliced(at, 0, moved) : [...items];
}

/** Moves an item: at once in the cache; a failure takes it back. */
export const moveFrameItem = (id: string) =>
  mutationOptions({
    mutationKey: ['frameOrder', id],
    mutationFn: (input: { item: string; before: string | null }) => call('moveFrameItem', { params: { id }, input }),
    scope: { id: `frame-order-${id}` },
    onMutate: async ({ item, before }, { client }) => {
      const { queryKey } = frameItemsQuery(id);
      await client.cancelQueries({ queryKey });
      const old = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (items) => items && withMoved(items, item, before));
      return old;
    },
    onError: (_error, _input, old, { client }) => client.setQueryData(frameItemsQuery(id).queryKey, old),
    onSettled: (items, _error, _input, _result, { client }) => {
      if (client.isMutating({ mutationKey: ['frameOrder', id] }) > 1) return;
      if (items) client.setQueryData(frameItemsQuery(id).queryKey, items);
      else void client.invalidateQueries({ queryKey: frameItemsQuery(id).queryKey });
    },
  });

export const removeFrameItems = (id: string) =>
  mutationOptions({
    mutationFn: (items: string[]) => call('removeFrameItems', { params: { id }, input: { items } }),
    onSuccess: (_, items, _result, { client }) => {
      client.setQueryData(frameItemsQuery(id).queryKey, (known) => known?.filter((one) => !items.includes(one.id)));
      void refreshItems(client, id);
    },
  });

/** Undoes `removeFrameItems`; possible for one day. */
export const restoreFrameItems = (id: string) =>
  mutationOptions({
    mutationFn: (items: string[]) => call('restoreFrameItems', { params: { id }, input: { items } }),
    onSuccess: (_, _items, _result, { client }) => refreshItems(client, id),
  });

/** Tries again to make the files of failed items. The server begins soon after, so they wait at once in the cache. */
export const retryFrameItems = (id: string) =>
  mutationOptions({
    mutationFn: () => call('retryFrameItems', { params: { id } }),
    onSuccess: (_, _input, _result, { client }) => {
      client.setQueryData(frameItemsQuery(id).queryKey, (items) =>
        items?.map((one) => (one.state === 'failed' ? { ...one, state: 'waiting', failure: null } : one)),
      );
      void client.invalidateQueries({ queryKey: frameQuery(id).queryKey });
    },
  });

export const fitFrameItem = (id: string) =>
  mutationOptions({
    mutationFn: (input: { item: string; fit: FrameItem['fit'] }) => call('fitFrameItem', { params: { id }, input }),
    onMutate: ({ item, fit }, { client }) => {
      const { queryKey } = frameItemsQuery(id);
      const old = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (items) => items?.map((one) => (one.id === item ? { ...one, fit } : one)));
      return old;
    },
    onError: (_error, _input, old, { client }) => client.setQueryData(frameItemsQuery(id).queryKey, old),
  });

/** Allows a friend to send pictures to a frame, or withdraws it with everything that the friend sent there. */
export const setFrameSender = (id: string) =>
  mutationOptions({
    mutationFn: (input: { friend: string; allowed: boolean }) => call('setFrameSender', { params: { id }, input }),
    onSuccess: (senders, _input, _result, { client }) => {
      client.setQueryData(frameSendersQuery(id).queryKey, senders);
      void refreshItems(client, id);
    },
  });

/** Adds pictures, videos and albums to what frames play. What a frame has already stays where it is. */
export const showOnFrame = mutationOptions({
  mutationFn: (input: { frames: string[]; media_ids: string[]; album_ids: string[] }) => call('showOnFrame', { input }),
  onSuccess: async (added, _input, _result, { client }) => {
    void refreshList(client);
    await Promise.all(added.map(({ frame }) => refreshItems(client, frame)));
  },
  meta: QUIET,
});
