import { type Client, LIMITS, type Media, type MediaDetail } from '@framelift/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { media as mediaTable } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { openEvents } from '../../../testing/events.ts';
import { refusal, requestFor, smallJpeg, upload } from '../../../testing/uploads.ts';

describe('lists and ownership of media', () => {
  let app: TestApp;
  let client: Client;
  let picture: Media;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    client = app.client({ token: (await app.member()).token });
    picture = await upload(app, client, await smallJpeg(), { effect_param_id: 0 });
  });
  afterAll(() => app.close());

  /** Adds `count` copies of the picture, in pairs with equal times, each pair a second older. */
  const multiply = (count: number, orderType: number) =>
    app.context.db.execute(sql`
      insert into media (id, owner_id, name, media_type, order_type, device_type_id, effect, status, upload_state,
        declared_size, declared_type, created_at, finished_at)
      select gen_random_uuid(), owner_id, 'copy ' || n, media_type, ${orderType}::int, device_type_id, effect, status,
        upload_state, declared_size, declared_type, created_at - interval '1 second' * (n / 2), finished_at
      from media, generate_series(2, ${count + 1}::int) as n where id = ${picture.id}`);

  async function readAll(type: 'all' | '0' | '1' | '2', between = async () => {}): Promise<Media[][]> {
    const pages: Media[][] = [];
    let page: string | undefined;
    do {
      const answer = await client.call('videos', { input: { type, ...(page ? { page } : {}) } });
      pages.push([...answer.data]);
      expect(answer.hasNext).toBe(answer.next !== null);
      page = answer.next ? (new URL(answer.next, app.url).searchParams.get('page') ?? '') : undefined;
      await between();
    } while (page);
    return pages;
  }

  test('a list comes page by page, newest first, nothing twice and nothing left out while new ones arrive [A97][R-7.lists.2]', async () => {
    await multiply(124, 0);
    await multiply(3, 2);
    const before = (await readAll('all')).flat().map(({ id }) => id);
    expect(before).toHaveLength(128);
    const pages = await readAll('all', async () => {
      await upload(app, client, await smallJpeg(), { effect_param_id: 0 });
    });
    expect(pages.map((page) => page.length)).toEqual([LIMITS.pageSize, 100, 8]);
    expect(pages.flat().map(({ id }) => id)).toEqual(before);
    const dates = pages.flat().map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test('a list may be of one type only [R-3.order.3]', async () => {
    expect((await readAll('2')).flat().map(({ type }) => type)).toEqual([2, 2, 2]);
    expect((await readAll('1')).flat()).toEqual([]);
  });

  test('behind the last page there is an empty one [A99]', async () => {
    const cursor = Buffer.from(`2000-01-01T00:00:00.000Z ${picture.id}`).toString('base64url');
    const page = await client.call('videos', { input: { page: cursor } });
    expect(page).toEqual({ data: [], hasNext: false, next: null });
  });

  test.each(['x', '', Buffer.from('2000-13-01T00:00:00.000Z nothing').toString('base64url')])(
    'the cursor "%s", which is none of ours, is refused',
    async (page) => {
      const error = await refusal(client.call('videos', { input: { page } }));
      expect([error.code, error.status]).toEqual(['invalidInput', 400]);
    },
  );

  test('an upload that never came is in no list [A2]', async () => {
    const link = await client.call('requestUploadMedia', { input: await requestFor(client, await smallJpeg()) });
    expect((await readAll('all')).flat().map(({ id }) => id)).not.toContain(link.media_id);
  });

  test('a stream of events ends with the session that it was opened with', async () => {
    const { email, password, userId } = await app.member();
    const { token } = await app.client().call('login', { input: { email, password } });
    const me = app.client({ token });
    const { media_id: id } = await me.call('requestUploadMedia', { input: await requestFor(me, await smallJpeg()) });
    const stream = await openEvents(`${app.url}/api/media/${id}/events`, token);
    const seen: MediaDetail[] = [];
    const over = (async () => {
      for await (const event of stream.events) seen.push(event);
    })();
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await me.call('logout');
    await app.context.db.update(mediaTable).set({ revision: 2 }).where(eq(mediaTable.ownerId, userId));
    await over;
    expect(seen).toHaveLength(1);
  });

  test('nobody holds streams of events without an end', async () => {
    const { token } = await app.member();
    const me = app.client({ token });
    const { media_id: id } = await me.call('requestUploadMedia', { input: await requestFor(me, await smallJpeg()) });
    const open = () => openEvents(`${app.url}/api/media/${id}/events`, token);
    const streams = await Promise.all(Array.from({ length: 30 }, open));
    expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
    const late = await open();
    expect(late.response.status).toBe(429);
    expect(late.response.headers.get('retry-after')).not.toBeNull();
    for (const { leave } of [...streams, late]) leave();
  });

  const byPath = ['/media/ID', '/media/ID/events', '/media/ID/cover', '/media/ID/colour'];
  const byInput = [
    'setMediaS3UploadFinish',
    'getMediaLink',
    'cancelMedia',
    'retryMedia',
    'deleteMedia',
    'restoreMedia',
  ] as const;
  test.each(['of another member', 'of nobody'])('a media %s is not found, whatever is called [A56]', async (whose) => {
    const { token } = await app.member();
    const other = app.client({ token });
    const id = whose === 'of nobody' ? app.context.ids.uuid() : picture.id;
    const before = await client.call('media', { params: { id: picture.id } });
    for (const path of byPath) {
      const answer = await fetch(`${app.url}/api${path.replace('ID', id)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        path,
        404,
        'mediaNotFound',
      ]);
    }
    for (const name of byInput) {
      const error = await refusal(other.call(name, { input: { id } }));
      expect([name, error.status, error.code]).toEqual([name, 404, 'mediaNotFound']);
    }
    const again = { ...(await requestFor(other, await smallJpeg())), id };
    expect((await refusal(other.call('requestUploadMedia', { input: again }))).code).toBe('mediaNotFound');
    expect((await other.call('videos', { input: {} })).data).toEqual([]);
    expect(await client.call('media', { params: { id: picture.id } })).toEqual(before);
  });
});
