import { ACTORS, type Actor, api, type Endpoint, type EndpointName } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertFrame } from '../domain/frame/frame.sql.ts';
import { newFrameToken } from '../domain/frame/frame-token.ts';
import { startSession } from '../domain/user/session.ts';
import { users } from '../platform/db/schema.ts';
import { hashSecret } from '../platform/secrets.ts';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { addEvent, watchAs } from '../testing/live.ts';
import { portrait, requestFor, smallJpeg, upload } from '../testing/uploads.ts';

const endpoints = Object.values(api) as Endpoint[];

/**
 * Who may call what: `+` in the columns of `COLUMNS`. It is written from the specification and from
 * `docs/decisions/`, never from the contract, which it is to prove. Every endpoint has a line.
 */
const COLUMNS = ['visitor', 'guest', 'unconfirmed', 'member', 'suspended', 'vip', 'admin', 'frame'] as const;
const POLICY: Readonly<Record<EndpointName, string>> = {
  // Public pages, the ways to a session, and a frame that nobody has paired yet [section 2, roles of section 1].
  config: '+++++++.',
  publicNotifications: '+++++++.',
  faq: '+++++++.',
  locations: '+++++++.',
  legalText: '+++++++.',
  register: '+++++++.',
  sendConfirmEmail: '+++++++.',
  confirmEmail: '+++++++.',
  login: '+++++++.',
  guestLogin: '+++++++.',
  logout: '+++++++.',
  captchaChallenge: '+++++++.',
  forgetPassword: '+++++++.',
  changePassword: '+++++++.',
  getDeviceType: '+++++++.',
  effect_params: '+++++++.',
  startFrame: '+++++++.',
  pollFrame: '+++++++.',
  // People with an upload link: its token opens these calls, whoever is logged in.
  openUploadLink: '+++++++.',
  announceLinkUpload: '+++++++.',
  finishLinkUpload: '+++++++.',
  // What a public link shows, to everybody who has the link.
  sharedMedia: '+++++++.',
  sharedPart: '+++++++.',
  sharedFile: '+++++++.',
  // The shop; a guest gets an empty list of stores [R-7.lists.5].
  stores: '+++++++.',
  storeIcon: '+++++++.',
  products: '+++++++.',
  product: '+++++++.',
  productPart: '+++++++.',
  product_solutions: '+++++++.',
  plan_solutions: '+++++++.',
  point_solutions: '+++++++.',
  // What is broadcast, for everybody to see; watching it is for members.
  liveEvents: '+++++++.',
  liveEvent: '+++++++.',
  liveCover: '+++++++.',
  // Everyone with a session; an unconfirmed member has only this and the confirmation [decision 17].
  user: '.++++++.',
  checkTokenForUser: '.++++++.',
  // A guest may upload only: pictures, their conversion, and what it makes of them [section 1].
  requestUploadMedia: '.+.++++.',
  setMediaS3UploadFinish: '.+.++++.',
  getUserUsage: '.+.++++.',
  videos: '.+.++++.',
  media: '.+.++++.',
  mediaEvents: '.+.++++.',
  mediaPart: '.+.++++.',
  getMediaLink: '.+.++++.',
  cancelMedia: '.+.++++.',
  retryMedia: '.+.++++.',
  changeMedia: '.+.++++.',
  setMediaDepth: '.+.++++.',
  paintMediaDepth: '.+.++++.',
  previewDepth: '.+.++++.',
  undoMediaChange: '.+.++++.',
  redoMediaChange: '.+.++++.',
  prices: '.+.++++.',
  // Members: profile, albums, orders, paired frames, notifications [section 1]. A failed payment takes away none of it.
  userUpdate: '...++++.',
  changeEmail: '...++++.',
  sessions: '...++++.',
  revokeSession: '...++++.',
  revokeOtherSessions: '...++++.',
  getUserInfo: '...++++.',
  getCurrentPlan: '...++++.',
  setVIP: '...++++.',
  exportAccount: '...++++.',
  accountExport: '...++++.',
  liveAccess: '...++++.',
  confirmAge: '...++++.',
  watchLive: '...++++.',
  liveHeartbeat: '...++++.',
  endLive: '...++++.',
  livePlaylist: '...++++.',
  liveSegment: '...++++.',
  speedTest: '...++++.',
  albums: '...++++.',
  album: '...++++.',
  albumCreate: '...++++.',
  editToAlbum: '...++++.',
  deleteAlbum: '...++++.',
  restoreAlbum: '...++++.',
  orders: '...++++.',
  order: '...++++.',
  deleteMedia: '...++++.',
  videosSummary: '...++++.',
  renameMedia: '...++++.',
  deleteManyMedia: '...++++.',
  restoreManyMedia: '...++++.',
  improveManyMedia: '...++++.',
  zipMedia: '...++++.',
  mediaZip: '...++++.',
  shares: '...++++.',
  shareMedia: '...++++.',
  changeShare: '...++++.',
  revokeShare: '...++++.',
  restoreShare: '...++++.',
  restoreMedia: '...++++.',
  notifications: '...++++.',
  readNotifications: '...++++.',
  notificationEvents: '...++++.',
  findDevice: '...++++.',
  addDevice: '...++++.',
  refuseDevice: '...++++.',
  frames: '...++++.',
  getFrame: '...++++.',
  frameItems: '...++++.',
  showOnFrame: '...++++.',
  moveFrameItem: '...++++.',
  removeFrameItems: '...++++.',
  restoreFrameItems: '...++++.',
  retryFrameItems: '...++++.',
  fitFrameItem: '...++++.',
  setFrameOptions: '...++++.',
  setFrameDevice: '...++++.',
  setFrameCalibration: '...++++.',
  frameSenders: '...++++.',
  setFrameSender: '...++++.',
  framesOfFriends: '...++++.',
  renameFrame: '...++++.',
  unpairFrame: '...++++.',
  friends: '...++++.',
  friend: '...++++.',
  addFriend: '...++++.',
  confirmFriend: '...++++.',
  refuseFriend: '...++++.',
  deleteFriend: '...++++.',
  restoreFriend: '...++++.',
  projects: '...++++.',
  product_subscribe: '...++++.',
  product_unsubscribe: '...++++.',
  check_product_subscribe: '...++++.',
  uploadLinks: '...++++.',
  createUploadLink: '...++++.',
  revokeUploadLink: '...++++.',
  restoreUploadLink: '...++++.',
  pointEntries: '...++++.',
  checkPaymentFlow: '...++++.',
  ads: '...++++.',
  startAd: '...++++.',
  adProgress: '...++++.',
  adPicture: '...++++.',
  // Money: members pay, and see what they paid. Whose payment failed can pay it [decision 14, section 7].
  paymentMethods: '...++++.',
  createPayment: '...++++.',
  payment: '...++++.',
  payments: '...++++.',
  cancelPayment: '...++++.',
  checkout_order: '...++++.',
  plan_subscribe: '...++++.',
  setSubscriptionAvailability: '...++++.',
  sunpayToken: '...++++.',
  subscriptions: '...++++.',
  plan_unsubscribe: '...++++.',
  resumeSubscription: '...++++.',
  payNow: '...++++.',
  // An installation keeps its administrators.
  deleteAccount: '...+++..',
  keepAccount: '...+++..',
  // A display frame, with its own token.
  thisFrame: '.......+',
  framePlaylist: '.......+',
  frameFeed: '.......+',
  frameEvents: '.......+',
  frameHeartbeat: '.......+',
  leaveFrame: '.......+',
  // Administrators [section 6].
  engineStatus: '......+.',
  depthModel: '......+.',
  fetchDepthModel: '......+.',
  removeDepthModel: '......+.',
  siteStatus: '......+.',
  users: '......+.',
  usersCsv: '......+.',
  userDetail: '......+.',
  setUserConfirmed: '......+.',
  setUserRestricted: '......+.',
  setUserVip: '......+.',
  setUserAdmin: '......+.',
  signOutUser: '......+.',
  remakeMissing: '......+.',
  pinCodeBatches: '......+.',
  createPinCodes: '......+.',
  setPinCodesRevoked: '......+.',
  siteSettings: '......+.',
  setMaintenance: '......+.',
  setAnnouncement: '......+.',
  managedNotifications: '......+.',
  sendNotification: '......+.',
  setNotificationWithdrawn: '......+.',
  setFeatures: '......+.',
  managedDeviceTypes: '......+.',
  setDeviceType: '......+.',
  managedEffects: '......+.',
  setEffect: '......+.',
  managedFrames: '......+.',
  managedFramesCsv: '......+.',
  unpairMemberFrame: '......+.',
  storageUse: '......+.',
  setStorageDefault: '......+.',
  setUserStorage: '......+.',
  managedOrders: '......+.',
  createOnSiteOrder: '......+.',
  requestOnSiteUpload: '......+.',
  finishOnSiteUpload: '......+.',
  conversionPrices: '......+.',
  setConversionPrice: '......+.',
  userPointEntries: '......+.',
  correctPoints: '......+.',
  adSettings: '......+.',
  setAdSettings: '......+.',
  managedStores: '......+.',
  setStore: '......+.',
  managedProducts: '......+.',
  setProduct: '......+.',
  managedPlans: '......+.',
  setPlan: '......+.',
  managedOffers: '......+.',
  setOffer: '......+.',
  archiveOffer: '......+.',
  giveUserPlan: '......+.',
  managedPayments: '......+.',
  managedPaymentsCsv: '......+.',
  managedPayment: '......+.',
  closePayment: '......+.',
  repairPayment: '......+.',
  refundPayment: '......+.',
  managedSubscriptions: '......+.',
  managedLiveEvents: '......+.',
  managedLiveEvent: '......+.',
  setLiveEvent: '......+.',
  checkLiveSource: '......+.',
  deleteLiveEvent: '......+.',
  restoreLiveEvent: '......+.',
  liveSettings: '......+.',
  setLiveSettings: '......+.',
  legalVersions: '......+.',
  publishLegalText: '......+.',
  withdrawLegalText: '......+.',
  managedEntries: '......+.',
  setEntry: '......+.',
  moveEntry: '......+.',
  deleteEntry: '......+.',
  restoreEntry: '......+.',
  auditLog: '......+.',
  auditLogCsv: '......+.',
  // Only in the environment dev.
  queryVideoList: '......+.',
  testBC: '......+.',
};
/** Calls that stay open while the site is in maintenance, for the page that says so and for an administrator's login. */
const OPEN_IN_MAINTENANCE: readonly string[] = ['config', 'login', 'logout'];

/** Without a captcha, and outside of the environment dev. */
const MISSING_HERE: readonly string[] = ['captchaChallenge', 'queryVideoList', 'testBC'];

const lineOf = (name: string) => POLICY[name as EndpointName] ?? '';
const mayCall = (name: string, kind: Actor) => lineOf(name)[COLUMNS.indexOf(kind)] === '+';

/** Returns the fields of a call's input or parameters; for a union those of its first variant. */
const fieldsOf = (schema: unknown): object => {
  const { shape, options } = schema as { shape?: object; options?: readonly unknown[] };
  return shape ?? (options ? fieldsOf(options[0]) : {});
};
/** Returns whether a call refers to one object by its id. */
const bearsId = ({ params, input }: Endpoint) => 'id' in fieldsOf(params) || 'id' in fieldsOf(input);

describe('who may call what', () => {
  let app: TestApp;
  /** User id of each kind of caller. */
  const people = new Map<Actor, string>();
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    const { db, clock } = app.context;
    const changes = {
      member: {},
      suspended: { suspendedAt: clock.now() },
      vip: { vipAt: clock.now() },
      admin: { isAdmin: true },
    };
    for (const [kind, change] of Object.entries(changes)) {
      const { userId } = await app.member(`${kind}@example.com`);
      if (kind !== 'member') await db.update(users).set(change).where(eq(users.id, userId));
      people.set(kind as Actor, userId);
    }
    people.set('guest', (await app.guest()).userId);
    await app.client().call('register', { input: registration('unconfirmed@example.com') });
    const [row] = await db.select().from(users).where(eq(users.email, 'unconfirmed@example.com'));
    people.set('unconfirmed', row?.id ?? '');
  });
  afterAll(() => app.close());

  /** Returns a new session or frame token for each call, because some calls end theirs. */
  const tokenOf = (kind: Actor) =>
    kind === 'frame' ? frameToken() : startSession(app.context, app.context.db, people.get(kind) ?? '', 'a test');

  async function frameToken(ownerId = people.get('admin')): Promise<string> {
    const { db, ids, clock } = app.context;
    const token = newFrameToken(app.context);
    await insertFrame(db, {
      id: ids.uuid(),
      ownerId: ownerId ?? '',
      name: 'Shelf',
      kind: '',
      screenWidth: 800,
      screenHeight: 600,
      pixelRatio: 1,
      tokenHash: hashSecret(token),
      createdAt: clock.now(),
    });
    return token;
  }

  async function call(endpoint: Endpoint, token: string | null, given: { id?: string; input?: object } = {}) {
    const { id = '00000000-0000-4000-8000-000000000000', input = {} } = given;
    const reads = endpoint.method === 'GET';
    const path = endpoint.path
      .replace('{id}', id)
      .replace('{part}', endpoint.name === 'sharedPart' ? 'colour' : 'cover')
      .replace(/\{(product|store)_id\}/, '1')
      .replace('{media_id}', id)
      .replace('{kind}', 'terms')
      .replace('{token}', 'a'.repeat(43))
      .replace('{format}', 'sbs');
    const query = reads ? new URLSearchParams(input as Record<string, string>) : '';
    const type = endpoint.takes === 'file' ? 'application/octet-stream' : 'application/json';
    const response = await fetch(`${app.url}/api${path}?${query}`, {
      method: endpoint.method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(reads ? {} : { 'content-type': type }),
      },
      body: reads ? null : JSON.stringify(input),
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body = isJson ? ((await response.json()) as { code?: string }) : {};
    if (!isJson) await response.body?.cancel();
    return { status: response.status, body, code: body.code ?? null };
  }

  it('has a line for every endpoint and every kind of caller [X1]', () => {
    expect(Object.keys(POLICY).sort()).toEqual(endpoints.map(({ name }) => name).sort());
    expect(Object.entries(POLICY).filter(([, line]) => !/^[+.]{8}$/.test(line))).toEqual([]);
    expect([...COLUMNS].sort()).toEqual([...ACTORS].sort());
  });

  it.each(endpoints)(
    '$name lets in those whom the specification names, and nobody else [X1][R-6.roles.1][R-1.guest.2]',
    async (endpoint) => {
      for (const kind of COLUMNS) {
        const { status, code } = await call(endpoint, kind === 'visitor' ? null : await tokenOf(kind));
        const refused = kind === 'visitor' ? [401, 'tokenExpired'] : [403, 'notAllowed'];
        if (!mayCall(endpoint.name, kind)) {
          expect([kind, status, code]).toEqual([kind, ...refused]);
          continue;
        }
        expect([kind, status, code]).not.toEqual([kind, ...refused]);
        // The endpoint exists, and an empty call causes no internal error.
        expect([kind, status]).not.toEqual([kind, 405]);
        expect([kind, status < 500]).toEqual([kind, true]);
        if (!MISSING_HERE.includes(endpoint.name)) expect([kind, code]).not.toEqual([kind, 'notFound']);
      }
    },
  );

  it('keeps the calls of a frame and those of people apart, also where the frame belongs to an administrator', () => {
    const lines = Object.values(POLICY);
    expect(lines.filter((line) => line.endsWith('+') && line !== '.......+')).toEqual([]);
    expect(lines).toContain('.......+');
  });

  it('takes the token of a share or upload link for no login: it opens nothing but what the link is for', async () => {
    const owner = app.client({ token: await tokenOf('vip') });
    const { id } = await upload(app, owner, await smallJpeg(), { effect_param_id: 0 });
    const { device } = await portrait(owner);
    const newLink = { name: 'Party', device_type_id: device.id, days: 7, max_uploads: 5 };
    const links = [
      await owner.call('shareMedia', { input: { id } }),
      await owner.call('createUploadLink', { input: newLink }),
    ];
    const [share = '', uploadLink = ''] = links.map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
    for (const token of [share, uploadLink])
      for (const endpoint of endpoints.filter(({ name }) => !mayCall(name, 'visitor')))
        expect([endpoint.name, (await call(endpoint, token)).status]).toEqual([endpoint.name, 401]);
    const visitor = app.client();
    expect(await visitor.call('sharedMedia', { params: { token: share } })).toMatchObject({
      name: 'shop.jpg',
    });
    expect(await visitor.call('openUploadLink', { input: { token: uploadLink } })).toMatchObject({ name: 'Party' });
    // Each is only for its own calls.
    await expect(visitor.call('sharedMedia', { params: { token: uploadLink } })).rejects.toMatchObject({ status: 404 });
    await expect(visitor.call('openUploadLink', { input: { token: share } })).rejects.toMatchObject({ status: 404 });
  });

  it('gives the calls of administration to administrators alone [R-6.roles.4]', async () => {
    const paths = endpoints.filter(({ name }) => lineOf(name) === '......+.');
    expect(paths.length).toBeGreaterThan(15);
    for (const endpoint of paths)
      for (const kind of ['member', 'vip'] as const)
        expect(await call(endpoint, await tokenOf(kind))).toMatchObject({ status: 403, code: 'notAllowed' });
  });

  it('refuses all but administrators during maintenance, but for the calls that say so [X1]', async () => {
    const admin = app.client({ token: await tokenOf('admin') });
    const { maintenance } = await admin.call('siteSettings');
    await admin.call('setMaintenance', { input: { ...maintenance, on: true } });
    for (const endpoint of endpoints.filter(({ name }) => mayCall(name, 'member'))) {
      const { code } = await call(endpoint, await tokenOf('member'));
      expect([endpoint.name, code === 'maintenance']).toEqual([
        endpoint.name,
        !OPEN_IN_MAINTENANCE.includes(endpoint.name),
      ]);
    }
    expect((await admin.call('user')).isAdmin).toBe(true);
    await admin.call('setMaintenance', { input: { ...maintenance, on: false } });
  });

  it("answers 404 to every call about another member's thing, as if there were none, and changes nothing [A56][R-5.server-rules.2][R-8.catalogue.7]", async () => {
    const owner = app.client({ token: await tokenOf('member') });
    const { id: mediaId } = await upload(app, owner, await smallJpeg(), { effect_param_id: 0 });
    const sessionId = (await owner.call('sessions'))[0]?.id ?? '';
    const orderId = (await owner.call('orders', { input: {} })).data[0]?.id ?? '';
    const { id: albumId } = await owner.call('albumCreate', { input: { name: 'Mine' } });
    await owner.call('editToAlbum', { input: { id: albumId, editType: 'add', media_ids: [mediaId] } });
    await frameToken(people.get('member'));
    const frameId = (await owner.call('frames', { input: {} })).data[0]?.id ?? '';
    const { id: shareId } = await owner.call('shareMedia', { input: { id: mediaId } });
    const friendId = (await owner.call('addFriend', { input: { email: 'guest@example.com' } })).id ?? '';
    const { device } = await portrait(owner);
    const newLink = { name: 'Mine', device_type_id: device.id, days: 7, max_uploads: 5 };
    const { id: uploadLinkId } = await owner.call('createUploadLink', { input: newLink });
    const { id: adId } = await owner.call('startAd');
    const { id: viewId } = await watchAs(owner, await addEvent(app));
    const before = await owner.call('media', { params: { id: mediaId } });
    /** Valid input besides the id, for calls that need it. */
    const inputs: Partial<Record<EndpointName, object>> = {
      requestUploadMedia: await requestFor(owner, await smallJpeg()),
      renameFrame: { name: 'Theirs' },
      renameMedia: { name: 'Theirs' },
      moveFrameItem: { item: mediaId, before: null },
      removeFrameItems: { items: [mediaId] },
      restoreFrameItems: { items: [mediaId] },
      fitFrameItem: { item: mediaId, fit: 'fill' },
      setFrameDevice: { device_type_id: null },
      setFrameCalibration: { calibration: null },
      setFrameSender: { friend: mediaId, allowed: true },
      editToAlbum: { editType: 'add', media_ids: [mediaId] },
      adProgress: { nonce: 'a', quartile: 0, visible: true },
      paintMediaDepth: { strokes: [{ kind: 'near', radius: 0.1, amount: 0.5, points: [[0.5, 0.5]] }] },
    };
    const stranger = await tokenOf('vip');
    /** What the id of a call names, by the name of the call. */
    const things = [
      [/album/i, albumId, 'albumNotFound'],
      [/Share$/, shareId, 'shareNotFound'],
      [/^order$/, orderId, 'noOrder'],
      [/frame/i, frameId, 'frameNotFound'],
      [/friend/i, friendId, 'friendNotFound'],
      [/UploadLink$/, uploadLinkId, 'uploadLinkNotFound'],
      [/^revokeSession$/, sessionId, 'sessionNotFound'],
      [/^ad[PS]/, adId, 'adNotFound'],
      [/Live|^live/, viewId, 'liveSessionNotFound'],
      [/./, mediaId, 'mediaNotFound'],
    ] as const;
    // Calls for administrators refuse everybody else, whatever the id.
    const bearing = endpoints.filter((endpoint) => bearsId(endpoint) && mayCall(endpoint.name, 'vip'));
    expect(bearing.length).toBeGreaterThan(10);
    for (const endpoint of bearing) {
      const ask = (id: string) => {
        const inBody = 'id' in fieldsOf(endpoint.input);
        const input = { ...inputs[endpoint.name as EndpointName], ...(inBody ? { id } : {}) };
        return call(endpoint, stranger, { id, input });
      };
      const [, theirId, notFound] = things.find(([name]) => name.test(endpoint.name)) ?? expect.fail();
      const theirs = await ask(theirId);
      expect({ name: endpoint.name, ...theirs }).toMatchObject({
        name: endpoint.name,
        status: 404,
        code: notFound,
      });
      expect(await ask(app.context.ids.uuid())).toEqual(theirs);
    }
    expect(await owner.call('media', { params: { id: mediaId } })).toEqual(before);
    expect(await owner.call('album', { params: { id: albumId } })).toMatchObject({ name: 'Mine', quantity: 1 });
    expect((await owner.call('frames', { input: {} })).data).toMatchObject([{ id: frameId, name: 'Shelf' }]);
    expect((await owner.call('shares', { input: {} })).data).toMatchObject([{ id: shareId, download: false }]);
  });
});
