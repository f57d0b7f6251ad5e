import {
  type Api,
  type AuditFilter,
  type DepthModel,
  type EntryKind,
  type Language,
  type LegalKind,
  type ManagedFrameFilter,
  type ManagedLiveEvent,
  type ManagedOffer,
  type ManagedOrderFilter,
  type ManagedPaymentFilter,
  MEDIA_TYPE,
  type MemberFilter,
  type SentInputOf,
} from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { configQuery } from './config.ts';
import { deviceTypesQuery, effectsQuery } from './device-types.ts';
import { allPages, paged } from './paged.ts';
import { PAGES_KEY } from './pages.ts';
import { QUIET } from './query-client.ts';

/** First part of the key of every query of /admin, so that one change invalidates all of them. */
const KEY = 'admin';
const LOOK_MS = 5000;
/** While something moves that somebody watches. */
const PROGRESS_MS = 1500;
/** Longer, because the server runs count queries for it. */
const COUNT_MS = 15_000;

/** State of the engine and its queue. */
export const engineStatusQuery = queryOptions({
  queryKey: [KEY, 'engine'],
  queryFn: ({ signal }) => call('engineStatus', { signal }),
  refetchInterval: LOOK_MS,
  meta: QUIET,
});

/** The neural depth model: being fetched, in use, removed, or why not. */
export const depthModelQuery = queryOptions({
  queryKey: [KEY, 'depthModel'],
  queryFn: ({ signal }) => call('depthModel', { signal }),
  refetchInterval: ({ state }) => (isBeingMade(state.data) ? PROGRESS_MS : LOOK_MS),
  meta: QUIET,
});
const isBeingMade = (answer: DepthModel | undefined) =>
  ['waiting', 'fetching', 'checking'].includes(answer?.model?.state ?? '');

const changingDepthModel = (mutationFn: () => Promise<DepthModel>) =>
  mutationOptions({
    mutationFn,
    onSuccess: (answer, _variables, _result, { client }) => {
      client.setQueryData(depthModelQuery.queryKey, answer);
    },
  });
export const fetchDepthModel = changingDepthModel(() => call('fetchDepthModel'));
export const removeDepthModel = changingDepthModel(() => call('removeDepthModel'));

/** Health and statistics of the whole site. */
export const siteStatusQuery = queryOptions({
  queryKey: [KEY, 'status'],
  queryFn: ({ signal }) => call('siteStatus', { signal }),
  refetchInterval: COUNT_MS,
  meta: QUIET,
});

/** Members, newest first. */
export const usersQuery = (filter: MemberFilter) =>
  paged([KEY, 'users', filter], (at, signal) => call('users', { input: { ...filter, ...at }, signal }));

export const userDetailQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'user', id],
    queryFn: ({ signal }) => call('userDetail', { params: { id }, signal }),
    meta: QUIET,
  });

export const auditLogQuery = (filter: AuditFilter) =>
  paged([KEY, 'log', filter], (at, signal) => call('auditLog', { input: { ...filter, ...at }, signal }));

export const pinCodeBatchesQuery = paged([KEY, 'pinCodes'], (at, signal) =>
  call('pinCodeBatches', { input: at, signal }),
);

/** Sends a notification to members; the form shows a failure itself. */
export const sendNotification = mutationOptions({
  mutationFn: (input: SentInputOf<Api['sendNotification']>) => call('sendNotification', { input }),
  onSuccess: (_sent, _input, _result, { client }) => refreshAdmin(client),
  meta: QUIET,
});

export const managedNotificationsQuery = paged([KEY, 'notifications'], (at, signal) =>
  call('managedNotifications', { input: at, signal }),
);

export const siteSettingsQuery = queryOptions({
  queryKey: [KEY, 'settings'],
  queryFn: ({ signal }) => call('siteSettings', { signal }),
  meta: QUIET,
});

export const managedDeviceTypesQuery = queryOptions({
  queryKey: [KEY, 'deviceTypes'],
  queryFn: ({ signal }) => call('managedDeviceTypes', { signal }),
  meta: QUIET,
});

/** All strengths of a device type but 0 %, inactive ones too. */
export const managedEffectsQuery = (deviceTypeId: number) =>
  queryOptions({
    queryKey: [KEY, 'effects', deviceTypeId],
    queryFn: ({ signal }) => call('managedEffects', { input: { device_type_id: String(deviceTypeId) }, signal }),
    meta: QUIET,
  });

/** Paired frames of all members, most recently paired first. */
export const managedFramesQuery = (filter: ManagedFrameFilter) =>
  paged([KEY, 'frames', filter], (at, signal) => call('managedFrames', { input: { ...filter, ...at }, signal }));

/** The members who store most. */
export const storageUseQuery = (input: SentInputOf<Api['storageUse']>) =>
  queryOptions({
    queryKey: [KEY, 'storage', input],
    queryFn: ({ signal }) => call('storageUse', { input, signal }),
    meta: QUIET,
  });

/** Orders of all members, newest first. */
export const managedOrdersQuery = (filter: ManagedOrderFilter) =>
  paged([KEY, 'orders', filter], (at, signal) => call('managedOrders', { input: { ...filter, ...at }, signal }));

/** Prices of conversions that an operator set, those of all device types first. */
export const conversionPricesQuery = queryOptions({
  queryKey: [KEY, 'prices'],
  queryFn: ({ signal }) => call('conversionPrices', { signal }),
  meta: QUIET,
});

export const adSettingsQuery = queryOptions({
  queryKey: [KEY, 'ads'],
  queryFn: ({ signal }) => call('adSettings', { signal }),
  meta: QUIET,
});

/** Changes of a member's points, newest first, with texts in one language. */
export const userPointEntriesQuery = (id: string, language: Language) =>
  paged([KEY, 'points', id, language], (at, signal) => call('userPointEntries', { params: { id }, input: at, signal }));

/** Refreshes all of /admin, the public configuration and what people can choose after a change. */
export async function refreshAdmin(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [KEY] }),
    queries.invalidateQueries({ queryKey: configQuery.queryKey }),
    queries.invalidateQueries({ queryKey: deviceTypesQuery.queryKey }),
    queries.invalidateQueries({ queryKey: ['effects'] }),
    queries.invalidateQueries({ queryKey: [PAGES_KEY] }),
    ...['stores', 'products', 'product', 'product-solutions', 'plan-solutions'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  ]);
}

/** Creates a batch of serial codes. */
export const createPinCodes = mutationOptions({
  mutationFn: (input: SentInputOf<Api['createPinCodes']>) => call('createPinCodes', { input }),
  onSuccess: (_made, _input, _result, { client }) => void refreshAdmin(client),
});

/** Creates an order of pictures taken on site. */
export const createOnSiteOrder = mutationOptions({
  mutationFn: (input: SentInputOf<Api['createOnSiteOrder']>) => call('createOnSiteOrder', { input }),
  onSuccess: (_made, _input, _result, { client }) => void refreshAdmin(client),
  meta: QUIET,
});

interface OnSiteFile {
  readonly orderId: string;
  readonly file: File;
  readonly deviceId: number;
  /** Label of the strength, such as '100%'; videos without it take their strongest. */
  readonly strength: string;
  readonly signal: AbortSignal;
}

/** Sends one picture or video to an order. @throws CallError; TypeError if the connection broke */
export async function sendOnSiteFile(
  queries: QueryClient,
  { orderId, file, deviceId, strength, signal }: OnSiteFile,
): Promise<void> {
  const media_type = /^video\//.test(file.type) ? MEDIA_TYPE.video : MEDIA_TYPE.picture;
  const effects = await queries.ensureQueryData(effectsQuery(deviceId, media_type));
  const effect = effects.find(({ effect: label }) => label === strength) ?? effects.at(-1);
  const { media_id, original, headers } = await call('requestOnSiteUpload', {
    input: {
      order_id: orderId,
      originalDetails: { name: file.name, size: file.size, type: file.type },
      deviceType: deviceId,
      media_type,
      effect_param_id: effect?.id ?? 0,
    },
    signal,
  });
  const stored = await fetch(original, { method: 'PUT', headers, body: file, signal });
  if (!stored.ok) throw new TypeError(`The store answered ${stored.status}`);
  await call('finishOnSiteUpload', { input: { order_id: orderId, id: media_id }, signal });
}

/** All payments, newest first, with names in one language. */
export const managedPaymentsQuery = (filter: ManagedPaymentFilter, language: Language) =>
  paged([KEY, 'payments', filter, language], (at, signal) =>
    call('managedPayments', { input: { ...filter, ...at }, signal }),
  );

/** A payment with its history and its refunds. */
export const managedPaymentQuery = (id: string, language: Language) =>
  queryOptions({
    queryKey: [KEY, 'payment', id, language],
    queryFn: ({ signal }) => call('managedPayment', { params: { id }, signal }),
    meta: QUIET,
  });

/** Plans and products of all members, newest first. */
export const managedSubscriptionsQuery = (
  filter: Omit<SentInputOf<Api['managedSubscriptions']>, 'page'>,
  language: Language,
) =>
  paged([KEY, 'subscriptions', filter, language], (at, signal) =>
    call('managedSubscriptions', { input: { ...filter, ...at }, signal }),
  );

export const closePayment = (input: SentInputOf<Api['closePayment']>) => call('closePayment', { input });
export const repairPayment = (input: SentInputOf<Api['repairPayment']>) => call('repairPayment', { input });
export const refundPayment = (input: SentInputOf<Api['refundPayment']>) => call('refundPayment', { input });

// Calls for `useUndoableAction`, used to make a change and to undo it.
export const setUserConfirmed = (input: SentInputOf<Api['setUserConfirmed']>) => call('setUserConfirmed', { input });
export const setUserRestricted = (input: SentInputOf<Api['setUserRestricted']>) => call('setUserRestricted', { input });
export const setUserVip = (input: SentInputOf<Api['setUserVip']>) => call('setUserVip', { input });
export const setUserAdmin = (input: SentInputOf<Api['setUserAdmin']>) => call('setUserAdmin', { input });
export const signOutUser = (id: string) => call('signOutUser', { input: { id } });
export const setPinCodesRevoked = (id: string, revoked: boolean) =>
  call('setPinCodesRevoked', { input: { id, revoked } });
export const setMaintenance = (input: SentInputOf<Api['setMaintenance']>) => call('setMaintenance', { input });
export const setAnnouncement = (input: SentInputOf<Api['setAnnouncement']>) => call('setAnnouncement', { input });
export const setNotificationWithdrawn = (id: string, withdrawn: boolean) =>
  call('setNotificationWithdrawn', { input: { id, withdrawn } });
export const setDeviceType = (input: SentInputOf<Api['setDeviceType']>) => call('setDeviceType', { input });
export const setEffect = (input: SentInputOf<Api['setEffect']>) => call('setEffect', { input });
export const unpairMemberFrame = (id: string) => call('unpairMemberFrame', { input: { id } });
export const setStorageDefault = (input: SentInputOf<Api['setStorageDefault']>) => call('setStorageDefault', { input });
export const setUserStorage = (input: SentInputOf<Api['setUserStorage']>) => call('setUserStorage', { input });
export const setFeatures = (input: SentInputOf<Api['setFeatures']>) => call('setFeatures', { input });

export const setConversionPrice = (input: SentInputOf<Api['setConversionPrice']>) =>
  call('setConversionPrice', { input });
export const setAdSettings = (input: SentInputOf<Api['setAdSettings']>) => call('setAdSettings', { input });
export const correctPoints = (input: SentInputOf<Api['correctPoints']>) => call('correctPoints', { input });

/** URL of a list as a CSV file; the browser sends its session cookie with it. */
export function csvAddress(
  list: 'usersCsv' | 'managedFramesCsv' | 'auditLogCsv' | 'managedPaymentsCsv',
  filter: Readonly<Record<string, string | undefined>>,
) {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return `/api/${list}?${new URLSearchParams(given)}`;
}

export const remakeMissing = mutationOptions({ mutationFn: () => call('remakeMissing') });

/** All stores, inactive ones too. */
export const managedStoresQuery = queryOptions({
  queryKey: [KEY, 'stores'],
  queryFn: ({ signal }) => call('managedStores', { signal }),
  meta: QUIET,
});

/** Products of all stores or of one, also those that are not on show. */
export const managedProductsQuery = (store: string | undefined) =>
  paged([KEY, 'products', store], (at, signal) =>
    call('managedProducts', { input: { ...at, ...(store !== undefined && { store }) }, signal }),
  );

/** All products, for choosing one of them. */
export const allManagedProductsQuery = queryOptions({
  queryKey: [KEY, 'products', 'all'],
  queryFn: ({ signal }) => allPages((at) => call('managedProducts', { input: at, signal })),
  meta: QUIET,
});

export const managedPlansQuery = queryOptions({
  queryKey: [KEY, 'plans'],
  queryFn: ({ signal }) => call('managedPlans', { signal }),
  meta: QUIET,
});

/** Everything that is or was for sale, of one kind or of all. */
export const managedOffersQuery = (kind: ManagedOffer['kind'] | undefined) =>
  paged([KEY, 'offers', kind], (at, signal) =>
    call('managedOffers', { input: { ...at, ...(kind !== undefined && { kind }) }, signal }),
  );

export const setStore = (input: SentInputOf<Api['setStore']>) => call('setStore', { input });
export const setProduct = (input: SentInputOf<Api['setProduct']>) => call('setProduct', { input });
export const setPlan = (input: SentInputOf<Api['setPlan']>) => call('setPlan', { input });
export const setOffer = (input: SentInputOf<Api['setOffer']>) => call('setOffer', { input });
export const archiveOffer = (id: number, archived: boolean) => call('archiveOffer', { input: { id, archived } });

/** Live events of one state or of all, the latest first. */
export const managedLiveEventsQuery = (state: ManagedLiveEvent['state'] | undefined) =>
  paged([KEY, 'live', state], (at, signal) =>
    call('managedLiveEvents', { input: { ...at, ...(state !== undefined && { state }) }, signal }),
  );

export const liveSettingsQuery = queryOptions({
  queryKey: [KEY, 'live', 'settings'],
  queryFn: ({ signal }) => call('liveSettings', { signal }),
  meta: QUIET,
});

export const setLiveEvent = (input: SentInputOf<Api['setLiveEvent']>) => call('setLiveEvent', { input });
export const deleteLiveEvent = (id: string) => call('deleteLiveEvent', { input: { id } });
export const restoreLiveEvent = (id: string) => call('restoreLiveEvent', { input: { id } });
export const checkLiveSource = (source: string) => call('checkLiveSource', { input: { source } });
export const setLiveSettings = (input: SentInputOf<Api['setLiveSettings']>) => call('setLiveSettings', { input });

/** Questions or places in their order, hidden ones too. */
export const managedEntriesQuery = (kind: EntryKind) =>
  queryOptions({
    queryKey: [KEY, 'entries', kind],
    queryFn: ({ signal }) => call('managedEntries', { input: { kind }, signal }),
    meta: QUIET,
  });

export const setEntry = (input: SentInputOf<Api['setEntry']>) => call('setEntry', { input });
export const moveEntry = (id: string, before: string | null) => call('moveEntry', { input: { id, before } });
export const deleteEntry = (id: string) => call('deleteEntry', { input: { id } });
export const restoreEntry = (id: string) => call('restoreEntry', { input: { id } });

/** All versions of a legal text in every language, the latest first. */
export const legalVersionsQuery = (kind: LegalKind) =>
  queryOptions({
    queryKey: [KEY, 'legal', kind],
    queryFn: ({ signal }) => call('legalVersions', { input: { kind }, signal }),
    meta: QUIET,
  });

export const publishLegalText = (input: SentInputOf<Api['publishLegalText']>) => call('publishLegalText', { input });
export const withdrawLegalText = (id: string, withdrawn: boolean) =>
  call('withdrawLegalText', { input: { id, withdrawn } });
