import { type Album, type Client, LIMITS } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { albumMedia, albums, media } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal, smallJpeg, upload } from '../../testing/uploads.ts';
import { deleteRemovedAccounts } from '../account/removal.ts';
import { removeMediaOf } from '../media/lifecycle/ownership.ts';
import { purgeAlbums } from './albums.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('albums', () => {
  let app: TestApp;
  let token: string;
  let client: Client;
  /** Oldest first. */
  let pictures: string[];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ token } = await app.member());
    client = app.client({ token });
    pictures = [];
    for (let n = 1; n <= 3; n++) {
      app.clock.advance(1000);
      pictures.push((await upload(app, client, await smallJpeg(n), { effect_param_id: 0 })).id);
    }
  });
  afterAll(() => app.close());

  const create = (name: string) => client.call('albumCreate', { input: { name } });
  const get = (id: string) => client.call('album', { params: { id } });
  const put = (id: string, media_ids: string[]) =>
    client.call('editToAlbum', { input: { id, editType: 'add', media_ids } });
  const inside = async (album: string) => (await client.call('videos', { input: { album } })).data.map(({ id }) => id);
  const covers = ({ cover }: Album) => cover?.match(/media\/([0-9a-f-]+)\/cover/)?.[1] ?? null;

  it('are made, filled, emptied and renamed [R-1.member.8][R-7.album.1][R-7.album.3][R-7.album.4][R-7.album.5]', async () => {
    const { id, ...made } = await create('  Holidays 2026 ');
    expect(made).toMatchObject({ name: 'Holidays 2026', quantity: 0, cover: null });
    expect(await put(id, pictures)).toMatchObject({ id, quantity: 3 });
    expect(await inside(id)).toEqual(pictures.toReversed());
    // A request may be repeated over a bad connection.
    expect(await put(id, [...pictures, ...pictures])).toMatchObject({ quantity: 3 });

    const [first = '', ...others] = pictures;
    const taken = { input: { id, editType: 'delete' as const, media_ids: [first] } };
    expect(await client.call('editToAlbum', taken)).toMatchObject({ quantity: 2 });
    expect(await client.call('editToAlbum', taken)).toMatchObject({ quantity: 2 });
    expect(await inside(id)).toEqual(others.toReversed());
    // Removed from the album, the media still exists.
    expect((await client.call('media', { params: { id: first } })).status).toBe(1);

    const renamed = await client.call('editToAlbum', { input: { id, editType: 'rename', name: '夏休み' } });
    expect(renamed).toMatchObject({ name: '夏休み', quantity: 2 });
    expect(await get(id)).toEqual(renamed);
  });

  it('have an id and a name of 1 to 30 visible characters [R-3.album.1][R-5.text.1][S10][W26]', async () => {
    await create('👨‍👩‍👧‍👦'.repeat(5) + '🇹🇼'.repeat(16));
    const longest = '相'.repeat(LIMITS.textLength);
    const { id, name } = await create(longest);
    expect(name).toBe(longest);
    for (const wrong of ['', '   ', '\u3164\u2800', 'x'.repeat(LIMITS.textLength + 1)]) {
      expect((await refusal(create(wrong))).code, wrong).toBe('invalidInput');
      const rename = client.call('editToAlbum', { input: { id, editType: 'rename', name: wrong } });
      expect((await refusal(rename)).code, wrong).toBe('invalidInput');
    }
    expect((await get(id)).name).toBe(longest);
  });

  it('are listed newest first, page by page, each once [R-7.lists.6][A97]', async () => {
    const me = await app.member();
    const own = app.client({ token: me.token });
    const createdAt = app.context.clock.now();
    // In pairs with equal times, so that the id decides.
    const rows = Array.from({ length: LIMITS.pageSize + 5 }, (_, n) => ({
      id: app.context.ids.uuid(),
      ownerId: me.userId,
      name: `album ${n}`,
      createdAt: new Date(createdAt.getTime() - 1000 * Math.floor(n / 2)),
    }));
    await app.context.db.insert(albums).values(rows);
    const first = await own.call('albums', { input: {} });
    expect([first.data.length, first.hasNext]).toEqual([LIMITS.pageSize, true]);
    const page = new URL(first.next ?? '', app.url).searchParams.get('page') ?? '';
    const second = await own.call('albums', { input: { page } });
    expect([second.data.length, second.hasNext]).toEqual([5, false]);
    const all = [...first.data, ...second.data];
    expect(new Set(all.map(({ id }) => id)).size).toBe(rows.length);
    expect(all.map(({ date }) => date)).toEqual(
      all
        .map(({ date }) => date)
        .toSorted()
        .reverse(),
    );
    expect((await refusal(own.call('albums', { input: { page: 'x' } }))).code).toBe('invalidInput');
  });

  it('another picture becomes the cover as soon as the one in front is deleted, and it is back when that is [A34]', async () => {
    const { id } = await create('Covers');
    const [older = '', newest = ''] = pictures.slice(1);
    expect(covers(await put(id, [older, newest]))).toBe(newest);
    await client.call('deleteMedia', { input: { id: newest } });
    const left = await get(id);
    expect([covers(left), left.quantity]).toEqual([older, 1]);
    expect(await inside(id)).toEqual([older]);
    const served = await fetch(app.url + left.cover, { headers: { authorization: `Bearer ${token}` } });
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    await served.body?.cancel();
    await client.call('deleteMedia', { input: { id: older } });
    expect(await get(id)).toMatchObject({ cover: null, quantity: 0 });
    for (const one of [older, newest]) await client.call('restoreMedia', { input: { id: one } });
    const back = await get(id);
    expect([covers(back), back.quantity]).toEqual([newest, 2]);
  });

  it('the cover is the chosen picture; deleted or taken out, another takes its place at once, and restored it is back [A34]', async () => {
    const { id } = await create('Chosen');
    const [oldest = '', middle = '', newest = ''] = pictures;
    const choose = (media_id: string | null) =>
      client.call('editToAlbum', { input: { id, editType: 'cover', media_id } });
    await put(id, [oldest, newest]);
    expect((await refusal(choose(middle))).code).toBe('mediaNotFound');
    const chosen = await choose(oldest);
    expect([covers(chosen), chosen.cover_media_id]).toEqual([oldest, oldest]);
    await client.call('deleteMedia', { input: { id: oldest } });
    expect([covers(await get(id)), (await get(id)).cover_media_id]).toEqual([newest, null]);
    expect((await refusal(choose(oldest))).code).toBe('mediaNotFound');
    await client.call('restoreMedia', { input: { id: oldest } });
    expect(covers(await get(id))).toBe(oldest);
    const taken = await client.call('editToAlbum', { input: { id, editType: 'delete', media_ids: [oldest] } });
    expect(covers(taken)).toBe(newest);
    await put(id, [oldest]);
    expect(covers(await choose(null))).toBe(newest);
    const other = app.client({ token: (await app.member()).token });
    const theirs = other.call('editToAlbum', { input: { id, editType: 'cover', media_id: oldest } });
    expect((await refusal(theirs)).code).toBe('albumNotFound');
  });

  it('deleting one keeps its pictures, can be undone for a day, and is final after that [A32][R-7.album.2]', async () => {
    const { id } = await create('Gone');
    await put(id, pictures);
    for (let twice = 0; twice < 2; twice++) expect(await client.call('deleteAlbum', { input: { id } })).toEqual({ id });
    expect((await refusal(get(id))).code).toBe('albumNotFound');
    expect((await refusal(inside(id))).code).toBe('albumNotFound');
    expect((await refusal(put(id, pictures))).code).toBe('albumNotFound');
    expect((await client.call('albums', { input: {} })).data.map((album) => album.id)).not.toContain(id);

    app.clock.advance(DAY_MS - HOUR_MS);
    await purgeAlbums(app.context);
    expect(await client.call('restoreAlbum', { input: { id } })).toMatchObject({ id, name: 'Gone', quantity: 3 });
    await client.call('deleteAlbum', { input: { id } });
    app.clock.advance(DAY_MS + 1000);
    expect((await refusal(client.call('restoreAlbum', { input: { id } }))).code).toBe('albumNotFound');
    await purgeAlbums(app.context);
    expect(await app.context.db.$count(albumMedia, eq(albumMedia.albumId, id))).toBe(0);
    expect((await client.call('videos', { input: {} })).data.map((one) => one.id)).toEqual(pictures.toReversed());
  });

  it('take no picture of another member, and with one unknown among them none at all [A56]', async () => {
    const other = app.client({ token: (await app.member()).token });
    const theirs = await upload(app, other, await smallJpeg(9), { effect_param_id: 0 });
    const { id } = await create('Mine alone');
    const [own = ''] = pictures;
    const answer = await refusal(put(id, [own, theirs.id]));
    expect([answer.code, answer.status]).toEqual(['mediaNotFound', 404]);
    expect(await get(id)).toMatchObject({ quantity: 0 });
    const list = other.call('videos', { input: { album: id } });
    expect((await refusal(list)).code).toBe('albumNotFound');
  });

  it('are limited in number, also for many asked for at once', async () => {
    const me = await app.member();
    const own = app.client({ token: me.token });
    const row = () => ({ id: app.context.ids.uuid(), ownerId: me.userId, name: 'x', createdAt: new Date(0) });
    await app.context.db.insert(albums).values(Array.from({ length: LIMITS.albums.count - 2 }, row));
    const asked = await Promise.allSettled(
      [1, 2, 3, 4].map((n) => own.call('albumCreate', { input: { name: `${n}` } })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const one of asked)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'tooManyAlbums', status: 409 });
    expect(await app.context.db.$count(albums, eq(albums.ownerId, me.userId))).toBe(LIMITS.albums.count);
  });

  it("get the uploads that name them, as far as they are their sender's own and still there", async () => {
    const { id } = await create('From the dialog');
    const other = await app.member();
    const foreign = await app.client({ token: other.token }).call('albumCreate', { input: { name: 'Foreign' } });
    const gone = await create('Gone');
    await client.call('deleteAlbum', { input: { id: gone.id } });
    const send = async (to: string) => (await upload(app, client, await smallJpeg(9), { effect_param_id: 0, to })).id;
    const sent = await send(id);
    await expect.poll(() => inside(id)).toEqual([sent]);
    const lost = [await send(foreign.id), await send(gone.id), await send('order')];
    const filled = () => app.context.db.$count(albumMedia, inArray(albumMedia.mediaId, lost));
    // Jobs of one type run in order: when this one has arrived, the others have run.
    const last = await send(id);
    await expect.poll(() => inside(id)).toEqual([last, sent]);
    expect(await filled()).toBe(0);
    // Of an album that was deleted meanwhile its owner is told; whether others have one of that id tells nobody.
    const told = (await client.call('notifications', { input: {} })).data.map(({ content }) => content);
    expect(told.filter((content) => content.startsWith('What you uploaded for'))).toEqual([
      `What you uploaded for “Gone” is in your content. ${errorText('albumNotFound', 'en')}`,
    ]);
  });

  it('a purged picture leaves its albums, and a removed account leaves none [A33]', async () => {
    const me = await app.member();
    const own = app.client({ token: me.token });
    const { id: mediaId } = await upload(app, own, await smallJpeg(11), { effect_param_id: 0 });
    const { id } = await own.call('albumCreate', { input: { name: 'Last' } });
    await own.call('editToAlbum', { input: { id, editType: 'add', media_ids: [mediaId] } });
    await removeMediaOf(app.context, me.userId);
    expect(await app.context.db.$count(media, eq(media.ownerId, me.userId))).toBe(0);
    expect(await own.call('album', { params: { id } })).toMatchObject({ quantity: 0, cover: null });
    await own.call('deleteAccount', { input: { password: me.password } });
    app.clock.advance((LIMITS.account.graceDays + 1) * DAY_MS);
    await deleteRemovedAccounts(app.context);
    expect(await app.context.db.$count(albums, eq(albums.id, id))).toBe(0);
  });
});
