import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type api,
  type Client,
  MEDIA_STATUS,
  MEDIA_TYPE,
  type Media,
  type MediaDetail,
  type SentInputOf,
} from '@framelift/contract';
import type { Stroke } from '@framelift/engine';
import { testModel } from '@framelift/engine/testing/test-models';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { mediaAssets, media as mediaTable } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { ended, refusal, requestFor, smallJpeg, upload } from '../../../testing/uploads.ts';
import { nameKeys } from '../name-keys.ts';

const DAY_MS = 86_400_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('the collection of a member', () => {
  let app: TestApp;
  let token: string;
  let client: Client;
  /** Contains a neural model, which is better than the depth that needs none. */
  const models = mkdtempSync(join(tmpdir(), 'framelift-models-'));
  beforeAll(async () => {
    writeFileSync(join(models, 'depth-anything-v2-small.onnx'), testModel('brightness'));
    app = await startTestApp(await openTestDatabase(), { converter: { neuralDir: models } });
    ({ token } = await app.member());
    client = app.client({ token });
  });
  afterAll(async () => {
    await app.close();
    rmSync(models, { recursive: true });
  });

  type Asked = SentInputOf<typeof api.videos>;

  /** Uploads a flat picture, which is finished in a moment, with a name. */
  const add = async (name: string, by: Client = client): Promise<Media> => {
    app.clock.advance(1000);
    const bytes = await smallJpeg(Math.floor(Math.random() * 1e9), 64, 86);
    const originalDetails = { name, size: bytes.length, type: 'image/jpeg' };
    return upload(app, by, bytes, { originalDetails, effect_param_id: 0 });
  };
  /** Another member with pictures of these names, oldest first. */
  const newMember = async (...names: string[]) => {
    const me = await app.member();
    const own = app.client({ token: me.token });
    const pictures: Media[] = [];
    for (const name of names) pictures.push(await add(name, own));
    return { ...me, own, pictures, ids: pictures.map(({ id }) => id) };
  };
  const names = async (by: Client, input: Asked) => (await by.call('videos', { input })).data.map(({ name }) => name);
  /** Reads all pages; `between` runs after each. */
  async function readAll(by: Client, input: Asked, between = async () => {}): Promise<Media[]> {
    const all: Media[] = [];
    for (let page: string | undefined; ; ) {
      const answer = await by.call('videos', { input: { ...input, ...(page && { page }) } });
      all.push(...answer.data);
      await between();
      if (!answer.next) return all;
      page = new URL(answer.next, app.url).searchParams.get('page') ?? '';
    }
  }

  test('a picture has an id, a name, a status, a cover, a date, a time of finishing and a type [R-3.media.1]', async () => {
    const { own, pictures } = await newMember('harbour.jpg');
    const [listed] = (await own.call('videos', { input: {} })).data;
    expect(Object.keys(listed ?? {})).toEqual(
      expect.arrayContaining(['id', 'name', 'status', 'cover', 'date', 'finish_time', 'type']),
    );
    expect(listed).toMatchObject({ id: pictures[0]?.id, name: 'harbour.jpg', status: 1, type: 0 });
    expect(listed?.cover).toMatch(/^\/api\/media\/.+\/cover/);
    expect(Date.parse(listed?.finish_time ?? '')).toBeGreaterThanOrEqual(Date.parse(listed?.date ?? ''));
  });

  test('is searched by a part of the name, in any case and width, and no character has a meaning of its own', async () => {
    const { own } = await newMember(
      'Harbour 100%.jpg',
      'harbour_2.jpg',
      '臺北 ＡＢＣ.jpg',
      'ｶﾒﾗ.jpg',
      'É COLE.jpg',
      'a\'b"c;--.jpg',
    );
    const found = (search: string) => names(own, { search });
    expect(await found('HARBOUR')).toEqual(['harbour_2.jpg', 'Harbour 100%.jpg']);
    expect(await found('ｈａｒｂｏｕｒ')).toHaveLength(2);
    expect(await found('abc')).toEqual(['臺北 ＡＢＣ.jpg']);
    expect(await found('臺北')).toHaveLength(1);
    expect(await found('カメラ')).toEqual(['ｶﾒﾗ.jpg']);
    expect(await found('é cole')).toEqual(['É COLE.jpg']);
    expect(await found('%')).toEqual(['Harbour 100%.jpg']);
    expect(await found('_')).toEqual(['harbour_2.jpg']);
    expect(await found(`'b"c;--`)).toHaveLength(1);
    expect(await found('har%r')).toEqual([]);
    expect(await found('\\')).toEqual([]);
    for (const search of ['', '   ', 'x'.repeat(101), '\u200b'])
      expect((await refusal(found(search))).code, search).toBe('invalidInput');
  });

  test.each(['newest', 'oldest', 'name'] as const)(
    'comes page by page sorted by %s, nothing twice and nothing left out while others arrive [A97]',
    async (sort) => {
      const { own, userId, pictures } = await newMember('IMG_1.jpg');
      // Pairs of equal times and of equal names, so that the id decides.
      for (let n = 2; n <= 45; n++) {
        const name = `img_${Math.floor(n / 2)}.jpg`;
        const { searchName, sortName } = nameKeys(name);
        await app.context.db.execute(sql`
          insert into media (id, owner_id, name, search_name, sort_name, media_type, device_type_id, effect, status,
            upload_state, declared_size, declared_type, created_at, finished_at)
          select gen_random_uuid(), owner_id, ${name}, ${searchName}, ${sortName}, media_type, device_type_id, effect,
            status, upload_state, declared_size, declared_type,
            created_at - interval '1 second' * ${Math.floor(n / 2)}, finished_at
          from media where id = ${pictures[0]?.id ?? ''}`);
      }
      const before = (await readAll(own, { sort })).map(({ id }) => id);
      expect(new Set(before).size).toBe(45);
      const seen = await readAll(own, { sort }, async () => {
        await add('img_0.jpg', own);
        await add('zebra.jpg', own);
      });
      const arrived = new Set(
        (await app.context.db.select().from(mediaTable).where(eq(mediaTable.ownerId, userId)))
          .map(({ id }) => id)
          .filter((id) => !before.includes(id)),
      );
      expect(seen.map(({ id }) => id).filter((id) => !arrived.has(id))).toEqual(before);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      const keys = seen.map(({ name, date }) => (sort === 'name' ? nameKeys(name).sortName : date));
      expect(keys).toEqual(sort === 'newest' ? keys.toSorted().toReversed() : keys.toSorted());
    },
  );

  test('sorted by name, numbers are in the order of their values, and cursors of another order are refused [A99]', async () => {
    const { own } = await newMember('b10.jpg', 'B9.jpg', 'a.jpg', 'Ｂ１.jpg');
    expect(await names(own, { sort: 'name' })).toEqual(['a.jpg', 'Ｂ１.jpg', 'B9.jpg', 'b10.jpg']);
    expect(await names(own, { sort: 'oldest' })).toEqual(['b10.jpg', 'B9.jpg', 'a.jpg', 'Ｂ１.jpg']);
    const cursor = (text: string) => Buffer.from(text).toString('base64url');
    const end = await own.call('videos', { input: { sort: 'name', page: cursor(`${UNKNOWN} zz`) } });
    expect(end).toEqual({ data: [], hasNext: false, next: null });
    for (const [sort, page] of [
      ['name', cursor(`2026-01-01T00:00:00.000Z ${UNKNOWN}`)],
      ['newest', cursor(`${UNKNOWN} zz`)],
      ['oldest', cursor(`${UNKNOWN} zz`)],
      ['name', cursor('zz')],
    ] as const)
      expect((await refusal(own.call('videos', { input: { sort, page } }))).code).toBe('invalidInput');
  });

  test('is filtered by the kinds that exist, which do not depend on the filter', async () => {
    const { own, ids } = await newMember('a.jpg', 'b.mp4.jpg', 'c.jpg');
    const summary = (input: SentInputOf<typeof api.videosSummary> = {}) => own.call('videosSummary', { input });
    expect(await summary()).toMatchObject({ total: 3, types: [0], media_types: [1] });
    const set = (id: string | undefined, values: object) =>
      app.context.db
        .update(mediaTable)
        .set(values)
        .where(eq(mediaTable.id, id ?? ''));
    await set(ids[1], { mediaType: 0 });
    await set(ids[2], { orderType: 2 });
    const kinds = { types: [0, 2], media_types: [0, 1] };
    expect(await summary({ media_type: '0' })).toMatchObject({ total: 1, ...kinds });
    expect(await summary({ type: '1' })).toMatchObject({ total: 0, months: [], ...kinds });
    expect(await names(own, { media_type: '0' })).toEqual(['b.mp4.jpg']);
    expect(await names(own, { media_type: '1', type: '2' })).toEqual(['c.jpg']);
    expect((await refusal(own.call('videos', { input: { media_type: '2' as '1' } }))).code).toBe('invalidInput');
    const { id: album } = await own.call('albumCreate', { input: { name: 'One' } });
    await own.call('editToAlbum', { input: { id: album, editType: 'add', media_ids: ids.slice(0, 1) } });
    expect(await summary({ album })).toMatchObject({ total: 1, types: [0], media_types: [1] });
    expect((await refusal(client.call('videosSummary', { input: { album } }))).code).toBe('albumNotFound');
  });

  test('is counted by month in the time zone of the member, with borders at midnight there [A100]', async () => {
    const { own, ids } = await newMember('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg');
    const times = ['2026-10-31T15:59:59.999Z', '2026-10-31T16:00:00Z', '2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z'];
    for (const [n, id] of ids.entries())
      await app.context.db
        .update(mediaTable)
        .set({ createdAt: new Date(times[n] ?? '') })
        .where(eq(mediaTable.id, id));
    const months = async (time_zone?: string) =>
      (await own.call('videosSummary', { input: { ...(time_zone && { time_zone }) } })).months;
    expect(await months()).toEqual([
      { month: '2026-11', count: 3 },
      { month: '2026-10', count: 1 },
    ]);
    expect(await months('utc')).toEqual([
      { month: '2026-11', count: 1 },
      { month: '2026-10', count: 3 },
    ]);
    expect(await months('Asia/Kathmandu')).toEqual([
      { month: '2026-11', count: 2 },
      { month: '2026-10', count: 2 },
    ]);
    expect((await refusal(months('Mars/Olympus'))).code).toBe('invalidInput');
  });

  test('a picture is renamed with its files, keeps its extension, and is found by the new name only', async () => {
    const { own, ids } = await newMember('IMG_0001.JPG');
    const [id = ''] = ids;
    const rename = (name: string) => own.call('renameMedia', { input: { id, name } });
    expect((await rename('  奶奶的生日  ')).name).toBe('奶奶的生日.JPG');
    expect(await names(own, { search: '生日' })).toEqual(['奶奶的生日.JPG']);
    expect(await names(own, { search: 'IMG' })).toEqual([]);
    expect((await rename('Birthday.jpg')).name).toBe('Birthday.jpg');
    const [link] = await own.call('getMediaLink', { input: { id } });
    const file = await fetch(new URL(link?.url ?? '', app.url));
    expect(file.headers.get('content-disposition')).toContain('filename="Birthday');
    await file.body?.cancel();
    for (const wrong of ['', ' ', 'a/b', 'a\\b', '\u202egpj', 'x'.repeat(256), '\u200b'])
      expect((await refusal(rename(wrong))).code, wrong).toBe('invalidInput');
    expect((await own.call('media', { params: { id } })).name).toBe('Birthday.jpg');
  });

  test('many are deleted at once and brought back at once within a day; one unknown id changes nothing [A32]', async () => {
    const { own, ids } = await newMember('a.jpg', 'b.jpg', 'c.jpg');
    const some = ids.slice(0, 2);
    const remove = (media_ids: string[]) => own.call('deleteManyMedia', { input: { media_ids } });
    const restore = (media_ids: string[]) => own.call('restoreManyMedia', { input: { media_ids } });
    expect((await refusal(remove([...ids, UNKNOWN]))).code).toBe('mediaNotFound');
    expect(await names(own, {})).toHaveLength(3);
    expect(await remove([...some, ...some])).toEqual({ media_ids: some });
    // A request may be repeated over a bad connection.
    await remove(some);
    expect(await names(own, {})).toEqual(['c.jpg']);
    expect((await refusal(restore([...some, UNKNOWN]))).code).toBe('mediaNotFound');
    expect(await names(own, {})).toHaveLength(1);
    await restore(ids);
    expect(await names(own, {})).toHaveLength(3);
    await remove(some);
    app.clock.advance(DAY_MS + 1000);
    await remove([ids[2] ?? '']);
    expect((await refusal(restore(ids))).code).toBe('mediaNotFound');
    expect(await names(own, {})).toEqual([]);
  });

  test('many more than the limit, or none, are refused', async () => {
    for (const media_ids of [[], Array.from({ length: 501 }, () => app.context.ids.uuid())])
      for (const name of ['deleteManyMedia', 'restoreManyMedia', 'improveManyMedia', 'zipMedia'] as const)
        expect((await refusal(client.call(name, { input: { media_ids } }))).code).toBe('invalidInput');
  });

  test("answers 404 to every call with another member's picture among its ids, and changes nothing [A56]", async () => {
    const { own: stranger, ids: theirs } = await newMember('mine.jpg');
    const { own: owner, ids, userId } = await newMember('secret.jpg');
    const media_ids = [...theirs, ...ids];
    for (const name of ['deleteManyMedia', 'restoreManyMedia', 'improveManyMedia', 'zipMedia'] as const) {
      const error = await refusal(stranger.call(name, { input: { media_ids } }));
      expect([name, error.status, error.code]).toEqual([name, 404, 'mediaNotFound']);
    }
    const { own: third, token: thirdToken } = await newMember();
    const query = new URLSearchParams({ media_ids: ids.join(',') });
    const zip = await fetch(`${app.url}/api/mediaZip?${query}`, { headers: { authorization: `Bearer ${thirdToken}` } });
    expect(zip.status).toBe(404);
    await zip.body?.cancel();
    expect((await fetch(`${app.url}/api/mediaZip?${query}`)).status).toBe(401);
    expect(await names(third, { search: 'secret' })).toEqual([]);
    expect(await names(stranger, {})).toEqual(['mine.jpg']);
    expect(await names(owner, {})).toEqual(['secret.jpg']);
    const rows = await app.context.db.select().from(mediaTable).where(eq(mediaTable.ownerId, userId));
    expect(rows).toMatchObject([{ deletedAt: null, revision: 1, status: MEDIA_STATUS.finished }]);
  });

  async function openZip(url: string, as: string) {
    const response = await fetch(new URL(url, app.url), { headers: { authorization: `Bearer ${as}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const files = new Map<string, Buffer>();
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry())
      files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
    return { response, bytes, files };
  }

  test('many come as one archive of the told size, each under a name of its own; what is missing is named in it', async () => {
    const { own, token: mine, ids } = await newMember('a.jpg', 'a.jpg', 'broken.jpg', 'evicted.jpg');
    const [first = '', second = '', broken = '', evicted = ''] = ids;
    const failed = { status: MEDIA_STATUS.unable, failureCode: 'pictureDamaged' };
    await app.context.db.update(mediaTable).set(failed).where(eq(mediaTable.id, broken));
    // Files that can be made again are deleted when a member has too many.
    const isFile = and(eq(mediaAssets.mediaId, evicted), eq(mediaAssets.role, 'file'));
    await app.context.db.delete(mediaAssets).where(isFile);

    const zip = () => own.call('zipMedia', { input: { media_ids: ids } });
    const answer = await zip();
    expect(answer).toMatchObject({ files: 2, to_make: [evicted] });
    expect(answer.left_out).toMatchObject([{ id: broken, name: 'broken.jpg', message: expect.stringMatching(/\w+/) }]);
    const { response, bytes, files } = await openZip(answer.url, mine);
    expect(response.headers.get('content-length')).toBe(String(answer.size));
    expect(bytes).toHaveLength(answer.size);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="framelift-.+\.zip"/);
    const own_ = async (id: string) => {
      const [link] = await own.call('getMediaLink', { input: { id } });
      return Buffer.from(await (await fetch(new URL(link?.url ?? '', app.url))).arrayBuffer());
    };
    const [newest = '', older = '', note = ''] = [...files.keys()];
    expect([newest, older, note]).toEqual([
      expect.stringMatching(/^a[^(]*\.\w+$/),
      expect.stringMatching(/^a \(2\)[^(]*\.\w+$/),
      'not-included.txt',
    ]);
    expect(files.get(newest)).toEqual(await own_(second));
    expect(files.get(older)).toEqual(await own_(first));
    expect(String(files.get(note))).toContain(`broken.jpg: ${answer.left_out[0]?.message}`);
    expect(String(files.get(note))).toContain('evicted.jpg');

    // Made on request, it is in the next archive.
    await own.call('getMediaLink', { input: { id: evicted } });
    const again = await zip();
    expect(again).toMatchObject({ files: 3, to_make: [] });
    expect((await openZip(again.url, mine)).files.size).toBe(4);
    await own.call('deleteMedia', { input: { id: first } });
    expect((await refusal(zip())).code).toBe('mediaNotFound');
  });

  test('those of a worse depth are converted again with the installed one, failed ones are retried, others passed over [R-3.media.4]', async () => {
    const { own, ids } = await newMember('flat.jpg');
    const [flat = ''] = ids;
    const bytes = await smallJpeg(77, 240, 320);
    const send = async (): Promise<MediaDetail> => ended(own, (await upload(app, own, bytes)).id);
    const [worse, same, drawn, failed, film] = [await send(), await send(), await send(), await send(), await send()];
    const installed = (await app.context.converter.status()).depth.source;
    expect(installed).toMatch(/^model:/);
    expect(same.depthSource).toBe(installed);
    const set = (id: string, values: object) =>
      app.context.db.update(mediaTable).set(values).where(eq(mediaTable.id, id));
    const strokes: Stroke[] = [{ kind: 'near', radius: 0.1, amount: 0.5, points: [[0.5, 0.5]] }];
    await set(worse.id, { depthSource: 'basic', strokes });
    // Videos of the tier fast have basic depth, whatever is installed.
    await set(film.id, { depthSource: 'basic', mediaType: MEDIA_TYPE.video });
    await set(drawn.id, { depthSource: 'member' });
    await set(failed.id, { status: MEDIA_STATUS.unable, failureCode: 'conversionTimedOut' });
    expect((await own.call('media', { params: { id: failed.id } })).status).toBe(2);

    const media_ids = [flat, worse.id, same.id, drawn.id, failed.id, film.id];
    const improve = (asked: string[]) => own.call('improveManyMedia', { input: { media_ids: asked } });
    expect((await refusal(improve([...media_ids, UNKNOWN]))).code).toBe('mediaNotFound');
    expect((await own.call('media', { params: { id: worse.id } })).status).toBe(1);
    const answer = await improve(media_ids);
    expect(new Set(answer.started)).toEqual(new Set([worse.id, failed.id]));
    expect(answer.passed_over).toEqual([flat, same.id, drawn.id, film.id]);
    const { effect, crop } = worse;
    const kept = { effect, crop, strokes: 1, canUndo: true };
    expect(await ended(own, worse.id)).toMatchObject({ status: 1, depthSource: installed, ...kept });
    expect((await ended(own, failed.id)).status).toBe(1);
    expect(await improve(media_ids)).toMatchObject({ started: [] });
  });

  test('an upload that never arrived is nowhere: not found, counted, renamed or deleted with others', async () => {
    const { own } = await newMember();
    const { media_id: id } = await own.call('requestUploadMedia', { input: await requestFor(own, await smallJpeg()) });
    expect(await names(own, { search: 'shop' })).toEqual([]);
    expect(await own.call('videosSummary', { input: {} })).toMatchObject({ total: 0, months: [], types: [] });
    expect((await refusal(own.call('renameMedia', { input: { id, name: 'x' } }))).code).toBe('mediaNotFound');
    expect((await refusal(own.call('deleteManyMedia', { input: { media_ids: [id] } }))).code).toBe('mediaNotFound');
  });

  test('the strengths of a device type are a list [R-7.lists.10]', async () => {
    const [device] = await client.call('getDeviceType');
    const query = new URLSearchParams({ device_type_id: String(device?.id), media_type: '1' });
    const answer = await fetch(`${app.url}/api/effect_params?${query}`);
    const body = (await answer.json()) as { success: boolean; data: { effect: string }[]; meta: object; links: object };
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({ success: true, meta: { hasNext: false }, links: { next: null } });
    expect(body.data.map(({ effect }) => effect)).toContain('100%');
  });
});
