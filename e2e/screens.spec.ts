import {
  type Announcement,
  asLanguage,
  type Broadcast,
  type DepthModel,
  type FrameItem,
  formatMoney,
  type Language,
  type LiveEvent,
  type LiveSession,
  type ManagedPayment,
  type ManagedPaymentDetail,
  type ManagedSubscription,
  MEDIA_STATUS,
  type OwnFrame,
  type PaymentInfo,
  type Product,
  type Solution,
  type SubscriptionInfo,
} from '@framelift/contract';
import { beside, standingScene } from '@framelift/engine/testing/depth-photos';
import { encoder } from '@framelift/engine/testing/pictures';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { adminAccount, memberClient, serialCode, uploadJpeg, uploadVideo, waitForMedia } from './support/api.ts';
import { expectAccessible, expectContrast } from './support/axe.ts';
import { bring } from './support/drop.ts';
import { expectInPlace } from './support/layout.ts';
import { enterAsMember, logIn } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { keepScreen, keepsScreens } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { LANGUAGE_CODES, textOf } from './support/texts.ts';
import { madeVideo, movingGif } from './support/videos.ts';

/*
 * Every page in three languages and three widths, and in both themes. Checks that axe finds nothing, nothing is wider
 * than the screen or clipped, no controls overlap, nothing shifts during loading, and no other origin is requested.
 * SCREENS=keep stores a screenshot of each page in test-results/screens for manual review.
 */

const WIDTHS = [360, 768, 1440] as const;
const HEIGHTS: Readonly<Record<(typeof WIDTHS)[number], number>> = { 360: 740, 768: 1024, 1440: 900 };
const NARROW = WIDTHS[0];
/** More than the height of the bar at the bottom. */
const BAR = 100;
/** Largest cumulative layout shift: a fifth of what Google rates as good. */
const CALM = 0.02;

type Person = 'visitor' | 'guest' | 'member' | 'admin';
/** One layout shift, with its score and the elements that moved. */
interface Shift {
  readonly value: number;
  readonly what: readonly string[];
}
type LayoutShift = PerformanceEntry & {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
};
type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const states: Partial<Record<Person, State>> = {};
/** Id of the member, and ids of the member's picture, video and album. */
let member: string;
let picture: string;
let video: string;
let album: string;
/** Link of the picture's cover. */
let cover: string | null = null;
/** Parts of its live preview. */
let teaser: Product['media'][number]['preview'] = null;
/** Paths of the public pages of the picture and the video. */
let shared: string;
let sharedVideo: string;
let photo: { name: string; mimeType: string; buffer: Buffer };
let clip: typeof photo;

test.beforeAll(async ({ browser, app }) => {
  test.setTimeout(240_000);
  photo = { name: 'window.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(5) };
  clip = await madeVideo('beach.mp4', { width: 320, height: 240, frames: 25 });
  const enter = async (person: Person, how: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ baseURL: app.url });
    await how(await context.newPage());
    states[person] = await context.storageState();
    await context.close();
  };
  await enter('member', async (page) => {
    const client = await memberClient(app.url, await enterAsMember(page));
    member = (await client.call('user')).id;
    await client.call('setVIP', { input: { pin_code: await serialCode(app) } });
    picture = await uploadJpeg(app.url, client, photo.buffer, photo.name);
    video = await uploadVideo(app.url, client, clip, '3D projector (half side by side)');
    for (const id of [picture, video]) {
      const { status } = await waitForMedia(client, id, (media) => media.status !== MEDIA_STATUS.processing, 120_000);
      expect(status).toBe(MEDIA_STATUS.finished);
    }
    const media = await client.call('media', { params: { id: picture } });
    cover = media.cover;
    teaser = media.preview;
    const share = async (id: string) =>
      new URL((await client.call('shareMedia', { input: { id, download: true } })).url).pathname;
    shared = await share(picture);
    sharedVideo = await share(video);
    album = (await client.call('albumCreate', { input: { name: '海邊 2026' } })).id;
    await client.call('editToAlbum', { input: { id: album, editType: 'add', media_ids: [picture, video] } });
  });
  await enter('admin', async (page) => {
    await page.goto('/login?lang=en');
    await logIn(page, adminAccount(app));
  });
  await enter('guest', async (page) => {
    await page.goto('/login?lang=en');
    await page.getByRole('button', { name: 'Continue as guest' }).click();
    await expect(page).toHaveURL(/guestPage/);
  });
});

/** Places and questions of an operator, not all of them in every language. */
const withEntries = async (page: Page) => {
  const about = { is_active: true, changed_at: '2026-03-02T08:30:00.000Z', changed_by: 'Mia Chen', revision: 3 };
  const note = '三台相框與一整面**光柵立體面板**。\n\n- 入口沒有階梯\n- 帶一張手機裡的照片來';
  const entries = {
    faq: [
      {
        ...{ id: frameId(1), kind: 'faq', ...about },
        question: { en: 'How do I turn a photo into 3D?', zh: '如何把照片變成 3D？', ja: '写真を3Dにするには？' },
        answer: {
          en: 'Choose **Convert a photo**, crop it, and wait a few seconds.\n\n- Photos of up to 50 MB\n- [Plans](/plan) for videos',
          zh: '點選**轉換照片**，裁切後等待幾秒。\n\n- 照片上限 50 MB\n- 影片請見[方案](/plan)',
          ja: '**写真を変換**を選び、切り抜いて数秒待ちます。\n\n- 写真は50 MBまで\n- 動画は[プラン](/plan)で',
        },
      },
      {
        ...{ id: frameId(2), kind: 'faq', ...about, is_active: false, changed_by: null },
        question: { en: 'Can I visit you?', zh: '可以去參觀嗎？', ja: '' },
        answer: { en: 'Yes, see [locations](/locations).', zh: '可以，請見[展示地點](/locations)。', ja: '' },
      },
    ],
    location: [
      {
        ...{ id: frameId(3), kind: 'location', ...about, map_url: null },
        name: { en: 'Lantern Studio', zh: '燈籠工作室', ja: 'ランタンスタジオ' },
        address: { en: '2F, 18 Lantern Street, Taipei', zh: '臺北市燈籠街 18 號 2 樓', ja: '台北市灯籠街18号2階' },
        hours: { en: 'Tue–Sun 11:00–19:00', zh: '週二至週日 11:00–19:00', ja: '' },
        note: { en: '', zh: note, ja: '' },
      },
    ],
  };
  await page.route('**/api/managedEntries?*', (route) => {
    const kind = new URL(route.request().url()).searchParams.get('kind') as 'faq';
    return route.fulfill({ json: { success: true, message: entries[kind] } });
  });
};

/** The places that visitors see; not all of them have everything. */
const withPlaces = async (page: Page) => {
  const said = (text: string) => ({ text, language: 'zh' });
  const message = [
    {
      ...{ id: frameId(1), name: said('燈籠工作室'), address: said('臺北市大安區燈籠街 18 號 2 樓'), map_url: null },
      ...{ hours: said('週二至週日 11:00–19:00'), note: said('三台 Looking Glass 與一整面**光柵立體面板**。') },
    },
    {
      ...{ id: frameId(2), name: said('港邊閱覽室'), address: said('高雄市旗津區貝殼路 5 號'), map_url: null },
      ...{ hours: null, note: null },
    },
  ];
  await page.route('**/api/locations', (route) => route.fulfill({ json: { success: true, message } }));
};

/** Shows the preview of a form, where it is behind a switch. */
const showPreview = async (page: Page, language: Language) => {
  const preview = page.getByText(textOf(language, 'adminPages', 'preview'), { exact: true });
  if ((page.viewportSize()?.width ?? 0) < 1200) await preview.first().click();
};

/** Friends and requests of each kind. */
const showFriends = (page: Page) =>
  page.route('**/api/friends?*', (route) => {
    const list = new URL(route.request().url()).searchParams.get('list');
    const person = (name: string, email: string) => ({
      id: frameId(email.length),
      target_user: { name, email },
      isSend: list === 'sent',
      isConfirm: list === 'confirmed',
      isReceived: list === 'received',
      date: '2026-01-02T03:04:05.000Z',
    });
    const data = {
      received: [person('Grandmother Kobayashi', 'grandmother@example.org')],
      confirmed: [person('王小明', 'xiaoming@example.org'), person('Mia', 'mia.with.a.very.long.address@example.org')],
      sent: [person('', 'ken@example.org')],
    }[list ?? ''];
    const total = data?.length ?? 0;
    return route.fulfill({
      json: { success: true, data: data ?? [], meta: { hasNext: false, total }, links: { self: '/', next: null } },
    });
  });

/** What the seven newest notifications are about. */
const TOLD = [
  { code: 'pictureFinished', kind: 'upload', hours: 0 },
  { code: 'renewalFailed', kind: 'warning', hours: 3 },
  { code: 'paymentReceived', kind: 'info', hours: 26 },
  { code: 'friendRequest', kind: 'info', hours: 50, account: 'Grandmother Kobayashi' },
  { code: 'linkUploads', kind: 'upload', hours: 75, account: '王小明' },
  { code: 'frameReceived', kind: 'info', hours: 120, account: 'Grandmother Kobayashi' },
  { code: 'uploadNotOnFrame', kind: 'warning', hours: 400 },
] as const;

/** Notifications of every kind, the first three of them unread. */
const showNotifications = (page: Page) =>
  page.route('**/api/notifications', (route) => {
    const language = asLanguage(route.request().headers()['accept-language'] ?? '') ?? 'en';
    const failure = textOf(language, 'errors', 'frameFull');
    const values = { name: '奶奶的生日', sender: 'Grandmother Kobayashi', price: '$4.99', failure };
    const data = TOLD.map((one, at) => ({
      id: frameId(30 + at),
      title: textOf(language, 'notifications', `sent.${one.code}.title`),
      content: Object.entries(values).reduce(
        (text, [name, value]) => text.replaceAll(`{{${name}}}`, value),
        textOf(language, 'notifications', `sent.${one.code}.content`),
      ),
      release_at: new Date(Date.now() - one.hours * 3_600_000).toISOString(),
      kind: one.kind,
      is_read: at > 2,
      account: 'account' in one ? one.account : 'Mei',
      link: '/menu',
      media_id: null,
    }));
    return route.fulfill({ json: { success: true, data, meta: { hasNext: false }, links: { self: '/', next: null } } });
  });

/** An open and an ended upload link. */
const showLinks = (page: Page) =>
  page.route('**/api/uploadLinks', (route) => {
    const link = {
      id: frameId(21),
      name: '奶奶的生日',
      url: 'https://frames.example.org/u/WPmaKqpXQVCAlGQ3XqgPp0uHc0dW5xXUvR3jIh1sHs4',
      device_type_id: 1,
      max_uploads: 50,
      received: 12,
      date: '2026-01-02T03:04:05.000Z',
      expires_at: '2026-02-02T03:04:05.000Z',
      state: 'open',
    };
    const past = { ...link, id: frameId(22), name: 'Anniversary', received: 50, state: 'ended' };
    return route.fulfill({
      json: { success: true, data: [link, past], meta: { hasNext: false }, links: { self: '/', next: null } },
    });
  });

/** What an upload link is for. */
const openSentLink = (page: Page) =>
  page.route('**/api/uploadLink/open', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: {
          owner: 'Grandmother Kobayashi',
          name: '奶奶的生日',
          device: { id: 1, name: 'Looking Glass Portrait', ratio: '3,4' },
          left: 12,
          expires_at: '2026-02-02T03:04:05.000Z',
        },
      },
    }),
  );

/** The neural depth model in one of its states. */
const withDepthModel = (state: Partial<NonNullable<DepthModel['model']>>) => (page: Page) =>
  page.route('**/api/depthModel', (route) => {
    const model = {
      ...{ id: 'depth-anything-v2-small', name: 'Depth Anything V2 Small', licence: 'Apache-2.0', bytes: 99_060_839 },
      ...{ state: 'inUse', fetched: 99_060_839, problem: null, detail: null, nextTryAt: null },
      ...state,
    };
    return route.fulfill({ json: { success: true, message: { model } } });
  });

/** Points of the member, their history, what an ad gives, and what conversions cost. */
const withPoints =
  ({ points, freePoints }: { points: number; freePoints: number }, price = 0, ads: object = {}) =>
  async (page: Page) => {
    await page.route('**/api/user', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, message: { ...body.message, points, freePoints } } });
    });
    await page.route('**/api/pointEntries*', (route) => {
      const language = asLanguage(route.request().headers()['accept-language']) ?? 'en';
      const entry = (n: number, kind: 'points' | 'freePoints', reason: string, amount: number, note: string) => ({
        ...{ id: frameId(40 + n), kind, amount, balance: 12 + n, reason, note, date: '2026-01-02T03:04:05.000Z' },
        title: textOf(language, 'points', `reasons.${reason}`),
      });
      const data = [
        entry(1, 'freePoints', 'ad', 1, ''),
        entry(2, 'points', 'conversion', -1200, 'The harbour at the end of a long summer day.jpg'),
        entry(3, 'points', 'conversionReturned', 3, '海邊 2026.jpg'),
        entry(4, 'points', 'correction', 100_000, 'Sorry for the wait'),
      ];
      return route.fulfill({
        json: { success: true, data, meta: { hasNext: true }, links: { self: '/', next: '/api/pointEntries?page=2' } },
      });
    });
    const prices = [{ device_type_id: null, media_type: 1, points: price }];
    const offer = { offered: true, reward: { type: 'freePoints', amount: 1 }, left: 3, next_at: null, ...ads };
    await page.route('**/api/prices', (route) => route.fulfill({ json: { success: true, message: prices } }));
    await page.route('**/api/ads', (route) => route.fulfill({ json: { success: true, message: offer } }));
    // The ad waits at its beginning, or is over at once.
    await page.route('**/api/ad/session/*/progress', (route) =>
      route.fulfill({ json: { success: true, message: { nonce: 'over' in ads ? null : 'next', quartile: 0 } } }),
    );
    const { reward } = offer;
    await page.route('**/api/checkPaymentFlow', (route) =>
      route.fulfill({ json: { success: true, message: { points, freePoints, reward } } }),
    );
  };
const watchAd = async (page: Page, language: Language) => {
  await press('points', 'watch')(page, language);
  await press('ads', 'modal.yes')(page, language);
};

const frameId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const pairedFrame: OwnFrame = {
  id: frameId(1),
  name: 'Kitchen window frame beside it',
  kind: 'Chrome, Android',
  screen: { width: 1536, height: 2048, pixelRatio: 2 },
  pairedAt: '2026-01-02T03:04:05.000Z',
  lastSeenAt: '2026-01-03T03:04:05.000Z',
  online: false,
  version: null,
  device_type_id: null,
  options: {
    mode: 'parallax',
    intervalSeconds: 90,
    shuffle: false,
    transition: 'fade',
    fit: 'fit',
    sound: false,
    clock: true,
    brightness: 0.8,
    strength: 1,
    sleep: { from: '22:00', to: '07:00' },
    timeZone: 'Asia/Taipei',
  },
  hasCalibration: false,
  state: 'never',
  count: 0,
  waiting: 0,
  showing: null,
  problems: [],
  senders: 0,
};
const frameItem: FrameItem = {
  id: frameId(11),
  kind: 'media',
  media_id: frameId(12),
  album_id: null,
  name: 'window.jpg',
  cover: null,
  sender: null,
  friend: null,
  state: 'ready',
  failure: null,
  fit: null,
  added_at: '2026-01-03T03:04:05.000Z',
  shown_at: '2026-01-03T03:05:05.000Z',
  quantity: null,
};
const someItems = (): FrameItem[] => [
  { ...frameItem, cover },
  {
    ...frameItem,
    id: frameId(13),
    kind: 'album',
    media_id: null,
    album_id: frameId(14),
    name: '海邊 2026',
    quantity: 24,
    state: 'waiting',
    shown_at: null,
  },
  {
    ...frameItem,
    id: frameId(15),
    name: 'The harbour at the end of a long summer day',
    sender: '王小明',
    shown_at: null,
  },
  {
    ...frameItem,
    id: frameId(16),
    name: 'beach.mp4',
    state: 'failed',
    failure: { code: 'notEnoughPoints', message: 'You have too few points for this conversion.' },
  },
];

/** Answers the calls about frames as for a member with these, with the changes applied to the first of them. */
const withFrames =
  (changes: () => Partial<OwnFrame>, items: () => readonly FrameItem[] = () => [], others: readonly OwnFrame[] = []) =>
  async (page: Page) => {
    const success = (message: unknown) => ({ json: { success: true, message } });
    const frames = () => [{ ...pairedFrame, ...changes() }, ...others];
    await page.route(/\/api\/frames(\?|$)/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), data: frames() } });
    });
    await page.route(/\/api\/frames\//, (route) => {
      const [id, part] = new URL(route.request().url()).pathname.split('/').slice(3);
      if (part === 'items') return route.fulfill(success(items()));
      if (part === 'senders') {
        const senders = ['王小明', 'Katharina von Hohenstein', 'けんじ'];
        return route.fulfill(success(senders.map((name, n) => ({ friend: frameId(20 + n), name, allowed: n === 0 }))));
      }
      return route.fulfill(success(frames().find((one) => one.id === id)));
    });
    await page.route('**/api/framesOfFriends', (route) =>
      route.fulfill(success(others.length > 0 ? [{ id: frameId(3), name: 'Oma', owner: '王小明' }] : [])),
    );
    await page.route('**/api/showOnFrame', (route) => {
      const { frames: to } = route.request().postDataJSON() as { frames: string[] };
      return route.fulfill(success(to.map((frame) => ({ frame, items: [frameItem.id] }))));
    });
  };
const upToDate = (): Partial<OwnFrame> => ({
  online: true,
  state: 'upToDate',
  count: 27,
  version: '1.4.0',
  showing: { item: frameItem.id, name: 'window.jpg', cover, since: '2026-01-03T03:05:05.000Z' },
});
const secondFrame: OwnFrame = {
  ...pairedFrame,
  id: frameId(2),
  name: 'Hall',
  state: 'downloading',
  count: 7,
  waiting: 5,
};

/** Pages of a list, and other answers, as the server gives them. */
const pageOf = (data: readonly unknown[]) => ({
  json: { success: true, data, meta: { hasNext: false }, links: { self: '/', next: null } },
});
const answer = (message: unknown) => ({ json: { success: true, message } });

/** Answers the calls about the shop as one with two stores; its pictures are the member's. */
const withShop = () => async (page: Page) => {
  const moon = { id: 1, name: 'Paper Moon 紙月亮', icon: cover };
  const sea = { id: 2, name: 'Deep Sea', icon: null };
  const media: Product['media'] = [1, 2, 3].map((n) => ({
    id: frameId(30 + n),
    media_type: 1,
    cover,
    preview: teaser,
  }));
  const product: Product = {
    id: 1,
    name: 'Harbour lights',
    content: 'Four evenings at the harbour, from the first lamp to the last boat.\n港邊的四個夜晚。港の四つの夜。',
    is_activated: true,
    hasFree: false,
    isFree: false,
    isSubscribed: false,
    paid_until: null,
    quantity: 4,
    media,
    store: moon,
    album_id: null,
  };
  const products: Product[] = [
    product,
    { ...product, id: 2, name: 'Waves', hasFree: true, store: sea },
    { ...product, id: 3, name: '山の一年', hasFree: true, isFree: true, isSubscribed: true, album_id: album },
    { ...product, id: 4, name: 'A very long name of a pack of pictures for the whole year', store: sea },
  ];
  const offer = (id: number, product_id: number, costs: number, period: number): Solution => ({
    ...{
      id,
      product_id,
      plan_id: null,
      points: null,
      name: 'Harbour lights',
      icon: '',
      costs,
      currency: 'USD',
      period,
    },
    ...{ prices: [{ currency: 'USD', costs }], content: [] },
  });
  await page.route(/\/api\/stores(\?|$)/, (route) => route.fulfill(pageOf([moon, sea])));
  await page.route(/\/api\/products(\?|$)/, (route) => route.fulfill(pageOf(products)));
  await page.route(/\/api\/product_solutions/, (route) =>
    route.fulfill(pageOf([offer(1, 1, 3000, 3), offer(2, 1, 9900, 12), offer(3, 4, 1250, 1)])),
  );
  await page.route('**/api/check_product_subscribe', (route) =>
    route.fulfill(answer({ isSubscribed: false, isFree: false, paid_until: null })),
  );
  await page.route(/\/api\/product\/\d+$/, (route) => {
    const id = Number(new URL(route.request().url()).pathname.split('/').at(-1));
    return route.fulfill(answer(products.find((one) => one.id === id)));
  });
};

/** The payment at /tradeResult. */
const withPayment = (changes: Partial<PaymentInfo>) => async (page: Page) => {
  await withShop()(page);
  const payment: PaymentInfo = {
    ...{ td: TD, order_id: frameId(50), state: 'created', pay_result: 12, transaction_id: null, method: 'card' },
    ...{ offer_id: 1, kind: 'product', product_id: 3, plan_id: null, points: null, name: '山の一年' },
    ...{
      costs: 900_00,
      currency: 'TWD',
      refunded: 0,
      awaits_code: false,
      failure: null,
      date: '2026-01-03T03:05:05.000Z',
    },
    ...changes,
  };
  await page.route(`**/api/payment/${TD}`, (route) => route.fulfill(answer(payment)));
};
const TD = 'c0ffee00'.repeat(4);
const RESULT = `/tradeResult?td=${TD}`;

const confirmPurchase = async (page: Page, language: Language) => {
  const buy = page.getByRole('button', { name: textOf(language, 'store', 'buy'), exact: true });
  await buy.last().click();
  await expect(page.getByRole('dialog', { name: textOf(language, 'payment', 'confirm') })).toBeVisible();
};

/** Answers as to a member with a plan in a state, two products, and something that has ended. */
const withSubscriptions = (plan: Partial<SubscriptionInfo>) => async (page: Page) => {
  const until = '2099-03-05T03:04:05.000Z';
  const prime: SubscriptionInfo = {
    ...{ id: frameId(70), kind: 'plan', plan_id: 3, product_id: null, offer_id: 7, name: 'Prime', icon: 'prime' },
    ...{ state: 'active', paid_until: until, cancel_at_end: false, renews: true, method: 'paypal' },
    next_charge: { at: until, costs: 999, currency: 'USD' },
    due: null,
    date: '2026-01-02T03:04:05.000Z',
    ...plan,
  };
  const waves: SubscriptionInfo = {
    ...{ id: frameId(71), kind: 'product', plan_id: null, product_id: 2, offer_id: null, name: 'Waves 海浪' },
    ...{ icon: '', state: 'active', paid_until: null, cancel_at_end: false, renews: false, method: null },
    ...{ next_charge: null, due: null, date: prime.date },
  };
  const long = 'A very long name of a pack of pictures for the whole year';
  const year = { ...waves, id: frameId(72), product_id: 4, offer_id: 3, name: long, paid_until: until };
  const ended = { ...year, id: frameId(73), name: '山の一年', state: 'ended', paid_until: '2026-02-02T03:04:05.000Z' };
  await page.route(/\/api\/subscriptions(\?|$)/, (route) =>
    route.fulfill(pageOf([prime, waves, year, ...(route.request().url().includes('all=yes') ? [ended] : [])])),
  );
  const ofWaves = { id: 2, name: 'Waves', store: 'Deep Sea' };
  const own = { id: album, name: 'Waves', quantity: 3, cover, cover_media_id: null, date: prime.date };
  await page.route(/\/api\/albums(\?|$)/, (route) => route.fulfill(pageOf([{ ...own, product: ofWaves }])));
  await page.route(/\/api\/payNow$/, (route) =>
    route.fulfill({ status: 409, json: { success: false, code: 'transactionFailed', message: 'x', errors: [] } }),
  );
};

/** Answers as to a member who has paid in each way, or has not. */
const withPayments = async (page: Page) => {
  const td = (n: number) => `${n}`.padStart(32, 'a');
  const paid: PaymentInfo = {
    ...{ td: td(1), order_id: frameId(80), state: 'granted', pay_result: 10, transaction_id: '8AB12345CD678901E' },
    ...{ method: 'paypal', offer_id: 7, kind: 'plan', product_id: null, plan_id: 3, points: null },
    ...{
      name: 'Prime',
      costs: 999,
      currency: 'USD',
      refunded: 0,
      awaits_code: false,
      failure: null,
      date: '2026-01-02T03:04:05.000Z',
    },
  };
  const pack = { kind: 'points', plan_id: null, points: 550, method: 'card', costs: 15000, currency: 'TWD' } as const;
  const long = 'A very long name of a pack of pictures for the whole year';
  const payments: PaymentInfo[] = [
    { ...paid, ...pack, td: td(2), name: '550 點', state: 'pending', pay_result: 12, awaits_code: true },
    paid,
    { ...paid, td: td(3), kind: 'product', product_id: 4, plan_id: null, name: long, refunded: 400 },
    { ...paid, td: td(4), state: 'failed', pay_result: 11, transaction_id: null },
  ];
  await page.route(/\/api\/payments(\?|$)/, (route) => route.fulfill(pageOf(payments)));
  await page.route(/\/api\/payment\/\w+$/, (route) =>
    route.fulfill(answer(payments.find((one) => route.request().url().endsWith(one.td)))),
  );
  const orders = payments.map((one, n) => ({
    ...{ id: frameId(80 + n), name: one.name, type: 2, costs: one.costs, currency: one.currency, date: one.date },
    ...{ progress: 100, media: [], product: null, payment_state: one.state, solution_order: { order_id: one.td } },
  }));
  await page.route(/\/api\/orders(\?|$)/, (route) => {
    const { json } = pageOf(orders);
    return route.fulfill({ json: { ...json, meta: { ...json.meta, total: orders.length } } });
  });
};

/** Opens the first two cards of orders or payments. */
const openCards = async (page: Page) => {
  const cards = page.getByRole('main').locator('button[aria-expanded]');
  for (const n of [0, 1]) {
    await cards.nth(n).click();
    await expect(
      page
        .getByRole('main')
        .getByRole('term')
        .nth(n * 5),
    ).toBeVisible();
  }
};

/** A store and two products as operators see them. */
/** Live events in the administration, with times that do not depend on the day. */
const withManagedEvent = async (page: Page) => {
  const same = (text: string) => ({ en: text, zh: text, ja: text });
  const event = {
    id: frameId(50),
    title: same('Lantern night'),
    starts_at: '2026-11-29T11:00:00.000Z',
    ends_at: '2026-11-29T13:30:00.000Z',
    state: 'live',
    is_active: true,
    is_free_view: false,
    product: { id: 7, name: same('Harbour lights') },
    cover: null,
    angles: [
      { id: frameId(51), name: { en: 'Stage', zh: '舞台', ja: 'ステージ' }, source: 'https://cdn.example/stage.m3u8' },
      { id: frameId(52), name: { en: 'River', zh: '河岸', ja: '川べり' }, source: 'https://cdn.example/river.m3u8' },
    ],
    viewers: 1204,
  };
  const over = { ...event, id: frameId(53), title: same('Rehearsal'), state: 'past', is_free_view: true, viewers: 0 };
  await page.route(/\/api\/managedLiveEvents/, (route) => route.fulfill(pageOf([event, over])));
};

const withManagedShop = async (page: Page) => {
  const name = { en: 'Paper Moon', zh: '紙月亮', ja: '紙の月' };
  const managed = {
    id: 7,
    store: { id: 1, name },
    name: { en: 'Harbour lights', zh: 'Harbour lights', ja: 'Harbour lights' },
    content: { en: 'Four evenings at the harbour.', zh: '港邊的四個夜晚。', ja: '港の四つの夜。' },
    is_activated: true,
    has_free: false,
    position: 10,
    album: { id: frameId(40), name: 'Harbour', ready: 3, waiting: 1 },
    cover: null,
    offers: 2,
    members: 1204,
  };
  await page.route('**/api/managedStores', (route) =>
    route.fulfill(answer([{ id: 1, name, icon: null, position: 0, is_active: true, products: 2 }])),
  );
  await page.route(/\/api\/managedProducts/, (route) =>
    route.fulfill(
      pageOf([
        managed,
        {
          ...managed,
          id: 8,
          name: { en: 'Waves', zh: '', ja: '' },
          has_free: true,
          is_activated: false,
          album: null,
          offers: 0,
        },
      ]),
    ),
  );
};

const payer = { id: frameId(50), name: 'Marie-Louise Bergström', email: 'marie.louise.bergstroem@photo-club.example' };
const paidPayment: ManagedPayment = {
  ...{ id: frameId(51), td: frameId(51).replaceAll('-', ''), state: 'granted', problem: null },
  ...{
    unanswered_since: null,
    method: 'paypal',
    route: 'billing',
    member: payer,
    name: 'Prime',
    costs: 1200,
    currency: 'USD',
    refunded: 200,
  },
  ...{ transaction_id: '5AB12345CD678901E', failure: null, code: null, date: '2026-11-02T03:04:05.000Z' },
  ...{ paid_at: '2026-11-02T03:05:00.000Z', granted_at: '2026-11-02T03:05:01.000Z' },
};
const paymentDetail: ManagedPaymentDetail = {
  ...paidPayment,
  ...{ problem: 'disputed', order_id: frameId(52), subscription_id: frameId(53), provider_order_id: 'I-BW452GLLEP1G' },
  sold: { kind: 'plan', points: 800, months: 1 },
  granted: { points: 800, points_back: 0, subscription: { state: 'active', paid_until: '2026-12-02T03:05:00.000Z' } },
  next_check_at: null,
  events: [
    {
      ...{ id: 'own:1', type: 'state.paid', body: { from: 'pending', captureId: '5AB12345CD678901E' }, handled: true },
      at: '2026-11-02T03:05:00.000Z',
    },
    {
      ...{ id: 'paypal:WH-1', type: 'PAYMENT.SALE.COMPLETED', body: { kind: 'sale', saleId: '5AB12345CD678901E' } },
      ...{ at: '2026-11-02T03:05:02.000Z', handled: true },
    },
    { id: 'own:2', type: 'refund.begun', body: { amount: 200 }, at: '2026-11-03T03:05:02.000Z', handled: true },
    { id: 'own:3', type: 'problem.disputed', body: {}, at: '2026-11-04T03:05:02.000Z', handled: true },
  ],
  refunds: [
    {
      ...{ id: frameId(54), costs: 200, state: 'completed', reason: 'A week without service', by: 'Boss', code: null },
      date: '2026-11-03T03:05:02.000Z',
    },
  ],
};
const renewing: ManagedSubscription = {
  ...{ id: frameId(53), kind: 'plan', plan_id: 3, product_id: null, offer_id: 12, name: 'Prime', icon: 'prime' },
  ...{ state: 'active', paid_until: '2099-12-02T03:05:00.000Z', cancel_at_end: false, renews: true, method: 'paypal' },
  ...{ next_charge: { at: '2099-12-02T03:05:00.000Z', costs: 1200, currency: 'USD' }, due: null },
  ...{ date: '2026-11-02T03:04:05.000Z', member: payer, failed_charges: 0 },
  last_payment: { id: paidPayment.id, state: 'granted', code: null, date: '2026-11-02T03:04:05.000Z' },
};

/** A renewal of which its provider tells nothing. */
const withUnanswered = async (page: Page) => {
  const silent: ManagedPaymentDetail = {
    ...paymentDetail,
    ...{ state: 'pending', problem: null, unanswered_since: '2026-11-02T03:10:00.000Z', code: 'unknown' },
    ...{ method: 'card', route: 'charge', paid_at: null, granted_at: null, transaction_id: null, refunded: 0 },
    ...{ granted: { points: 0, points_back: 0, subscription: null }, events: [], refunds: [] },
  };
  await page.route(/\/api\/managedPayment\//, (route) => route.fulfill(answer(silent)));
};

/** Terms that operators have changed twice. */
const withEarlierTerms = async (page: Page) => {
  const [first, second] = ['2026-03-01T04:00:00.000Z', '2026-06-01T04:00:00.000Z'];
  const earlier = [
    { in_force_from: first, in_force_until: second },
    { in_force_from: null, in_force_until: first },
  ];
  const message = { content: '## Lanterns\n\nBe kind to them.', ...earlier[0], earlier };
  await page.route(/\/api\/legalText\/terms/, (route) => route.fulfill({ json: { success: true, message } }));
};

/** Payments and subscriptions as operators see them. */
const withManagedPayments = async (page: Page) => {
  await page.route(/\/api\/managedPayments/, (route) =>
    route.fulfill(
      pageOf([
        paidPayment,
        {
          ...paidPayment,
          ...{ id: frameId(55), state: 'created', problem: 'amountMismatch', method: 'card', name: 'Harbour lights' },
          ...{ costs: 30_000, currency: 'TWD', refunded: 0, paid_at: null, granted_at: null, member: null },
        },
        { ...paidPayment, id: frameId(56), state: 'paid', refunded: 0 },
      ]),
    ),
  );
  await page.route(/\/api\/managedPayment\//, (route) => route.fulfill(answer(paymentDetail)));
  await page.route(/\/api\/managedSubscriptions/, (route) =>
    route.fulfill(
      pageOf([
        renewing,
        {
          ...renewing,
          ...{ id: frameId(57), state: 'suspended', paid_until: '2026-11-02T03:05:00.000Z', failed_charges: 2 },
          ...{ method: 'card', next_charge: null, due: { costs: 1200, currency: 'USD' } },
          last_payment: { id: frameId(58), state: 'failed', code: '05', date: '2026-11-05T03:04:05.000Z' },
        },
      ]),
    ),
  );
};

/** Notifications as operators see them: sent to all, scheduled for one member, and withdrawn. */
const withBroadcasts = async (page: Page) => {
  const toAll: Broadcast = {
    id: frameId(90),
    audience: 'all',
    kind: 'info',
    title: { en: 'New pictures of the harbour', zh: '港邊的新照片', ja: '港の新しい写真' },
    content: { en: 'Four evenings at the harbour.', zh: '港邊的四個夜晚。', ja: '港の四つの夜。' },
    link: '/store',
    release_at: '2026-11-02T03:04:05.000Z',
    member: null,
    sent: 12_040,
    read: 7311,
    withdrawn: false,
  };
  const { id, name, email } = payer;
  const toOne = { ...toAll, id: frameId(91), audience: 'one', member: { id, name, email }, sent: 1, read: 0 } as const;
  const later = '2099-11-02T03:04:05.000Z';
  await page.route(/\/api\/managedNotifications/, (route) =>
    route.fulfill(
      pageOf([
        { ...toOne, kind: 'warning', release_at: later },
        toAll,
        { ...toAll, id: frameId(92), audience: 'vip', sent: 96, read: 12, withdrawn: true },
      ]),
    ),
  );
};

const FRAME = `/menu/frameSetting/${pairedFrame.id}`;
const announcement: Announcement = {
  id: '00000000-0000-4000-8000-000000000002',
  text: {
    en: 'New frames have arrived. On Monday from 9 to 10 no pictures are converted.',
    zh: '新的相框已經到貨。星期一 9 點到 10 點暫停轉換照片。',
    ja: '新しいフレームが届きました。月曜日の9時から10時までは写真を変換できません。',
  },
  from: '2026-01-01T00:00:00.000Z',
  to: '2099-01-01T00:00:00.000Z',
};

interface Screen {
  readonly name: string;
  readonly as?: Person;
  /** Path of the page. */
  readonly path?: () => string;
  /** Setup for this screen only, before anything is loaded. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Actions on the page before it is checked. */
  readonly act?: (page: Page, language: Language) => Promise<void>;
  /** Reverts `act`, for the next language. */
  readonly after?: (page: Page) => Promise<void>;
  /** A guest's pages are English. */
  readonly languages?: readonly Language[];
  /** Public case that asks for this screen. */
  readonly proves?: string;
}

const liveAngles = ['Camera left', 'Behind the goal, high above the field', '右側鏡頭'];
/** Events of today, of which the first runs. */
const liveEvents = (): LiveEvent[] => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Taipei' }).format();
  const event: LiveEvent = {
    id: frameId(61),
    title: 'Paper Moon – Deep Sea',
    timestamp: `${day}T19:00:00.000+08:00`,
    ends_at: `${day}T23:59:00.000+08:00`,
    day,
    state: 'live',
    is_free_view: true,
    can_watch: true,
    cover,
    angles: liveAngles.map((name, n) => ({ id: frameId(70 + n), name })),
  };
  const later: LiveEvent = {
    ...event,
    id: frameId(62),
    title: '元宵燈會 The lantern festival with a very long name, from the first lamp to the last',
    state: 'upcoming',
    is_free_view: false,
    cover: null,
  };
  return [event, later, { ...later, id: frameId(63), title: '春の決勝戦', cover }];
};
/** Answers the calls about live events; `watch` is the answer to whoever wants to watch. */
const withLive =
  ({ mbps = 50, watch }: { mbps?: number; watch?: { status: number; code: string } } = {}) =>
  async (page: Page) => {
    const events = liveEvents();
    const [event] = events;
    if (!event) return;
    await page.addInitScript((speed) => sessionStorage.setItem('lineSpeed', String(speed)), mbps);
    await page.route('**/api/liveEvents*', (route) => route.fulfill(pageOf(events)));
    await page.route('**/api/liveEvent/*', (route) => {
      const id = new URL(route.request().url()).pathname.split('/').at(-1);
      return route.fulfill({ json: { success: true, message: events.find((one) => one.id === id) } });
    });
    await page.route('**/api/liveAccess', (route) => {
      const message = { country: 'TW', is_country_allowed: true, age: 'unknown', age_retry_at: null };
      return route.fulfill({ json: { success: true, message } });
    });
    await page.route('**/api/watchLive', (route) => {
      const language = asLanguage(route.request().headers()['accept-language']) ?? 'en';
      if (watch) {
        const message = textOf(language, 'errors', watch.code);
        return route.fulfill({ status: watch.status, json: { success: false, code: watch.code, message, errors: [] } });
      }
      const session: LiveSession = {
        id: frameId(64),
        event,
        angles: event.angles.map((angle) => ({
          ...angle,
          manifest: `/api/live/${frameId(64)}/${angle.id}.m3u8?token=x`,
        })),
        heartbeat_seconds: 15,
        expires_at: event.ends_at,
      };
      return route.fulfill({ json: { success: true, message: session } });
    });
    await page.route('**/api/liveSession/**', (route) =>
      route.fulfill({ json: { success: true, message: { expires_at: event.ends_at, id: frameId(64) } } }),
    );
    // The picture is never there, and its cover stands in its place.
    await page.route('**/api/live/**', () => {});
  };
const LIVE = `/live/${frameId(61)}`;

const press = (area: string, key: string) => (page: Page | Locator, language: Language) =>
  page
    .getByRole('button', { name: textOf(language, area, key) })
    .first()
    .click();
/** Waits for this number of cards of pictures or albums. */
const listed = (count: number) => (page: Page) =>
  expect(
    page
      .getByRole('main')
      .getByRole('listitem')
      .nth(count - 1),
  ).toBeVisible();
/** Checks that the list in a dialog, which is longer, is at most so high, in percent of the screen. */
const atMost = async (page: Page, percent: number) => {
  const list = page.getByRole('dialog').getByRole('list');
  const height = await list.evaluate((element) => {
    const box = element.closest('[style*="max-height"]')?.getBoundingClientRect();
    return ((box?.height ?? Number.NaN) / window.innerHeight) * 100;
  });
  expect(height).toBeLessThanOrEqual(percent + 0.1);
};
/** Opens the notifications from the menu. */
const openPanel = async (page: Page, language: Language) => {
  await page
    .getByRole('main')
    .getByRole('button', { name: textOf(language, 'menu', 'notifications') })
    .click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(5);
  await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 1 });
  await atMost(page, 49);
};
const dialogOpen = (page: Page) => expect(page.getByRole('dialog').last()).toBeVisible();

const SCREENS: readonly Screen[] = [
  {
    name: 'landing',
    path: () => '/index',
    act: (page) => expect(page.getByRole('main').getByRole('img').first()).toBeVisible(),
  },
  { name: 'login', path: () => '/login' },
  {
    name: 'login-restricted',
    proves: 'X12',
    path: () => '/login',
    before: (page) =>
      page.route('**/api/login', (route) => {
        const code = 'accountRestricted';
        const language = asLanguage(route.request().headers()['accept-language']) ?? 'en';
        const message = textOf(language, 'errors', code);
        return route.fulfill({ status: 403, json: { success: false, code, message, errors: [] } });
      }),
    act: async (page, language) => {
      await page.locator('input[autocomplete="username"]').fill('mei@example.org');
      await page.locator('input[autocomplete="current-password"]').fill('Lifted-3-Layers');
      await press('auth', 'login')(page, language);
      await expect(page.getByRole('alert')).toContainText(textOf(language, 'errors', 'accountRestricted'));
    },
  },
  { name: 'register', path: () => '/register' },
  {
    name: 'policy-dialog',
    path: () => '/register',
    act: async (page, language) => {
      await press('common', 'policy')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'register-success', path: () => '/registerSuccess' },
  { name: 'confirmation', path: () => `/confirmation?code=${'a'.repeat(43)}&email=mei@example.org` },
  { name: 'first-entry', path: () => '/mainindex' },
  { name: 'forget-password', path: () => '/forgetPassword' },
  {
    name: 'reset-password',
    proves: 'X12',
    // The parameters of the mailed link.
    path: () => `/forgetPassword?resetPasswordToken=${'a'.repeat(43)}&email=mei@example.org`,
    act: (page) => expect(page.locator('input[autocomplete="new-password"]')).toHaveCount(2),
  },
  { name: 'reset-password-expired', path: () => '/forgetPassword' },
  { name: 'plan', path: () => '/plan' },
  { name: 'notify', path: () => '/notify' },
  {
    name: 'locations',
    path: () => '/locations',
    before: withPlaces,
    act: (page) => expect(page.getByRole('article')).toHaveCount(2),
  },
  {
    name: 'locations-none',
    path: () => '/locations',
    before: (page) =>
      page.route('**/api/locations', (route) => route.fulfill({ json: { success: true, message: [] } })),
  },
  { name: 'about', path: () => '/about' },
  {
    name: 'qa',
    path: () => '/qa',
    act: (page) => page.getByRole('main').locator('h2 button').first().click(),
  },
  { name: 'terms', path: () => '/terms' },
  {
    name: 'terms-earlier',
    path: () => '/terms?at=2026-03-01T04:00:00.000Z',
    before: withEarlierTerms,
    act: (page, language) =>
      expect(page.getByRole('link', { name: textOf(language, 'policy', 'earlier.current') })).toBeVisible(),
  },
  { name: 'privacy', path: () => '/privacy' },
  { name: 'not-found', path: () => '/nowhere' },
  {
    name: 'maintenance',
    path: () => '/maintenance',
    before: (page) =>
      page.route('**/api/config', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({ response, json: { ...body, message: { ...body.message, isMaintenance: true } } });
      }),
  },
  {
    name: 'announcement',
    proves: 'X12',
    path: () => '/about',
    before: (page) =>
      page.route('**/api/config', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        const message = { ...body.message, Announcement: true, announcement };
        await route.fulfill({ response, json: { ...body, message } });
      }),
    act: async (page, language) => expect(page.getByRole('dialog')).toContainText(announcement.text[language] ?? ''),
  },
  {
    name: 'session-over',
    as: 'member',
    path: () => '/menu',
    before: (page) => page.context().clearCookies({ name: 'token' }),
    act: (page) => expect(page).toHaveURL(/\/login/),
    // Restores what the browser stores while a session is open.
    after: (page) => page.evaluate(() => localStorage.setItem('session', 'member')),
  },
  {
    name: 'unreachable',
    as: 'member',
    path: () => '/menu',
    before: (page) => page.route('**/api/user', (route) => route.abort()),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'shell', 'tryAgain') })).toBeVisible(),
  },
  {
    name: 'guest',
    as: 'guest',
    path: () => '/guestPage',
    // Whether somebody is a guest is kept in the session storage, which is not part of a saved state.
    before: (page) => page.addInitScript(() => sessionStorage.setItem('session', 'guest')),
    act: (page) => expect(page.getByRole('heading', { name: textOf('en', 'guest', 'title'), level: 1 })).toBeVisible(),
    languages: ['en'],
  },
  {
    name: 'content',
    as: 'member',
    path: () => '/member/video',
    act: listed(2),
  },
  { name: 'content-empty', as: 'admin', path: () => '/member/video' },
  {
    name: 'content-nothing-found',
    as: 'member',
    path: () => '/member/video?q=zebra',
    act: (page, language) =>
      expect(page.getByText(textOf(language, 'content', 'search.nothing').replace('{{text}}', 'zebra'))).toBeVisible(),
  },
  {
    name: 'content-selection',
    as: 'member',
    path: () => '/member/video',
    act: async (page, language) => {
      await listed(2)(page);
      await press('content', 'select')(page, language);
      await page.getByRole('main').getByRole('checkbox').first().check();
    },
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'content-menu',
    as: 'member',
    path: () => '/member/video',
    act: async (page, language) => {
      const actions = textOf(language, 'content', 'card.actions').replace('{{name}}', 'window.jpg');
      await page.getByRole('button', { name: actions }).click();
      await expect(page.getByRole('menuitem').first()).toBeFocused();
    },
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'content-viewer',
    as: 'member',
    path: () => '/member/video?kind=photos',
    act: async (page, language) => {
      await listed(1)(page);
      await press('content', 'slideshow')(page, language);
      await page.getByRole('button', { name: textOf(language, 'viewer', 'pause') }).click();
      await expect(page.getByRole('dialog').locator('[data-state="ready"]')).toBeVisible({ timeout: 60_000 });
    },
    after: async (page) => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    },
  },
  {
    name: 'add-to-album',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('albums', 'addTo')(page, language);
      await dialogOpen(page);
    },
    after: async (page) => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    },
  },
  {
    name: 'content-failed',
    as: 'member',
    path: () => '/member/video',
    before: (page) => page.route('**/api/videos*', (route) => route.fulfill({ status: 502 })),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'common', 'retry') })).toBeVisible(),
  },
  { name: 'menu', as: 'member', path: () => '/menu' },
  {
    name: 'serial-dialog',
    as: 'member',
    path: () => '/menu',
    act: async (page, language) => {
      await press('menu', 'serial')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'tutorial',
    proves: 'X12',
    as: 'member',
    path: () => '/menu',
    act: async (page, language) => {
      await press('menu', 'tutorial')(page, language);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: textOf(language, 'menu', 'tutorialStart') })
        .click();
      await expect(page.getByRole('dialog', { name: textOf(language, 'tutorial', 'home.title') })).toBeVisible();
    },
    after: async (page) => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    },
  },
  { name: 'menu-profile', as: 'member', path: () => '/menu/profile' },
  { name: 'member-profile', as: 'member', path: () => '/member/profile' },
  {
    name: 'delete-account',
    proves: 'X12',
    as: 'member',
    path: () => '/menu/profile',
    act: async (page, language) => {
      await press('profile', 'delete.ask')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'notify-member', as: 'member', path: () => '/notify', before: showNotifications, act: listed(7) },
  { name: 'notify-panel', as: 'member', path: () => '/menu', before: showNotifications, act: openPanel },
  {
    name: 'notify-panel-all',
    proves: 'R-4.panel.1',
    as: 'member',
    path: () => '/menu',
    before: showNotifications,
    act: async (page, language) => {
      await openPanel(page, language);
      await press('notifications', 'viewAll')(page, language);
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(7);
      await atMost(page, 80);
    },
  },
  {
    name: 'store',
    as: 'member',
    path: () => '/store',
    before: withShop(),
    act: (page) => expect(page.getByRole('link', { name: 'Harbour lights' })).toBeVisible(),
  },
  {
    name: 'player',
    as: 'member',
    path: () => '/player',
    before: withLive(),
    act: async (page) => {
      await expect(page.getByRole('grid')).toBeVisible();
      await expect(page.locator('[href="/menu/qrcode"]')).toBeVisible();
    },
  },
  {
    name: 'live',
    as: 'member',
    path: () => LIVE,
    before: withLive({ mbps: 12.3 }),
    act: (page) => expect(page.locator('video').first()).toBeAttached(),
  },
  {
    name: 'live-age',
    as: 'member',
    path: () => LIVE,
    before: withLive({ watch: { status: 403, code: 'ageNotConfirmed' } }),
    act: async (page) => {
      await page
        .getByRole('main')
        .getByRole('textbox')
        .fill(String(new Date().getFullYear() - 18));
      await expect(page.getByRole('checkbox')).toBeVisible();
    },
  },
  {
    name: 'live-refused',
    as: 'member',
    path: () => LIVE,
    before: withLive({ watch: { status: 403, code: 'not_member_please_buy' } }),
    act: (page) => expect(page.locator('[href="/plan"]').last()).toBeVisible(),
  },
  {
    name: 'live-slow',
    as: 'member',
    path: () => LIVE,
    before: withLive({ mbps: 3.4 }),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'live', 'speed.continue') })).toBeVisible(),
  },
  {
    name: 'live-replaced',
    as: 'member',
    path: () => LIVE,
    before: async (page) => {
      await withLive()(page);
      await page.route('**/heartbeat', (route) =>
        route.fulfill({ status: 409, json: { success: false, code: 'liveSessionReplaced', message: '', errors: [] } }),
      );
    },
    act: async (page, language) => {
      await expect(page.locator('video').first()).toBeAttached();
      // As when the page comes back to the front.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect(page.getByRole('button', { name: textOf(language, 'live', 'replaced.here') })).toBeVisible();
    },
  },
  {
    name: 'live-upcoming',
    as: 'member',
    path: () => `/live/${frameId(62)}`,
    before: withLive(),
    act: (page, language) => expect(page.getByText(textOf(language, 'live', 'page.upcoming'))).toBeVisible(),
  },
  {
    name: 'store-home',
    as: 'member',
    path: () => '/player',
    before: withShop(),
    act: (page, language) =>
      expect(page.getByRole('heading', { name: textOf(language, 'store', 'section') })).toBeVisible(),
  },
  {
    name: 'store-empty',
    as: 'member',
    path: () => '/store',
    act: (page, language) =>
      expect(page.getByRole('heading', { name: textOf(language, 'store', 'emptyTitle') })).toBeVisible(),
  },
  {
    name: 'product',
    as: 'member',
    path: () => '/store?product=1',
    before: withShop(),
    act: async (page) => {
      await expect(page.getByRole('radio')).toHaveCount(2);
      await expect(page.locator('canvas')).toBeVisible();
    },
  },
  {
    name: 'product-free',
    as: 'member',
    path: () => '/store?product=2',
    before: withShop(),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'store', 'saveToFrame') })).toBeVisible(),
  },
  {
    name: 'product-saved',
    as: 'member',
    path: () => '/store?product=3',
    before: withShop(),
    act: (page, language) =>
      expect(page.getByRole('link', { name: textOf(language, 'store', 'openAlbum') })).toBeVisible(),
  },
  {
    name: 'product-preview',
    as: 'member',
    path: () => '/store?product=1&mode=preview',
    before: withShop(),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'store', 'buy'), exact: true }).last()).toBeVisible(),
  },
  {
    name: 'confirm-purchase',
    as: 'member',
    path: () => '/store?product=1',
    before: withShop(),
    act: confirmPurchase,
  },
  {
    name: 'payment-selection',
    as: 'member',
    path: () => '/store?product=1',
    before: withShop(),
    act: async (page, language) => {
      await confirmPurchase(page, language);
      await press('payment', 'buy')(page.getByRole('dialog').last(), language);
      await expect(page.getByRole('button', { name: /PayPal/ })).toBeVisible();
    },
  },
  {
    name: 'trade-result-paid',
    as: 'member',
    path: () => RESULT,
    before: withPayment({ state: 'granted', pay_result: 10, transaction_id: 'S20260103000000001' }),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'frames', 'show.button') })).toBeVisible(),
  },
  {
    name: 'trade-result-failed',
    as: 'member',
    path: () => RESULT,
    before: withPayment({ state: 'failed', pay_result: 11 }),
  },
  {
    name: 'trade-result-pending',
    as: 'member',
    path: () => RESULT,
    before: withPayment({ state: 'pending', awaits_code: true }),
  },
  {
    name: 'trade-result-review',
    as: 'member',
    path: () => RESULT,
    before: withPayment({ state: 'pending', failure: 'inReview' }),
    act: (page, language) =>
      expect(page.getByRole('heading', { name: textOf(language, 'payment', 'result.review.title') })).toBeVisible(),
  },
  { name: 'add-value', as: 'member', path: () => '/addValue', act: listed(3) },
  {
    name: 'add-value-closed',
    as: 'member',
    path: () => '/addValue',
    before: (page) => page.route('**/api/paymentMethods', (route) => route.fulfill(answer([]))),
    act: (page, language) => expect(page.getByText(textOf(language, 'payment', 'closed'))).toBeVisible(),
  },
  { name: 'plan-member', as: 'member', path: () => '/subscribe' },
  {
    name: 'plan-cancelled',
    as: 'member',
    path: () => '/subscribe',
    before: withSubscriptions({ cancel_at_end: true, next_charge: null }),
    act: (page, language) =>
      expect(page.getByRole('link', { name: textOf(language, 'payment', 'plans.manage') })).toBeVisible(),
  },
  {
    name: 'plan-paused',
    as: 'member',
    path: () => '/subscribe',
    before: withSubscriptions({ state: 'suspended', due: { costs: 999, currency: 'USD' } }),
    act: (page, language) =>
      expect(page.getByRole('link', { name: textOf(language, 'store', 'plans.pay') })).toBeVisible(),
  },
  {
    name: 'subscribedetail',
    as: 'member',
    path: () => '/subscribedetail',
    before: withSubscriptions({}),
    act: async (page, language) => {
      await press('subscription', 'ended.show')(page, language);
      await expect(page.getByText('山の一年')).toBeVisible();
    },
  },
  { name: 'subscribedetail-empty', as: 'member', path: () => '/subscribedetail' },
  {
    name: 'subscribedetail-cancelled',
    as: 'member',
    path: () => '/subscribedetail',
    before: withSubscriptions({ cancel_at_end: true, next_charge: null, method: 'card' }),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'subscription', 'plan.resume') })).toBeVisible(),
  },
  {
    name: 'subscribedetail-ended-at-paypal',
    as: 'member',
    path: () => '/subscribedetail',
    before: withSubscriptions({ cancel_at_end: true, renews: false, next_charge: null }),
    act: (page, language) =>
      expect(page.getByRole('button', { name: textOf(language, 'subscription', 'plan.again') })).toBeVisible(),
  },
  {
    name: 'subscribedetail-cancel',
    as: 'member',
    path: () => '/subscribedetail',
    before: withSubscriptions({}),
    act: async (page, language) => {
      await press('subscription', 'plan.cancel')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'subscribedetail-refused',
    as: 'member',
    path: () => '/subscribedetail',
    before: async (page) => {
      await withSubscriptions({})(page);
      await page.route('**/api/plan_unsubscribe', (route) => {
        const language = asLanguage(route.request().headers()['accept-language'] ?? '') ?? 'en';
        const message = textOf(language, 'errors', 'unsubscribeFailed');
        return route.fulfill({ status: 502, json: { success: false, code: 'unsubscribeFailed', message, errors: [] } });
      });
    },
    act: async (page, language) => {
      await press('subscription', 'plan.cancel')(page, language);
      await press('subscription', 'plan.cancel')(page.getByRole('dialog'), language);
      await expect(page.getByText(textOf(language, 'errors', 'unsubscribeFailed'))).toBeVisible();
    },
  },
  {
    name: 'subscribedetail-suspended',
    as: 'member',
    path: () => '/subscribedetail',
    before: withSubscriptions({ state: 'suspended', method: 'card', due: { costs: 999, currency: 'USD' } }),
    act: async (page, language) => {
      const price = formatMoney({ amount: 999, currency: 'USD' }, language);
      const pay = textOf(language, 'subscription', 'plan.payNowPrice').replace('{{price}}', price);
      await page.getByRole('button', { name: pay }).click();
      await expect(page.getByText(textOf(language, 'subscription', 'plan.declined'))).toBeVisible();
    },
  },
  {
    name: 'add-friend',
    as: 'member',
    path: () => '/member/addfriend?email=ken@example.org',
    before: showFriends,
    act: (page, language) =>
      expect(page.getByRole('heading', { name: textOf(language, 'friends', 'lists.received') })).toBeVisible(),
  },
  {
    name: 'add-friend-empty',
    as: 'member',
    path: () => '/member/addfriend',
    act: (page, language) => expect(page.getByText(textOf(language, 'friends', 'emptyTitle'))).toBeVisible(),
  },
  {
    name: 'upload-links',
    as: 'member',
    path: () => '/member/uploadlinks',
    before: showLinks,
    act: (page) => expect(page.getByText('Anniversary')).toBeVisible(),
  },
  {
    name: 'upload-links-empty',
    as: 'member',
    path: () => '/member/uploadlinks',
    act: (page, language) => expect(page.getByText(textOf(language, 'links', 'emptyTitle'))).toBeVisible(),
  },
  {
    name: 'upload-link-code',
    as: 'member',
    path: () => '/member/uploadlinks',
    before: showLinks,
    act: async (page, language) => {
      await page
        .getByText(textOf(language, 'links', 'code'), { exact: true })
        .first()
        .click();
      await dialogOpen(page);
    },
  },
  {
    name: 'link-upload',
    as: 'visitor',
    path: () => '/u/token',
    before: openSentLink,
    act: async (page) => {
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([photo, { ...photo, name: 'garden.jpg' }]);
      await expect(page.getByRole('button', { name: /window\.jpg/ }).first()).toBeVisible();
      // What people choose makes room for itself; the browser does not know that somebody chose it.
      await page.evaluate(() => {
        (window as unknown as { shifts: Shift[] }).shifts.length = 0;
      });
    },
  },
  {
    name: 'link-upload-ended',
    as: 'visitor',
    path: () => '/u/token',
    act: (page, language) =>
      expect(page.getByRole('heading', { name: textOf(language, 'links', 'send.over') })).toBeVisible(),
  },
  {
    name: 'side-menu',
    as: 'member',
    path: () => '/menu/profile',
    act: async (page, language) => {
      await press('shell', 'sideMenu')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'notifications',
    as: 'member',
    path: () => '/menu/profile',
    act: async (page) => {
      await page.getByRole('banner').locator('[aria-haspopup="dialog"]').first().click();
      await dialogOpen(page);
    },
  },
  { name: 'dialog-choose', as: 'member', path: () => '/player?action=upload', act: dialogOpen },
  {
    name: 'dialog-crop',
    as: 'member',
    path: () => '/player?action=upload',
    before: withFrames(upToDate),
    // Another photo takes the place of the first one: nothing moves while it is opened.
    act: async (page) => {
      await chooseIn(page, photo, 0);
      const picture = () =>
        page.getByRole('dialog').locator('img[src^="blob:"]').first().getAttribute('src', { timeout: 1000 });
      const first = await picture();
      await chooseIn(page, { ...photo, name: 'again.jpg' }, 0);
      await expect.poll(() => picture().catch(() => first)).not.toBe(first);
      await expect(page.getByRole('dialog').locator('#crop-note')).toContainText('×');
    },
  },
  {
    name: 'dialog-preview',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      await chooseIn(page, photo, 0);
      await page.getByRole('button', { name: textOf(language, 'upload', 'preview.show') }).click();
      const preview = page.locator('[data-state="ready"] canvas');
      await expect(preview).toBeVisible({ timeout: 60_000 });
      await preview.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'dialog-pair',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      // Eyes far apart: only the shape of the whole, two pictures wide, makes the dialog ask.
      const { left, right } = standingScene(600, 450, 110);
      const buffer = await encoder(beside(left, right)).jpeg().toBuffer();
      await chooseIn(page, { ...photo, name: 'harbour.jpg', buffer }, 0);
      await expect(page.getByLabel(textOf(language, 'upload', 'pair.label'))).toBeVisible();
    },
  },
  {
    name: 'dialog-moving',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      await page
        .getByRole('dialog')
        .locator('input[type="file"]')
        .first()
        .setInputFiles(await movingGif());
      await expect(page.getByRole('dialog', { name: textOf(language, 'upload', 'moving.title') })).toBeVisible();
    },
  },
  {
    name: 'dialog-animation',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page) => chooseIn(page, { ...photo, ...(await movingGif()) }, -1),
  },
  {
    name: 'dialog-animation-strength',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      await chooseIn(page, { ...photo, ...(await movingGif()) }, -1);
      await press('upload', 'video.next')(page.getByRole('dialog'), language);
      await expect(page.getByRole('img', { name: 'party.gif' })).toBeVisible();
    },
  },
  {
    name: 'dialog-many',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      await dialogOpen(page);
      const wide = { ...photo, name: 'harbour-in-the-evening-light.jpg', buffer: await madePhoto(6, 800, 450) };
      const note = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('milk') };
      await bring(page, 'drop', [photo, wide, { ...photo, name: '海邊.jpg' }, clip, note]);
      const all = textOf(language, 'upload', 'many.convertAll_other').replace('{{count}}', '4');
      await expect(page.getByRole('button', { name: all })).toBeEnabled();
    },
  },
  {
    name: 'dialog-price',
    as: 'member',
    path: () => '/player?action=upload',
    before: withPoints({ points: 120, freePoints: 12 }, 3),
    act: (page) => chooseIn(page, photo, 0),
  },
  {
    name: 'dialog-short',
    proves: 'X12',
    as: 'member',
    path: () => '/player?action=upload',
    before: withPoints({ points: 2, freePoints: 1 }, 3),
    act: async (page, language) => {
      await chooseIn(page, photo, 0);
      await expect(page.getByText(textOf(language, 'errors', 'notEnoughPoints'))).toBeVisible();
    },
  },
  { name: 'video-crop', as: 'member', path: () => '/player?action=upload', act: (page) => chooseIn(page, clip, -1) },
  {
    name: 'video-strength',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      await chooseIn(page, clip, -1);
      await press('upload', 'video.next')(page.getByRole('dialog'), language);
      await expect(page.getByRole('dialog').locator('video')).toBeVisible();
    },
  },
  {
    name: 'sending',
    as: 'member',
    path: () => '/player?action=upload',
    before: async (page) => {
      // Each language begins without what the one before was uploading.
      await page.addInitScript(() => sessionStorage.clear());
      // The file never arrives.
      await page.route('**/files/**', (route) => (route.request().method() === 'PUT' ? undefined : route.continue()));
    },
    act: async (page, language) => {
      await chooseIn(page, photo, 0);
      await press('upload', 'submit')(page, language);
      await expect(page.getByRole('button', { name: textOf(language, 'upload', 'sending.cancel') })).toBeVisible();
    },
  },
  {
    name: 'converting',
    as: 'member',
    path: () => `/menu/confirmUpload?media=${picture}`,
    before: async (page) => {
      await page.route(`**/api/media/${picture}/events`, (route) => route.abort());
      await page.route(`**/api/media/${picture}`, async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        const running = { status: MEDIA_STATUS.processing, step: 'depth', progress: 40, timeLeft: 4 };
        await route.fulfill({ response, json: { ...body, message: { ...body.message, ...running } } });
      });
    },
    act: (page) => expect(page.getByRole('progressbar').locator('img')).toBeVisible(),
  },
  {
    name: 'result-better-depth',
    as: 'member',
    path: () => `/result/${picture}`,
    before: (page) =>
      page.route(`**/api/media/${picture}`, async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({ response, json: { ...body, message: { ...body.message, betterDepth: true } } });
      }),
    act: async (page, language) =>
      page.getByRole('button', { name: textOf(language, 'edit', 'better.run') }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'result',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page) => expect(page.locator('canvas').first()).toBeVisible(),
  },
  {
    name: 'result-formats',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('result', 'download.other')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'result-crop',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('edit', 'crop.open')(page, language);
      // The server makes the picture on the first request, after what it is converting.
      await expect(page.getByRole('application')).toBeVisible({ timeout: 60_000 });
    },
  },
  {
    name: 'result-painter',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('edit', 'depth.open')(page, language);
      await expect(page.getByRole('heading', { name: textOf(language, 'edit', 'depth.title') })).toBeVisible();
      await expect(page.locator('canvas').first()).toBeVisible();
    },
  },
  { name: 'result-video', as: 'member', path: () => `/result/${video}` },
  {
    name: 'share-dialog',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('share', 'button')(page, language);
      await expect(page.getByLabel(textOf(language, 'share', 'dialog.link'), { exact: true })).toBeVisible();
      await press('share', 'dialog.embed')(page, language);
      await expect(page.getByLabel(textOf(language, 'share', 'dialog.code'))).toBeVisible();
    },
  },
  { name: 'shares', as: 'member', path: () => '/menu/shares', act: listed(2) },
  { name: 'shares-empty', as: 'admin', path: () => '/menu/shares' },
  { name: 'shared', path: () => shared, act: (page) => expect(page.locator('canvas').first()).toBeVisible() },
  { name: 'shared-video', path: () => sharedVideo, act: (page) => expect(page.locator('video')).toBeVisible() },
  {
    name: 'shared-downloads',
    path: () => shared,
    act: async (page, language) => {
      await press('share', 'page.download')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'shared-gone', path: () => `/s/${'a'.repeat(43)}` },
  {
    name: 'embed',
    path: () => shared.replace('/s/', '/embed/'),
    act: (page) => expect(page.locator('canvas').first()).toBeVisible(),
  },
  { name: 'albums', as: 'member', path: () => '/album', act: listed(1) },
  { name: 'albums-empty', as: 'admin', path: () => '/album' },
  { name: 'album', as: 'member', path: () => `/album/${album}`, act: listed(2) },
  {
    name: 'album-dialog',
    proves: 'X12',
    as: 'member',
    path: () => `/album/${album}`,
    act: async (page, language) => {
      await press('albums', 'add')(page, language);
      await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    },
  },
  {
    name: 'points',
    as: 'member',
    path: () => '/menu/points',
    before: withPoints({ points: 1234, freePoints: 12 }),
    act: listed(4),
  },
  {
    name: 'points-limit',
    as: 'admin',
    path: () => '/menu/points',
    before: (page) =>
      page.route('**/api/ads', (route) => {
        const reward = { type: 'freePoints', amount: 1 };
        const message = { offered: true, reward, left: 0, next_at: '2099-01-01T16:00:00.000Z' };
        return route.fulfill({ json: { success: true, message } });
      }),
  },
  {
    name: 'rewarded-ad',
    proves: 'X12',
    as: 'member',
    path: () => '/menu/points',
    before: withPoints({ points: 1234, freePoints: 12 }),
    act: async (page, language) => {
      await press('points', 'watch')(page, language);
      await expect(page.getByRole('button', { name: textOf(language, 'ads', 'modal.yes') })).toBeEnabled();
    },
  },
  {
    name: 'rewarded-ad-playing',
    as: 'member',
    path: () => '/menu/points',
    before: withPoints({ points: 1234, freePoints: 12 }),
    act: async (page, language) => {
      await watchAd(page, language);
      await expect(page.getByRole('dialog').locator('img')).toBeVisible();
    },
  },
  {
    name: 'rewarded-ad-done',
    as: 'member',
    path: () => '/menu/points',
    before: withPoints({ points: 1234, freePoints: 12 }, 0, { over: true }),
    act: async (page, language) => {
      await watchAd(page, language);
      await expect(page.getByRole('dialog').getByRole('link')).toBeVisible();
    },
  },
  { name: 'orders', as: 'member', path: () => '/menu/order' },
  {
    name: 'orders-payments',
    as: 'member',
    path: () => '/menu/order?category=purchase_details',
    before: withPayments,
    act: openCards,
  },
  { name: 'payments', as: 'member', path: () => '/menu/payments', before: withPayments, act: openCards },
  { name: 'payments-empty', as: 'member', path: () => '/menu/payments' },
  {
    name: 'order-open',
    proves: 'X12',
    as: 'member',
    path: () => '/menu/order',
    act: async (page) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /^window\.jpg/ })
        .first()
        .click();
      await expect(page.getByRole('main').locator('dl')).toBeVisible();
    },
  },
  { name: 'frames', as: 'member', path: () => '/menu/frameSetting' },
  {
    name: 'frames-paired',
    proves: 'X12',
    as: 'member',
    path: () => '/menu/frameSetting',
    before: withFrames(upToDate, () => [], [secondFrame, { ...pairedFrame, id: frameId(4), state: 'offline' }]),
    act: listed(3),
  },
  { name: 'frame', as: 'member', path: () => FRAME, before: withFrames(upToDate, someItems), act: listed(4) },
  {
    name: 'frame-problems',
    as: 'member',
    path: () => FRAME,
    before: withFrames(() => ({
      state: 'offline',
      problems: [
        { at: '2026-01-03T03:05:05.000Z', name: 'beach.mp4', code: 'notDecoded', detail: '' },
        { at: '2026-01-03T03:04:05.000Z', name: null, code: 'storageFull', detail: '' },
      ],
    })),
    act: listed(2),
  },
  {
    name: 'frame-settings',
    as: 'member',
    path: () => `${FRAME}?tab=settings`,
    before: withFrames(() => ({ ...upToDate(), options: { ...pairedFrame.options, mode: 'native' } })),
    act: (page) => expect(page.getByRole('switch').first()).toBeVisible(),
  },
  {
    name: 'frame-friends',
    as: 'member',
    path: () => `${FRAME}?tab=friends`,
    before: withFrames(upToDate),
    act: (page) => expect(page.getByRole('switch')).toHaveCount(3),
  },
  {
    name: 'frame-add',
    as: 'member',
    path: () => FRAME,
    before: withFrames(() => ({ state: 'empty', online: true })),
    act: async (page, language) => {
      await press('frames', 'items.add')(page, language);
      await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    },
  },
  {
    name: 'show-choose',
    as: 'member',
    path: () => `/result/${picture}`,
    before: withFrames(upToDate, () => [], [secondFrame]),
    act: async (page, language) => {
      await press('frames', 'show.button')(page, language);
      await expect(page.getByRole('dialog').getByRole('checkbox')).toHaveCount(3);
    },
  },
  {
    name: 'show-receipt',
    as: 'member',
    path: () => `/result/${picture}`,
    before: withFrames(
      () => ({ state: 'downloading', online: true }),
      () => [{ ...frameItem, shown_at: null }],
    ),
    act: async (page, language) => {
      await press('frames', 'show.button')(page, language);
      await expect(page.getByRole('dialog').getByRole('status')).not.toBeEmpty();
    },
  },
  {
    name: 'show-no-frame',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('frames', 'show.button')(page, language);
      await expect(page.getByRole('dialog').getByRole('link')).toBeVisible();
    },
  },
  { name: 'qrcode', as: 'member', path: () => '/menu/qrcode' },
  { name: 'result-gone', as: 'member', path: () => '/result/00000000-0000-4000-8000-000000000000' },
  { name: 'admin', as: 'admin', path: () => '/admin' },
  {
    name: 'admin-depth-fetching',
    as: 'admin',
    path: () => '/admin',
    before: withDepthModel({ state: 'fetching', fetched: 38_000_000 }),
    act: async (page) => page.getByRole('progressbar').last().scrollIntoViewIfNeeded(),
  },
  {
    name: 'admin-depth-failed',
    as: 'admin',
    path: () => '/admin',
    before: withDepthModel({
      ...{ state: 'failed', fetched: 0, problem: 'offline', nextTryAt: '2026-01-02T03:04:05.000Z' },
      detail: 'getaddrinfo ENOTFOUND models.example.org',
    }),
    act: async (page) => page.getByText('getaddrinfo').scrollIntoViewIfNeeded(),
  },
  { name: 'admin-users', as: 'admin', path: () => '/admin/users' },
  { name: 'admin-user', as: 'admin', path: () => `/admin/users/${member}` },
  { name: 'admin-codes', as: 'admin', path: () => '/admin/pin-codes' },
  {
    name: 'admin-notifications',
    as: 'admin',
    path: () => '/admin/notifications',
    before: withBroadcasts,
    act: (page) => expect(page.getByRole('row', { name: payer.email })).toBeVisible(),
  },
  {
    name: 'admin-notification',
    as: 'admin',
    path: () => '/admin/notifications',
    act: async (page, language) => {
      await press('admin', 'notices.send')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'admin-orders', as: 'admin', path: () => '/admin/orders' },
  { name: 'admin-device-types', as: 'admin', path: () => '/admin/device-types' },
  { name: 'admin-points', as: 'admin', path: () => '/admin/points' },
  {
    name: 'admin-price',
    as: 'admin',
    path: () => '/admin/points',
    act: async (page, language) => {
      const name = textOf(language, 'admin', 'points.all');
      const label = textOf(language, 'admin', 'points.changeOf').replace('{{name}}', name);
      await page.getByRole('button', { name: label }).click();
      await dialogOpen(page);
    },
  },
  {
    name: 'admin-correct',
    proves: 'X12',
    as: 'admin',
    path: () => `/admin/users/${member}`,
    act: async (page, language) => {
      await press('admin', 'points.member.correct')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'admin-frames', as: 'admin', path: () => '/admin/frames' },
  {
    name: 'admin-stores',
    as: 'admin',
    path: () => '/admin/stores',
    before: withManagedShop,
    act: (page) => expect(page.getByRole('row', { name: /Harbour lights/ })).toBeVisible(),
  },
  {
    name: 'admin-product',
    as: 'admin',
    path: () => '/admin/stores',
    before: withManagedShop,
    act: async (page, language) => {
      await page
        .getByRole('row', { name: /Harbour lights/ })
        .getByRole('button', { name: textOf(language, 'admin', 'shop.edit') })
        .click();
      await dialogOpen(page);
    },
  },
  {
    name: 'admin-live',
    as: 'admin',
    path: () => '/admin/live',
    before: withManagedEvent,
    act: (page) => expect(page.getByRole('row', { name: /Lantern night/ })).toBeVisible(),
  },
  {
    name: 'admin-live-event',
    as: 'admin',
    path: () => '/admin/live',
    before: withManagedEvent,
    act: async (page, language) => {
      await page
        .getByRole('row', { name: /Lantern night/ })
        .getByRole('button', { name: textOf(language, 'adminLive', 'edit') })
        .click();
      await dialogOpen(page);
    },
  },
  { name: 'admin-legal', as: 'admin', path: () => '/admin/legal' },
  {
    name: 'admin-faq',
    as: 'admin',
    path: () => '/admin/faq',
    before: withEntries,
    act: (page) => expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2),
  },
  { name: 'admin-faq-entry', as: 'admin', path: () => `/admin/faq/${frameId(1)}`, before: withEntries },
  {
    name: 'admin-faq-preview',
    as: 'admin',
    path: () => `/admin/faq/${frameId(2)}`,
    before: withEntries,
    act: showPreview,
  },
  { name: 'admin-locations', as: 'admin', path: () => '/admin/locations', before: withEntries },
  { name: 'admin-location', as: 'admin', path: () => `/admin/locations/${frameId(3)}`, before: withEntries },
  { name: 'admin-location-new', as: 'admin', path: () => '/admin/locations/new' },
  {
    name: 'admin-prices',
    as: 'admin',
    path: () => '/admin/prices',
    act: (page) => expect(page.getByRole('row', { name: /Prime/ }).first()).toBeVisible(),
  },
  {
    name: 'admin-offer',
    as: 'admin',
    path: () => '/admin/prices',
    act: async (page, language) => {
      await press('admin', 'shop.newOffer.points')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'admin-plan',
    as: 'admin',
    path: () => '/admin/prices',
    act: async (page, language) => {
      await page
        .getByRole('row', { name: /Prime/ })
        .first()
        .getByRole('button', { name: textOf(language, 'admin', 'shop.edit') })
        .click();
      await dialogOpen(page);
    },
  },
  {
    name: 'admin-payments',
    as: 'admin',
    path: () => `/admin/payments?member=${payer.id}`,
    before: withManagedPayments,
    act: (page) => expect(page.getByRole('row', { name: /Harbour lights/ })).toBeVisible(),
  },
  {
    name: 'admin-payment',
    as: 'admin',
    path: () => `/admin/payments/${paidPayment.id}`,
    before: withManagedPayments,
    act: (page) => expect(page.getByText('A week without service')).toBeVisible(),
  },
  {
    name: 'admin-payment-unanswered',
    as: 'admin',
    path: () => `/admin/payments/${paidPayment.id}`,
    before: withUnanswered,
    act: async (page, language) => {
      await press('adminPayments', 'actions.close')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'admin-refund',
    as: 'admin',
    path: () => `/admin/payments/${paidPayment.id}`,
    before: withManagedPayments,
    act: async (page, language) => {
      await press('adminPayments', 'actions.refund')(page, language);
      await dialogOpen(page);
      await page.getByRole('radio').last().check();
      await page.getByRole('textbox').first().fill('13');
    },
  },
  {
    name: 'admin-subscriptions',
    as: 'admin',
    path: () => '/admin/subscriptions',
    before: withManagedPayments,
    act: (page) => expect(page.getByRole('row', { name: /Prime/ }).last()).toBeVisible(),
  },
  { name: 'admin-storage', as: 'admin', path: () => '/admin/storage' },
  { name: 'admin-settings', as: 'admin', path: () => '/admin/settings' },
  { name: 'admin-log', as: 'admin', path: () => '/admin/log' },
];

for (const {
  name,
  as = 'visitor',
  path = () => '/',
  before,
  act,
  after,
  languages = LANGUAGE_CODES,
  proves,
} of SCREENS) {
  const title = `${name}: accessible and in place in every language, theme and width${proves ? ` [${proves}]` : ''}`;
  test(title, async ({ browser, app }) => {
    const state = states[as];
    const context = await browser.newContext({
      baseURL: app.url,
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      // Keeping a copy of every file took a fifth of the CPU time of a load. See install.spec.ts.
      serviceWorkers: 'block',
      ...(state ? { storageState: state } : {}),
    });
    await context.addInitScript(countShifts);
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^(https?|wss?):$/.test(protocol) && origin !== app.url) foreign.push(request.url());
    });
    await before?.(page);
    for (const [turn, language] of languages.entries()) {
      // Loads at another width in each language: the layout must not shift at any of them.
      const widths = [...WIDTHS.slice(turn), ...WIDTHS.slice(0, turn)];
      await resize(page, widths[0] ?? NARROW);
      const address = path();
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await act?.(page, language);
      await settled(page);
      const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
      expect
        .soft(
          shifts.reduce((sum, { value }) => sum + value, 0),
          `layout shifts of ${name} in ${language} at ${widths[0]} px: ${JSON.stringify(shifts)}`,
        )
        .toBeLessThan(CALM);
      for (const width of widths) {
        await resize(page, width);
        const what = `${name}-${language}-${width}`;
        await keepScreen(page, `${what}-dark`);
        await expectInPlace(page, what);
        if (width === NARROW) {
          await growToFit(page, width);
          await expectAccessible(page, what);
        }
        // Colours do not depend on the language or the width; other widths are only needed for the kept pictures.
        if (language !== languages[0] || !(width === NARROW || keepsScreens)) continue;
        await turnTo(page, 'light');
        await keepScreen(page, `${what}-light`);
        if (width === NARROW) await expectContrast(page, `${what}, light`);
        await turnTo(page, 'dark');
      }
      await after?.(page);
    }
    expect(foreign, 'requests to other sites').toEqual([]);
    // Answers that are being changed are lost with the context.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
}

test('on a phone on its side the picture of a result fits between the header and the bar at the bottom [U3]', async ({
  browser,
  app,
}) => {
  const state = states.member;
  if (!state) throw new Error('The member has not logged in');
  const context = await browser.newContext({ baseURL: app.url, storageState: state });
  const page = await context.newPage();
  for (const [path, width] of [
    [`/result/${picture}`, 740],
    [`/result/${picture}`, 844],
    [shared, 740],
  ] as const) {
    await page.setViewportSize({ width, height: 360 });
    await page.goto(path);
    const view = page.getByRole('img', { name: /in 3D/ });
    await expect(view.locator('canvas')).toBeVisible();
    // Scrolled to where the picture stays while the controls beside it are used.
    await page.evaluate(() => window.scrollTo(0, 300));
    await drawn(page);
    const bar = page.getByRole('navigation', { name: 'Quick navigation' });
    const hasBar = await bar.isVisible();
    expect(hasBar).toBe(width < 768);
    const header = await page.getByRole('banner').boundingBox();
    const box = await view.boundingBox();
    const floor = hasBar ? ((await bar.boundingBox())?.y ?? 0) : 360;
    const height = box?.height ?? 0;
    expect(height, `height at ${path}, ${width} px`).toBeGreaterThan(150);
    expect(height).toBeLessThanOrEqual(floor - (header?.height ?? 0));
    if (path === shared) continue;
    expect(box?.y).toBeGreaterThanOrEqual(header?.height ?? 0);
    expect((box?.y ?? 0) + height, `lower edge at ${width} px`).toBeLessThanOrEqual(floor);
  }
  await context.close();
});

async function resize(page: Page, width: (typeof WIDTHS)[number]): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  await drawn(page);
}

/**
 * Resizes the viewport to the full height of the page, so that no bar at the edge covers a control. Elements with the
 * height of the viewport grow with it, up to a limit of their own.
 */
async function growToFit(page: Page, width: (typeof WIDTHS)[number]): Promise<void> {
  const needed = () => page.evaluate(() => document.documentElement.scrollHeight);
  let height: number = HEIGHTS[width];
  do {
    height = Math.max(height, await needed()) + BAR;
    await page.setViewportSize({ width, height });
    await drawn(page);
  } while ((await needed()) > height);
}

/** In the open upload dialog, selects a file in the first or last chooser, and waits until the crop is measured. */
async function chooseIn(page: Page, file: typeof photo, place: 0 | -1): Promise<void> {
  const dialog = page.getByRole('dialog');
  const choosers = dialog.locator('input[type="file"]');
  await (place === 0 ? choosers.first() : choosers.last()).setInputFiles({ ...file });
  await expect(dialog.getByRole('application')).toBeVisible({ timeout: 60_000 });
  await expect(dialog.locator('#crop-note')).toContainText('×');
}

/**
 * Switches the theme and waits until it is drawn: the page is notified with a delay, during which the two themes mix.
 */
async function turnTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await drawn(page);
}

/** Waits until nothing is loading and the page is drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('.mantine-Skeleton-root, [data-outline]') === null &&
      [...document.images].every((image) => image.complete),
  );
  await drawn(page);
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
}

/** Runs in the page: records layout shifts and the elements that moved. */
function countShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  const nameOf = (node: Node | null) =>
    node instanceof Element ? `${node.tagName.toLowerCase()}.${node.getAttribute('class') ?? ''}` : node?.nodeName;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[])
      if (!hadRecentInput)
        shifts.push({
          value,
          what: sources.map(
            ({ node, previousRect: from, currentRect: to }) =>
              `${nameOf(node) ?? 'gone'} ${from.y}+${from.height} -> ${to.y}+${to.height}`,
          ),
        });
  }).observe({ type: 'layout-shift', buffered: true });
}
