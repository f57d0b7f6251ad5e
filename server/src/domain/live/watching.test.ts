import { zstdCompressSync } from 'node:zlib';
import { type Client, LIMITS, type LiveSession } from '@framelift/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ageChecks, liveAngles, liveEvents, liveSessions, plans, subscriptions } from '../../platform/db/schema.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { addEvent, putRecording, watchAs } from '../../testing/live.ts';
import { codeOf, refusal } from '../../testing/uploads.ts';
import { startSession } from '../user/session.ts';
import { purgeLive } from './live.jobs.ts';

const TAIWAN = '168.95.1.1';
const JAPAN = '133.1.1.1';
const { heartbeatSeconds, lapseSeconds, segmentLinkSeconds } = LIMITS.live;

describe('watching live', () => {
  let app: TestApp;
  let admin: Client;
  let eventId: string;
  let me: Client;
  let userId: string;
  let token: string;
  const lines: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), {
      app: { trustProxy: 1 },
      onLog: (line) => lines.push(line),
    });
    admin = (await app.admin()).client;
    for (const side of ['left', 'right']) await putRecording(app, `live/test/${side}`);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.context.db.delete(liveEvents);
    eventId = await addEvent(app);
    ({ userId, token } = await app.member());
    me = app.client({ token });
  });

  const watch = (client = me) => watchAs(client, eventId);
  const beat = ({ id }: Pick<LiveSession, 'id'>, client = me) => client.call('liveHeartbeat', { params: { id } });
  const newest = () => app.clock.advance(heartbeatSeconds * 1000);
  /** Requests a path as a player does that belongs to this login, from this address. */
  const get = (path: string, { as = token, from = TAIWAN, headers = {} } = {}) =>
    fetch(`${app.url}${path}`, {
      headers: { ...(as && { authorization: `Bearer ${as}` }), 'x-forwarded-for': from, ...headers },
    });
  const answerOf = async (path: string, options?: Parameters<typeof get>[1]) => {
    const response = await get(path, options);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, code: isJson ? (JSON.parse(text) as { code: string }).code : null, text };
  };
  const refused = async (path: string, options?: Parameters<typeof get>[1]) => {
    const { status, code } = await answerOf(path, options);
    return [status, code];
  };
  const from = async (address: string, method: 'POST' | 'GET', path: string, body?: object) => {
    const response = await fetch(`${app.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': address,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    return (await response.json()) as {
      code?: string;
      message: { country: string | null; angles: LiveSession['angles'] };
    };
  };
  /** Starts from Taiwan and returns the session with the path of its first playlist and of the playlist's last segment. */
  const play = async (by = token) => {
    await app.client({ token: by }).call('confirmAge', { input: { birth_year: 1980 } });
    const response = await fetch(`${app.url}/api/watchLive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'x-forwarded-for': TAIWAN, 'content-type': 'application/json' },
      body: JSON.stringify({ event_id: eventId }),
    });
    const { message: session } = (await response.json()) as { message: LiveSession };
    const playlist = session.angles[0]?.manifest ?? '';
    const segments = segmentsOf((await answerOf(playlist, { as: by })).text);
    return { session, playlist, segment: segments.at(-1) ?? '', segments };
  };
  /** Returns the addresses of segments by their times. */
  const timesOf = (text: string) =>
    new Map([...text.matchAll(/DATE-TIME:(.*)\n#EXTINF.*\n(.*)/g)].map(([, time = '', path = '']) => [time, path]));
  const segmentsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('/api/live/'));

  it('is refused while an operator has switched it off, which stops what is being watched', async () => {
    const { session, playlist } = await play();
    await admin.call('setFeatures', { input: { features: { live: 'off' } } });
    const inJapanese = app.client({ token, language: 'ja' });
    const closed = await refusal(watch(inJapanese));
    expect([closed.code, closed.status]).toEqual(['liveClosed', 403]);
    expect(closed.message).toMatch(/ライブ配信/);
    expect(await codeOf(beat(session))).toBe('liveClosed');
    expect(await refused(playlist)).toEqual([403, 'liveClosed']);
    await admin.call('setFeatures', { input: { features: { live: 'on' } } });
    expect((await get(playlist)).status).toBe(200);
  });

  it('answers each angle with a playlist and segments of this server, which share their boundaries and the clock [R-1.feature-live.1][R-2.live.3]', async () => {
    const { session } = await play();
    expect(session).toMatchObject({ heartbeat_seconds: 15, event: { id: eventId, can_watch: true } });
    // Read again if two seconds ended between the two.
    const [left, right] = await vi.waitFor(
      async () => {
        const texts = await Promise.all(session.angles.map(async ({ manifest }) => (await answerOf(manifest)).text));
        expect(new Set(texts.map((text) => /MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1])).size).toBe(1);
        return texts;
      },
      { timeout: 20_000 },
    );
    for (const text of [left, right]) expect(text).toMatch(/^#EXTM3U\n/);
    const skeleton = (text = '') => text.replace(/^\/api.*$/gm, (line) => line.replace(/.*\/(s\d\.ts)\?.*/, '$1'));
    expect(skeleton(left)).toBe(skeleton(right));
    const times = [...timesOf(left ?? '').keys()].map((time) => Date.parse(time));
    expect(times).toHaveLength(3);
    expect(times.map((time) => time % 2000)).toEqual([0, 0, 0]);
    expect(times.at(-1)).toBeLessThanOrEqual(app.clock.now().getTime() - 2000);
    const [path = ''] = segmentsOf(right ?? '').slice(-1);
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp2t');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toMatch(/^live\/test\/right\/s\d\.ts$/);
    const part = await get(path, { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'live']);
  });

  it('keeps the address of a segment the same from one reading of the playlist to the next', async () => {
    const { playlist } = await play();
    await vi.waitFor(
      async () => {
        const [first, second] = [(await answerOf(playlist)).text, (await answerOf(playlist)).text].map(timesOf);
        const shared = [...(first?.keys() ?? [])].filter((time) => second?.has(time));
        expect(shared.length).toBeGreaterThan(0);
        for (const time of shared) expect(first?.get(time)).toBe(second?.get(time));
      },
      { timeout: 20_000 },
    );
  });

  it('opens everything that a playlist of long segments names, and keeps the address of their initialisation', async () => {
    const folder = 'live/test/long';
    await putRecording(app, folder, { count: 12, seconds: 10, map: 'init.mp4' });
    eventId = await addEvent(app, {}, [`store:${folder}`]);
    const { session, playlist } = await play();
    const mapsIn = (text: string) => new Set(text.match(/(?<=MAP:URI=")[^"]+/g));
    const before = (await answerOf(playlist)).text;
    for (const path of [...segmentsOf(before), ...mapsIn(before)])
      expect([(await answerOf(path)).status, path]).toEqual([200, path]);
    expect(segmentsOf(before)).toHaveLength(10);
    // A segment or two later there is at most one more: that of the next round.
    newest();
    await beat(session);
    const after = (await answerOf(playlist)).text;
    expect(segmentsOf(after).at(-1)).not.toBe(segmentsOf(before).at(-1));
    expect(mapsIn(before).size).toBeGreaterThan(0);
    expect(new Set([...mapsIn(before), ...mapsIn(after)]).size).toBeLessThanOrEqual(2);
  });

  it('is for whoever has a plan with live viewing or the product, unless every member may watch; a non-member is told to buy [R-5.preview.1] [R-6.roles.2]', async () => {
    const { db, ids, clock } = app.context;
    await db.update(liveEvents).set({ isFreeView: false }).where(eq(liveEvents.id, eventId));
    expect((await me.call('liveEvent', { params: { event_id: eventId } })).can_watch).toBe(false);
    expect(await codeOf(watch())).toBe('not_member_please_buy');
    const plan = { kind: 'plan', planId: LIMITS.planIds.normal, state: 'active', anchorDay: 1 } as const;
    await db.insert(subscriptions).values({ id: ids.uuid(), userId, ...plan, createdAt: clock.now() });
    expect((await me.call('liveEvent', { params: { event_id: eventId } })).can_watch).toBe(true);
    const session = await watch();
    await db.update(plans).set({ live: false }).where(eq(plans.id, LIMITS.planIds.normal));
    // The plan ends while they watch.
    expect(await codeOf(beat(session))).toBe('not_member_please_buy');
    await db.update(plans).set({ live: true }).where(eq(plans.id, LIMITS.planIds.normal));
    await db.delete(subscriptions).where(eq(subscriptions.userId, userId));
  });

  it('shows an event while it runs, and nothing before, afterwards and of one that is taken away', async () => {
    const { db, clock } = app.context;
    const { session, playlist, segment } = await play();
    const change = (values: Partial<typeof liveEvents.$inferInsert>) =>
      db.update(liveEvents).set(values).where(eq(liveEvents.id, eventId));
    await change({ endsAt: clock.now() });
    expect(await refused(playlist)).toEqual([409, 'liveEventNotRunning']);
    expect(await refused(segment)).toEqual([409, 'liveEventNotRunning']);
    expect(await codeOf(beat(session))).toBe('liveEventNotRunning');
    expect(await codeOf(watch())).toBe('liveEventNotRunning');
    const later = new Date(clock.now().getTime() + HOUR_MS);
    await change({ startsAt: later, endsAt: new Date(later.getTime() + HOUR_MS) });
    expect(await codeOf(watch())).toBe('liveEventNotRunning');
    await change({ deletedAt: clock.now() });
    expect(await codeOf(watch())).toBe('liveEventNotFound');
    expect(await codeOf(me.call('liveEvent', { params: { event_id: eventId } }))).toBe('liveEventNotFound');
  });

  it('runs on one screen: the newest wins, and the earlier one is told so', async () => {
    const first = await play();
    const second = await startSession(app.context, app.context.db, userId, 'another browser');
    const other = await play(second);
    expect(await refused(first.playlist)).toEqual([409, 'liveSessionReplaced']);
    expect(await refused(first.segment)).toEqual([409, 'liveSessionReplaced']);
    const { code, message } = await refusal(beat(first.session));
    expect([code, message]).toEqual([
      'liveSessionReplaced',
      'You are now watching on another screen with this account, so playback has stopped here.',
    ]);
    expect((await answerOf(other.playlist, { as: second })).status).toBe(200);
    // The login of one screen has no part in the session of the other.
    expect(await refused(other.playlist)).toEqual([403, 'liveSessionEnded']);
    await app.client({ token: second }).call('logout');
    expect((await answerOf(other.playlist, { as: second })).status).toBe(401);
  });

  it('leaves one session of twenty that are opened at the same moment', async () => {
    await watch();
    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => me.call('watchLive', { input: { event_id: eventId } })),
    );
    const running = await app.context.db
      .select()
      .from(liveSessions)
      .where(and(eq(liveSessions.userId, userId), isNull(liveSessions.endedAt)));
    expect(running).toHaveLength(1);
    const beats = await Promise.allSettled(sessions.map((session) => beat(session)));
    expect(beats.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lapses without heartbeats, its links included, and comes back with the next one', async () => {
    const { session, playlist } = await play();
    for (let beats = 0; beats < 4; beats += 1) {
      newest();
      await beat(session);
    }
    expect((await answerOf(playlist)).status).toBe(200);
    app.clock.advance(lapseSeconds * 1000);
    expect(await refused(playlist)).toEqual([403, 'liveLinkExpired']);
    const [managed] = (await admin.call('managedLiveEvents', { input: {} })).data;
    expect(managed?.viewers).toBe(0);
    await beat(session);
    expect((await answerOf(playlist)).status).toBe(200);
    await me.call('endLive', { params: { id: session.id } });
    await me.call('endLive', { params: { id: session.id } });
    expect(await refused(playlist)).toEqual([403, 'liveSessionEnded']);
    expect(await codeOf(beat(session))).toBe('liveSessionEnded');
  });

  it('refuses the link of a segment a minute after its time, and that of a playlist after twelve hours, when the view is to be opened anew', async () => {
    const { session, playlist, segment } = await play();
    for (let passed = 0; passed <= segmentLinkSeconds; passed += heartbeatSeconds) {
      newest();
      await beat(session);
    }
    expect(await refused(segment)).toEqual([403, 'liveLinkExpired']);
    const end = new Date(app.clock.now().getTime() + DAY_MS);
    await app.context.db.update(liveEvents).set({ endsAt: end }).where(eq(liveEvents.id, eventId));
    // Past the end that the event had when the view began: it goes on as long as the event.
    app.clock.advance(3 * HOUR_MS);
    await beat(session);
    expect((await answerOf(playlist)).status).toBe(200);
    app.clock.advance(9 * HOUR_MS);
    await app.context.db.update(liveSessions).set({ seenAt: app.clock.now() }).where(eq(liveSessions.id, session.id));
    expect(await refused(playlist)).toEqual([403, 'liveLinkExpired']);
    expect(await codeOf(beat(session))).toBe('liveSessionEnded');
  });

  it('refuses links that were changed, made for another file or another session, or are used by another member', async () => {
    const { session, playlist, segment } = await play();
    const [path = '', query = ''] = segment.split('?');
    const changed = query.replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A')).replace('token=', 'token=A');
    const invalid = [403, 'liveLinkInvalid'];
    expect(await refused(`${path}?${changed}`)).toEqual(invalid);
    expect(await refused(`${path}?token=`)).toEqual(invalid);
    const other = segment.replace(/s\d\.ts/, (name) => (name === 's0.ts' ? 's1.ts' : 's0.ts'));
    expect(await refused(other)).toEqual(invalid);
    const [, right] = session.angles;
    expect(await refused(segment.replace(session.angles[0]?.id ?? '', right?.id ?? ''))).toEqual(invalid);
    // The seal of a playlist opens no segment, and that of a segment no playlist.
    expect(await refused(`${path}?${playlist.split('?')[1]}`)).toEqual(invalid);
    expect(await refused(`${playlist.split('?')[0]}?${query}`)).toEqual(invalid);
    const stranger = await app.member();
    for (const link of [playlist, segment]) {
      expect(await refused(link, { as: stranger.token })).toEqual(invalid);
      expect(await refused(link, { as: '' })).toEqual([401, 'tokenExpired']);
    }
    const theirs = await play(stranger.token);
    expect(await refused(playlist.replace(session.id, theirs.session.id), { as: stranger.token })).toEqual(invalid);
    expect(await refused(segment.replace(session.id, app.context.ids.uuid()))).toEqual(invalid);
    expect(await codeOf(beat(theirs.session))).toBe('liveSessionNotFound');
  });

  it('opens no file but those of the playlist, whatever the name of a segment', async () => {
    const { session, segment } = await play();
    const [path = '', query] = segment.split('?');
    const folder = path.slice(0, path.lastIndexOf('/'));
    for (const name of ['..%2f..%2fsecret.key', '%2e%2e', '.hidden.ts', 's0.ts%00', 'index.m3u8', 'S0.TS', 's0']) {
      const { status, code } = await answerOf(`${folder}/${name}?${query}`);
      expect([name, status >= 400 && status < 500, code === null]).toEqual([name, true, false]);
    }
    await app.context.db
      .update(liveAngles)
      .set({ source: 'store:live/test/nothing' })
      .where(eq(liveAngles.id, session.angles[0]?.id ?? ''));
    expect(await refused(segment)).toEqual([404, 'liveFileNotFound']);
    expect(await refused(session.angles[0]?.manifest ?? '')).toEqual([502, 'liveSourceFailed']);
  });

  it('is for Taiwan alone: a foreign address is refused at the start, the playlist and the segment, and only its country is logged [R-1.terms.1]', async () => {
    const access = await from(JAPAN, 'GET', '/liveAccess');
    expect(access.message).toMatchObject({ country: 'JP', is_country_allowed: false });
    await me.call('confirmAge', { input: { birth_year: 1980 } });
    expect((await from(JAPAN, 'POST', '/watchLive', { event_id: eventId })).code).toBe('liveAbroad');
    expect((await from('203.0.113.7', 'POST', '/watchLive', { event_id: eventId })).code).toBeUndefined();
    const { session, playlist, segment } = await play();
    expect(await refused(playlist, { from: JAPAN })).toEqual([403, 'liveAbroad']);
    expect(await refused(segment, { from: JAPAN })).toEqual([403, 'liveAbroad']);
    expect(await refused(segment, { from: '2001:200::1' })).toEqual([403, 'liveAbroad']);
    const beatAbroad = await from(JAPAN, 'POST', `/liveSession/${session.id}/heartbeat`, {});
    expect(beatAbroad.code).toBe('liveAbroad');
    expect((await answerOf(segment, { from: '2001:b000::1' })).status).toBe(200);
    const told = lines.filter((line) => line.includes('refused by country'));
    expect(told.join()).toContain('"country":"JP"');
    expect(lines.join()).not.toContain(JAPAN);
  });

  it('is for where the operator allows it, and a link stays in the country in which it was made', async () => {
    const { playlist } = await play();
    await admin.call('setLiveSettings', { input: { countries: ['TW', 'JP'] } });
    expect((await from(JAPAN, 'GET', '/liveAccess')).message).toMatchObject({ is_country_allowed: true });
    expect(await refused(playlist, { from: JAPAN })).toEqual([403, 'liveLinkInvalid']);
    const there = await from(JAPAN, 'POST', '/watchLive', { event_id: eventId });
    expect((await answerOf(there.message.angles[0]?.manifest ?? '', { from: JAPAN })).status).toBe(200);
    await admin.call('setLiveSettings', { input: { countries: null } });
    expect((await from('8.8.8.8', 'GET', '/liveAccess')).message).toMatchObject({ is_country_allowed: true });
    await admin.call('setLiveSettings', { input: { countries: ['TW'] } });
  });

  it('asks for the year of birth once, and keeps nothing but the year and the time [R-1.terms.2]', async () => {
    const start = () => me.call('watchLive', { input: { event_id: eventId } });
    expect((await me.call('liveAccess')).age).toBe('unknown');
    expect(await codeOf(start())).toBe('ageNotConfirmed');
    await me.call('confirmAge', { input: { birth_year: 1990 } });
    expect((await start()).angles).toHaveLength(2);
    const first = await me.call('confirmAge', { input: { birth_year: 1990 } });
    // Once confirmed, no other answer counts.
    expect(await me.call('confirmAge', { input: { birth_year: 2020 } })).toEqual(first);
    const [row] = await app.context.db.select().from(ageChecks).where(eq(ageChecks.userId, userId));
    expect(row).toEqual({ userId, birthYear: 1990, ageConfirmedAt: new Date(first.age_confirmed_at), refusedAt: null });
  });

  it('refuses those under 18, and another year for a day [R-1.terms.2]', async () => {
    const year = Number(
      new Intl.DateTimeFormat('en', { timeZone: LIMITS.timeZone, year: 'numeric' }).format(app.clock.now()),
    );
    const confirm = (birth_year: number, had_birthday = false) =>
      me.call('confirmAge', { input: { birth_year, had_birthday } });
    const { code, retryAfter } = await refusal(confirm(year - 18));
    expect([code, retryAfter]).toEqual(['underAge', 86_400]);
    expect(await codeOf(confirm(1980))).toBe('underAge');
    expect(await codeOf(me.call('watchLive', { input: { event_id: eventId } }))).toBe('underAge');
    expect(await me.call('liveAccess')).toMatchObject({ age: 'refused', age_retry_at: expect.any(String) });
    const [row] = await app.context.db.select().from(ageChecks).where(eq(ageChecks.userId, userId));
    expect(row?.birthYear).toBeNull();
    app.clock.advance(DAY_MS + 1);
    ({ token } = { token: await startSession(app.context, app.context.db, userId, 'the next day') });
    me = app.client({ token });
    const endsAt = new Date(app.clock.now().getTime() + HOUR_MS);
    await app.context.db.update(liveEvents).set({ endsAt }).where(eq(liveEvents.id, eventId));
    expect(await codeOf(me.call('watchLive', { input: { event_id: eventId } }))).toBe('ageNotConfirmed');
    await confirm(year - 18, true);
    expect((await me.call('liveAccess')).age).toBe('confirmed');
  });

  it('has a speed probe of random bytes that nobody keeps, for members alone [R-1.terms.8]', async () => {
    const response = await get('/api/speedTest?bytes=300000');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-length')).toBe('300000');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(300_000);
    // Unlike gzip, it finds what repeats far apart.
    expect(zstdCompressSync(bytes).length).toBeGreaterThan(299_000);
    expect(await refused(`/api/speedTest?bytes=${LIMITS.stream.probeBytes + 1}`)).toEqual([400, 'invalidInput']);
    expect(await refused('/api/speedTest?bytes=1', { as: '' })).toEqual([401, 'tokenExpired']);
  });

  it('forgets views after a day, and deleted events when they can no longer be restored', async () => {
    await watch();
    const { id } = await admin.call('deleteLiveEvent', { input: { id: eventId } });
    app.clock.advance(DAY_MS - HOUR_MS);
    await purgeLive(app.context);
    expect(await app.context.db.$count(liveEvents, eq(liveEvents.id, id))).toBe(1);
    app.clock.advance(HOUR_MS + 1);
    await purgeLive(app.context);
    expect(await app.context.db.$count(liveEvents, eq(liveEvents.id, id))).toBe(0);
    expect(await app.context.db.$count(liveSessions)).toBe(0);
  });
});
