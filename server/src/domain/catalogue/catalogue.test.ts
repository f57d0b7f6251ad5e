import { type Client, LIMITS, type Product } from '@framelift/contract';
import { sizeOf } from '@framelift/engine/testing/pictures';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { albums, plans, products, stores, subscriptions } from '../../platform/db/schema.ts';
import { DAY_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { openTestShop, type TestShop } from '../../testing/shop.ts';
import { ended, refusal, smallJpeg, upload } from '../../testing/uploads.ts';
import { grantSubscription } from '../membership/subscriptions.ts';
import { findOfferForSale } from './catalogue.sql.ts';

const SCREEN = { width: 1920, height: 1080, pixelRatio: 1 };

describe('the shop', () => {
  let app: TestApp;
  let shop: TestShop;
  /** A picture with depth, larger than a preview may be, and a flat one. */
  let deep: string;
  let flat: string;
  let lanterns: Awaited<ReturnType<TestShop['product']>>;
  let free: Awaited<ReturnType<TestShop['product']>>;
  let offerId: number;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    shop = await openTestShop(app);
    const { operator } = shop;
    const converting = await upload(app, operator, await smallJpeg(1, 900, 1200));
    app.clock.advance(1000);
    flat = (await upload(app, operator, await smallJpeg(2), { effect_param_id: 0 })).id;
    deep = (await ended(operator, converting.id)).id;
    lanterns = await shop.product([deep, flat]);
    free = await shop.product([flat], { hasFree: true, position: 1, name: { en: 'Sea', zh: '海', ja: '海' } });
    offerId = await shop.offer(lanterns.id);
  });
  afterAll(() => app.close());

  const visitor = (language = 'en') => app.client({ language });
  const member = async () => {
    const { token, userId, email } = await app.member();
    return { client: app.client({ token }), token, userId, email };
  };
  /** Gives a member the paid product for three months. */
  const buy = (userId: string, productId = lanterns.id, id = offerId) =>
    app.context.db.transaction((tx) =>
      grantSubscription(app.context, tx, {
        userId,
        offer: { id, kind: 'product', productId, planId: null, period: 3 },
        provider: 'paypal',
        renews: false,
        paidAt: app.clock.now(),
      }),
    );
  const get = (path: string, token?: string) =>
    fetch(app.url + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const names = (rows: readonly Product[]) => rows.map(({ name }) => name);

  it('shows stores and activated products to everybody, in their language or in English; a guest gets no stores [R-7.lists.4][R-7.lists.5][R-3.product.1][R-1.feature-store.1]', async () => {
    const guest = app.client({ token: (await app.guest()).token });
    const [store] = (await visitor().call('stores', { input: {} })).data;
    expect(store).toEqual({ id: shop.storeId, name: 'Paper Moon', icon: null });
    expect((await visitor('zh').call('stores', { input: {} })).data[0]?.name).toBe('紙月亮');
    expect((await visitor('ja').call('stores', { input: {} })).data[0]?.name).toBe('Paper Moon');
    expect(await guest.call('stores', { input: {} })).toEqual({ data: [], hasNext: false, next: null });

    const hidden = await shop.product([flat], { isActivated: false });
    const list = (await visitor().call('products', { input: {} })).data;
    expect(names(list)).toEqual(['Lanterns', 'Sea']);
    expect(list[0]).toMatchObject({
      id: lanterns.id,
      content: 'Four evenings.',
      is_activated: true,
      hasFree: false,
      isFree: false,
      isSubscribed: false,
      quantity: 2,
      store: { name: 'Paper Moon' },
      album_id: null,
    });
    expect(names((await visitor('zh').call('products', { input: {} })).data)).toEqual(['Lanterns', '海']);
    const other = { input: { store: String(shop.storeId + 1) } };
    expect((await visitor().call('products', other)).data).toEqual([]);
    const gone = visitor().call('product', { params: { product_id: hidden.id } });
    expect((await refusal(gone)).code).toBe('productNotFound');
  });

  it('lists in the order of the operators, page by page', async () => {
    const { db } = app.context;
    const extra = [];
    for (let place = 0; place < LIMITS.pageSize; place++)
      extra.push((await shop.product([flat], { position: 2, name: { en: `Extra ${place}`, zh: '', ja: '' } })).id);
    const first = await visitor().call('products', { input: {} });
    const page = new URL(first.next ?? '', app.url).searchParams.get('page') ?? '';
    const second = await visitor().call('products', { input: { page } });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([lanterns.id, free.id, ...extra]);
    expect(second.next).toBeNull();
    for (const wrong of ['x', page.slice(1)])
      expect((await refusal(visitor().call('products', { input: { page: wrong } }))).code).toBe('invalidInput');
    await db.update(products).set({ isActivated: false }).where(eq(products.position, 2));
  });

  it('shows a small preview before buying, and never the product [R-2.home-feed.4]', async () => {
    const { media } = await visitor().call('product', { params: { product_id: lanterns.id } });
    expect(media.map(({ id }) => id)).toEqual([flat, deep]);
    expect(media[0]?.preview).toBeNull();
    const parts = media[1]?.preview ?? expect.fail('no preview');
    const longest = async (path: string) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      const { width, height } = await sizeOf(Buffer.from(await answer.arrayBuffer()));
      return Math.max(width, height);
    };
    const [first, again] = await Promise.all([longest(parts.colour), longest(parts.colour)]);
    expect([first, again]).toEqual([640, 640]);
    expect(await longest(parts.background)).toBe(640);
    expect(await longest(parts.depth)).toBe(160);
    expect(await longest(parts.backgroundDepth)).toBe(160);
    expect((await get(media[1]?.cover ?? '')).status).toBe(200);
    // Nothing else of the picture is open, and nothing of a picture that lies in no product.
    for (const path of [`/api/media/${deep}/colour`, `/api/media/${deep}/whole`])
      expect((await get(path)).status).toBe(401);
    const stray = await upload(app, shop.operator, await smallJpeg(9), { effect_param_id: 0 });
    expect((await get(`/api/product/${lanterns.id}/${stray.id}/cover`)).status).toBe(404);
    await app.context.db.update(products).set({ isActivated: false }).where(eq(products.id, lanterns.id));
    expect((await get(parts.colour)).status).toBe(404);
    await app.context.db.update(products).set({ isActivated: true }).where(eq(products.id, lanterns.id));
  });

  it('tells what is for sale at what price, archived offers never; having no plan is a plan that costs nothing [R-7.lists.3][R-7.lists.7][R-7.lists.8][R-3.product-solution.1][R-1.feature-store.2]', async () => {
    const archived = await shop.offer(lanterns.id, { archivedAt: app.clock.now(), priceUsd: 1 });
    const input = { product_id: String(lanterns.id) };
    const { data } = await visitor().call('product_solutions', { input });
    expect(data).toEqual([
      {
        id: offerId,
        product_id: lanterns.id,
        plan_id: null,
        points: null,
        name: 'Lanterns',
        icon: '',
        costs: 1200,
        currency: 'USD',
        prices: [
          { currency: 'USD', costs: 1200 },
          { currency: 'TWD', costs: 36_000 },
        ],
        period: 3,
        content: [],
      },
    ]);
    const all = (await visitor().call('plan_solutions', { input: {} })).data;
    const { nonMember, normal, prime, pro } = LIMITS.planIds;
    expect(all.map(({ plan_id, costs, period }) => [plan_id, costs > 0, period])).toEqual([
      [nonMember, false, 1],
      ...[normal, prime, pro].map((id) => [id, true, 1]),
    ]);
    expect(all[1]).toMatchObject({ name: 'Normal', icon: 'normal' });
    expect((await visitor('zh').call('plan_solutions', { input: {} })).data[1]?.content[0]).toContain('每月');
    const { db } = app.context;
    await db.update(plans).set({ archivedAt: app.clock.now() }).where(eq(plans.id, prime));
    const left = (await visitor().call('plan_solutions', { input: {} })).data.map(({ plan_id }) => plan_id);
    expect(left).toEqual([nonMember, normal, pro]);
    await db.update(plans).set({ archivedAt: null }).where(eq(plans.id, prime));
    expect((await visitor().call('point_solutions', { input: {} })).data[0]).toMatchObject({
      points: 100,
      period: null,
    });

    const { client } = await member();
    const projects = (await client.call('projects', { input: {} })).data;
    expect(projects).toContainEqual({ id: `offer-${offerId}`, name: 'Lanterns' });
    expect(projects).not.toContainEqual({ id: `offer-${archived}`, name: 'Lanterns' });
    // Only what costs something and is not free can be bought.
    const none = all[0]?.id ?? 0;
    const given = await shop.offer(free.id);
    const found = await Promise.all([offerId, archived, none, given].map((id) => findOfferForSale(db, id)));
    expect(found.map((view) => view !== undefined)).toEqual([true, false, false, false]);
  });

  it('saves a free product for a member, once however often they ask, and not a paid one [R-4.save-free.2][R-7.subscribe.1][R-7.subscribe.3][R-7.subscribe.5]', async () => {
    const { client, userId } = await member();
    const check = (target: number) => client.call('check_product_subscribe', { input: { target } });
    const none = { isSubscribed: false, isFree: false, paid_until: null };
    expect(await check(free.id)).toEqual(none);
    const save = () => client.call('product_subscribe', { input: { target: free.id } });
    const saved = { isSubscribed: true, isFree: true, paid_until: null };
    const answers = await Promise.all(Array.from({ length: 20 }, save));
    expect(answers).toEqual(Array.from({ length: 20 }, () => ({ ...saved, payment: null })));
    expect(await check(free.id)).toEqual(saved);
    const rows = await app.context.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    expect(rows).toHaveLength(1);
    const product = await client.call('product', { params: { product_id: free.id } });
    expect(product).toMatchObject({ hasFree: true, isFree: true, isSubscribed: true, album_id: free.albumId });

    // A client cannot claim to have paid.
    const claims = [
      { target: lanterns.id },
      { target: lanterns.id, product_solution: offerId, resource_id: '2GG279541U471931P', check_required: false },
    ];
    const codes = claims.map(async (input) => (await refusal(client.call('product_subscribe', { input }))).code);
    expect(await Promise.all(codes)).toEqual(['subscribeFailed', 'noOrder']);
    expect(await check(lanterns.id)).toEqual(none);
    const unknown = client.call('product_subscribe', { input: { target: 999_999 } });
    expect((await refusal(unknown)).code).toBe('productNotFound');
  });

  it('ends a free product at once, and a paid one when what is paid has passed [R-7.subscribe.4]', async () => {
    const { client, userId } = await member();
    const end = (target: number) => client.call('product_unsubscribe', { input: { target } });
    await client.call('product_subscribe', { input: { target: free.id } });
    for (let time = 0; time < 2; time++) expect(await end(free.id)).toMatchObject({ isSubscribed: false });
    const { subscription } = await buy(userId);
    const paidUntil = subscription.paidUntil?.toISOString();
    expect(await end(lanterns.id)).toEqual({ isSubscribed: true, isFree: false, paid_until: paidUntil });
    // Also one that is off the shelf, whoever asks again; to others it is gone.
    const past = await shop.product([flat], { hasFree: true });
    await client.call('product_subscribe', { input: { target: past.id } });
    await app.context.db.update(products).set({ isActivated: false }).where(eq(products.id, past.id));
    const ended = { isSubscribed: false, isFree: false, paid_until: null };
    for (let time = 0; time < 2; time++) expect(await end(past.id)).toEqual(ended);
    expect(await client.call('check_product_subscribe', { input: { target: past.id } })).toEqual(ended);
    // Whoever removes it by mistake has it back for a while, and later no more.
    const again = () => client.call('product_subscribe', { input: { target: past.id } });
    expect(await again()).toMatchObject({ isSubscribed: true, isFree: true });
    expect(await end(past.id)).toEqual(ended);
    await app.context.db
      .update(subscriptions)
      .set({ endedAt: new Date(app.clock.now().getTime() - DAY_MS) })
      .where(eq(subscriptions.productId, past.id));
    expect((await refusal(again())).code).toBe('productNotFound');
    const stranger = (await member()).client;
    for (const name of ['product_unsubscribe', 'check_product_subscribe'] as const)
      expect((await refusal(stranger.call(name, { input: { target: past.id } }))).code).toBe('productNotFound');
    const look = client.call('product', { params: { product_id: past.id } });
    expect((await refusal(look)).code).toBe('productNotFound');
  });

  describe('opens what lies in a product', () => {
    let bought: Awaited<ReturnType<typeof member>>;
    let stranger: Awaited<ReturnType<typeof member>>;
    let past: Awaited<ReturnType<typeof member>>;
    beforeAll(async () => {
      [bought, stranger, past] = [await member(), await member(), await member()];
      await buy(bought.userId);
      const { subscription } = await buy(past.userId);
      await app.context.db
        .update(subscriptions)
        .set({ paidUntil: new Date(app.clock.now().getTime() - DAY_MS) })
        .where(eq(subscriptions.id, subscription.id));
    });

    const looks = (client: Client): Record<string, () => Promise<unknown>> => ({
      media: () => client.call('media', { params: { id: deep } }),
      getMediaLink: () => client.call('getMediaLink', { input: { id: deep } }),
      zipMedia: () => client.call('zipMedia', { input: { media_ids: [deep] } }),
      album: () => client.call('album', { params: { id: lanterns.albumId } }),
      videos: () => client.call('videos', { input: { album: lanterns.albumId } }),
      videosSummary: () => client.call('videosSummary', { input: { album: lanterns.albumId } }),
    });
    const changes = (client: Client): Record<string, () => Promise<unknown>> => ({
      cancelMedia: () => client.call('cancelMedia', { input: { id: deep } }),
      retryMedia: () => client.call('retryMedia', { input: { id: deep } }),
      changeMedia: () => client.call('changeMedia', { params: { id: deep }, input: { convergence: 0.5 } }),
      undoMediaChange: () => client.call('undoMediaChange', { params: { id: deep } }),
      redoMediaChange: () => client.call('redoMediaChange', { params: { id: deep } }),
      paintMediaDepth: () =>
        client.call('paintMediaDepth', {
          params: { id: deep },
          input: { strokes: [{ kind: 'near', radius: 0.1, amount: 0.5, points: [[0.5, 0.5]] }] },
        }),
      deleteMedia: () => client.call('deleteMedia', { input: { id: deep } }),
      restoreMedia: () => client.call('restoreMedia', { input: { id: deep } }),
      renameMedia: () => client.call('renameMedia', { input: { id: deep, name: 'mine' } }),
      deleteManyMedia: () => client.call('deleteManyMedia', { input: { media_ids: [deep] } }),
      restoreManyMedia: () => client.call('restoreManyMedia', { input: { media_ids: [deep] } }),
      improveManyMedia: () => client.call('improveManyMedia', { input: { media_ids: [deep] } }),
      shareMedia: () => client.call('shareMedia', { input: { id: deep } }),
      shares: () => client.call('shares', { input: { media: deep } }),
      setMediaS3UploadFinish: () => client.call('setMediaS3UploadFinish', { input: { id: deep } }),
      rename: () => client.call('editToAlbum', { input: { id: lanterns.albumId, editType: 'rename', name: 'mine' } }),
      take: () =>
        client.call('editToAlbum', { input: { id: lanterns.albumId, editType: 'delete', media_ids: [deep] } }),
      deleteAlbum: () => client.call('deleteAlbum', { input: { id: lanterns.albumId } }),
      restoreAlbum: () => client.call('restoreAlbum', { input: { id: lanterns.albumId } }),
    });
    const parts = ['cover', 'colour', 'depth', 'background', 'backgroundDepth'];

    it('to members who have it now, to nobody else, and lets nobody but its owner change it', async () => {
      const guest = app.client({ token: (await app.guest()).token });
      for (const [name, look] of Object.entries(looks(bought.client)))
        expect([name, await look().then(() => 'open')]).toEqual([name, 'open']);
      for (const [name, look] of Object.entries(looks(shop.operator)))
        expect([name, await look().then(() => 'open')]).toEqual([name, 'open']);
      for (const client of [stranger.client, past.client, guest])
        for (const [name, look] of Object.entries(looks(client))) {
          const { status, code } = await refusal(look());
          // A guest has no albums at all.
          expect([name, [403, 404].includes(status)]).toEqual([name, true]);
          if (status === 404) expect(['mediaNotFound', 'albumNotFound']).toContain(code);
        }
      for (const client of [bought.client, stranger.client, past.client])
        for (const [name, change] of Object.entries(changes(client)))
          expect([name, (await refusal(change())).status]).toEqual([name, 404]);
      for (const part of parts) {
        const path = `/api/media/${deep}/${part}`;
        const answers = [await get(path, bought.token), await get(path, stranger.token), await get(path, past.token)];
        expect([part, ...answers.map(({ status }) => status)]).toEqual([part, 200, 404, 404]);
      }
      // It lies in its album, and not among the member's own pictures.
      expect((await bought.client.call('videos', { input: {} })).data).toEqual([]);
      const events = await get(`/api/media/${deep}/events`, stranger.token);
      expect(events.status).toBe(404);
    });

    it('with its album marked by the store, without the upload and the steps of its edit', async () => {
      const product = { id: lanterns.id, name: 'Lanterns', store: 'Paper Moon' };
      const list = (await bought.client.call('albums', { input: {} })).data;
      expect(list).toMatchObject([{ id: lanterns.albumId, name: 'Lanterns', quantity: 2, product }]);
      const own = (await shop.operator.call('album', { params: { id: lanterns.albumId } })) as object;
      expect(own).toMatchObject({ name: 'Content' });
      expect(own).not.toHaveProperty('product');
      const media = await bought.client.call('media', { params: { id: deep } });
      expect(media).toMatchObject({ product, whole: null, canUndo: false, strokes: 0 });
      expect(media.formats).not.toContain('original');
      expect(media.formats).toContain('sbs');
      const original = bought.client.call('getMediaLink', { input: { id: deep, format: 'original' } });
      expect((await refusal(original)).code).toBe('formatNotAvailable');
      expect((await get(`/api/media/${deep}/whole`, bought.token)).status).toBe(404);
      const [link] = await bought.client.call('getMediaLink', { input: { id: deep, format: 'sbs' } });
      expect((await get(link?.url ?? '')).status).toBe(200);
    });

    it('on their own frames, until it ends, and not on those of friends', async () => {
      const owner = await member();
      const { subscription } = await buy(owner.userId);
      // Another product with the same album, which they do not have.
      const namesake = { albumId: lanterns.albumId, name: { en: 'Sold elsewhere' }, isActivated: false };
      const other = await shop.product([], namesake);
      const codes = await app.client().call('startFrame', { input: { screen: SCREEN, kind: '' } });
      const { id } = await owner.client.call('addDevice', { input: { deviceId: codes.user_code } });
      const { access_token: token } = await app
        .client()
        .call('pollFrame', { input: { device_code: codes.device_code } });
      const frame = app.client({ token });
      const show = { frames: [id], media_ids: [flat], album_ids: [lanterns.albumId] };
      expect((await refusal(stranger.client.call('showOnFrame', { input: show }))).status).toBe(404);
      await owner.client.call('showOnFrame', { input: show });
      const list = await vi.waitFor(
        async () => {
          const playlist = await frame.call('framePlaylist');
          if (playlist.waiting > 0) throw new Error(`${playlist.waiting} are waiting`);
          return playlist;
        },
        { timeout: 60_000, interval: 100 },
      );
      expect(list.items.map(({ mediaId }) => mediaId)).toEqual([flat, flat, deep]);
      const items = await owner.client.call('frameItems', { params: { id } });
      expect(items.map(({ kind, name, quantity }) => [kind, name, quantity])).toEqual([
        ['media', 'shop.jpg', null],
        ['album', 'Lanterns', 2],
      ]);
      // Of two that they have, the first names it everywhere.
      const { subscription: second } = await buy(owner.userId, other.id);
      const [album] = (await owner.client.call('albums', { input: {} })).data;
      const again = await owner.client.call('frameItems', { params: { id } });
      const picture = await owner.client.call('media', { params: { id: deep } });
      expect([album?.name, again[1]?.name, picture.product?.name]).toEqual(['Lanterns', 'Lanterns', 'Lanterns']);
      await app.context.db.delete(subscriptions).where(eq(subscriptions.id, second.id));
      await app.context.db.delete(products).where(eq(products.id, other.id));
      const file = list.items[2]?.files.main?.url ?? '';
      expect((await get(file)).status).toBe(200);

      await app.context.db
        .update(subscriptions)
        .set({ paidUntil: app.clock.now() })
        .where(eq(subscriptions.id, subscription.id));
      expect((await frame.call('framePlaylist')).items).toEqual([]);
      expect((await get(file)).status).not.toBe(200);
      expect(await owner.client.call('frameItems', { params: { id } })).toEqual([]);

      // Who has it, and may send to the frame, cannot send it.
      await owner.client.call('addFriend', { input: { email: bought.email } });
      const [asked] = (await bought.client.call('friends', { input: { list: 'received' } })).data;
      const { id: friend } = await bought.client.call('confirmFriend', { input: { id: asked?.id ?? '' } });
      await owner.client.call('setFrameSender', { params: { id }, input: { friend: friend ?? '', allowed: true } });
      for (const input of [
        { frames: [id], media_ids: [deep], album_ids: [] },
        { frames: [id], media_ids: [], album_ids: [lanterns.albumId] },
      ])
        expect((await refusal(bought.client.call('showOnFrame', { input }))).status).toBe(404);
    });

    it('and keeps its album and pictures from being deleted, also by their owner [R-8.catalogue.6]', async () => {
      const { operator } = shop;
      const attempts = [
        () => operator.call('deleteAlbum', { input: { id: lanterns.albumId } }),
        () => operator.call('deleteMedia', { input: { id: deep } }),
        () => operator.call('deleteManyMedia', { input: { media_ids: [deep] } }),
      ];
      for (const attempt of attempts)
        expect(await refusal(attempt())).toMatchObject({ code: 'albumInProduct', status: 409 });
      const spare = await upload(app, operator, await smallJpeg(7), { effect_param_id: 0 });
      const album = { id: lanterns.albumId, media_ids: [spare.id] };
      await operator.call('editToAlbum', { input: { ...album, editType: 'add' } });
      expect((await refusal(operator.call('deleteMedia', { input: { id: spare.id } }))).code).toBe('albumInProduct');
      await operator.call('editToAlbum', { input: { ...album, editType: 'delete' } });
      await operator.call('deleteMedia', { input: { id: spare.id } });
      // Nor can another album take its place, or none.
      const { data } = await operator.call('managedProducts', { input: {} });
      const { id, store, name, content, has_free } = data.find((one) => one.id === lanterns.id) ?? expect.fail();
      const product = { id, store_id: store.id, name, content, has_free, is_activated: false, album_id: null };
      expect((await refusal(operator.call('setProduct', { input: product }))).code).toBe('albumOfMembers');
    });

    it('and is shown to nobody any more once the account of its owner is gone', async () => {
      const other = await openTestShop(app);
      const { id } = await upload(app, other.operator, await smallJpeg(8), { effect_param_id: 0 });
      const product = await other.product([id]);
      await buy(bought.userId, product.id, await other.offer(product.id));
      expect((await bought.client.call('albums', { input: {} })).data).toHaveLength(2);
      await app.context.db.delete(albums).where(eq(albums.id, product.albumId));
      expect((await bought.client.call('albums', { input: {} })).data).toHaveLength(1);
      expect((await refusal(bought.client.call('media', { params: { id } }))).code).toBe('mediaNotFound');
      const page = await visitor().call('products', { input: { store: String(other.storeId) } });
      expect(page.data).toEqual([]);
      await app.context.db.update(stores).set({ isActive: false }).where(eq(stores.id, other.storeId));
      expect((await visitor().call('stores', { input: {} })).data).toHaveLength(1);
    });
  });
});
