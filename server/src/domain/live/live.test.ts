import type { Client } from '@framelift/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { liveEvents } from '../../platform/db/schema.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { addEvent } from '../../testing/live.ts';

describe('live events', () => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { app: { trustProxy: 1 } });
    admin = (await app.admin()).client;
  });
  afterAll(() => app.close());
  beforeEach(() => app.context.db.delete(liveEvents));

  const list = (input: object = {}, client = app.client()) => client.call('liveEvents', { input });
  const titles = async (input?: object, client?: Client) => (await list(input, client)).data.map(({ title }) => title);
  /** Adds an event that starts so many minutes from now. */
  const add = (title: string, minutes: number, given: object = {}) => {
    const startsAt = new Date(app.context.clock.now().getTime() + minutes * MINUTE_MS);
    return addEvent(app, { title: { en: title }, startsAt, endsAt: new Date(startsAt.getTime() + HOUR_MS), ...given });
  };

  it('have a title in the language of the reader and a timestamp, and are listed by their state, without those that operators hide [R-3.event.1][R-2.live.2]', async () => {
    const id = await addEvent(app);
    await add('Tomorrow', 24 * 60);
    await add('In an hour', 60);
    await add('Last week', -7 * 24 * 60);
    await add('Yesterday', -24 * 60);
    await add('Hidden', 30, { isActive: false });
    await add('Deleted', 30, { deletedAt: app.context.clock.now() });
    expect(await titles()).toEqual(['Lantern night', 'In an hour', 'Tomorrow']);
    expect(await titles({ state: 'live' })).toEqual(['Lantern night']);
    expect(await titles({ state: 'upcoming' })).toEqual(['In an hour', 'Tomorrow']);
    expect(await titles({ state: 'past' })).toEqual(['Yesterday', 'Last week']);
    const call = (language: string) => app.client({ language }).call('liveEvent', { params: { event_id: id } });
    expect((await call('zh')).title).toBe('元宵之夜');
    expect((await call('ja')).title).toBe('ランタンの夜');
    expect(await call('en')).toMatchObject({
      title: 'Lantern night',
      timestamp: expect.stringMatching(/Z$/),
      state: 'live',
      is_free_view: true,
      // A visitor logs in first.
      can_watch: false,
      angles: [{ name: 'Angle 1' }, { name: 'Angle 2' }],
    });
  });

  it('are listed page by page, each once', async () => {
    for (let hour = 1; hour <= 45; hour += 1) await add(`Event ${hour}`, hour * 60);
    const seen: string[] = [];
    for (let page: string | null | undefined; page !== null; ) {
      const { data, next } = await list(page === undefined ? {} : { page });
      seen.push(...data.map(({ title }) => title));
      page = next && new URL(next, app.url).searchParams.get('page');
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => `Event ${at + 1}`));
  });

  it('belong to the day on which they start in Taipei, and to each month of which they cover a part [R-2.calendar.5]', async () => {
    const on = (title: string, startsAt: string, minutes = 1) =>
      addEvent(app, {
        title: { en: title },
        startsAt: new Date(startsAt),
        endsAt: new Date(Date.parse(startsAt) + minutes * 60_000),
      });
    await on('Last minute of April', '2030-04-30T15:59:00Z');
    await on('First minute of May', '2030-04-30T16:00:00Z');
    await on('Last minute of May', '2030-05-31T15:59:00Z');
    await on('First minute of June', '2030-05-31T16:00:00Z');
    const { data } = await list({ month: '2030-05' });
    expect(data.map(({ title, day }) => [title, day])).toEqual([
      ['First minute of May', '2030-05-01'],
      ['Last minute of May', '2030-05-31'],
    ]);
    await expect(list({ month: '2030-13' })).rejects.toMatchObject({ code: 'invalidInput' });
    expect(await titles({ month: '2030-06' }, admin)).toEqual(['First minute of June']);
    // Three days, over the end of the month.
    await on('Festival', '2030-05-31T04:00:00Z', 48 * 60);
    expect(await titles({ month: '2030-05' })).toContain('Festival');
    expect(await titles({ month: '2030-06' })).toEqual(['Festival', 'First minute of June']);
    expect(await titles({ month: '2030-07' })).toEqual([]);
  });
});
