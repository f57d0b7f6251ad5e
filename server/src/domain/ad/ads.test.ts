import { type AdSession, type Client, HOUSE_ADS, LIMITS } from '@framelift/contract';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pointEntries, users } from '../../platform/db/schema.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { codeOf, refusal } from '../../testing/uploads.ts';

const QUARTER_MS = LIMITS.ads.houseMs / 4;
const PAUSE_MS = LIMITS.ads.pauseSeconds * 1000;

describe('rewarded ads', () => {
  let app: TestApp;
  let admin: Client;
  let me: Client;
  let userId: string;
  let token: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { app: { rateLimiter: { db: null, limitsOf: () => [] } } });
    admin = (await app.admin()).client;
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    turnTo(12, 0);
    ({ userId, token } = await app.member());
    me = app.client({ token });
  });

  const start = (client = me) => client.call('startAd');
  const report = (
    { id, nonce }: Pick<AdSession, 'id'> & { nonce: string | null },
    quartile: 0 | 25 | 50 | 75 | 100,
    visible = true,
    client = me,
  ) => client.call('adProgress', { params: { id }, input: { nonce: nonce ?? '', quartile, visible } });
  const claim = (client = me, value = 0) => client.call('checkPaymentFlow', { input: { value, type: 2 } });
  /** Reports the beginning and every quartile in time, up to `last`. Returns the session with the nonce of the next. */
  const watch = async (session: AdSession, last = 100, client = me) => {
    let { nonce } = await report(session, 0, true, client);
    for (const quartile of [25, 50, 75, 100] as const) {
      if (quartile > last) break;
      app.clock.advance(QUARTER_MS);
      ({ nonce } = await report({ id: session.id, nonce }, quartile, true, client));
    }
    return { id: session.id, nonce };
  };
  const earn = async () => {
    await watch(await start());
    const answer = await claim();
    app.clock.advance(PAUSE_MS);
    return answer;
  };
  const earned = () =>
    app.context.db.$count(pointEntries, and(eq(pointEntries.userId, userId), eq(pointEntries.reason, 'ad')));
  /** Advances the clock to the next time that it is this late in Taipei. */
  const turnTo = (hour: number, minute: number) => {
    const wanted = ((hour - 8 + 24) % 24) * HOUR_MS + minute * MINUTE_MS;
    app.clock.advance((wanted - (app.clock.now().getTime() % DAY_MS) + DAY_MS) % DAY_MS);
  };

  it('give a member a free point for an ad watched to its end, whatever the call claims [R-1.feature-ads.1][R-7.payment.2]', async () => {
    expect(await me.call('ads')).toEqual({
      offered: true,
      reward: { type: 'freePoints', amount: 1 },
      left: 5,
      next_at: null,
    });
    const session = await start();
    expect(session).toMatchObject({ duration: 15_000, reward: { amount: 1 }, adUnitPath: null });
    expect(await codeOf(claim())).toBe('adNotWatched');
    const { nonce } = await watch(session);
    expect(nonce).toBeNull();
    const answer = { points: 0, freePoints: 1, reward: { type: 'freePoints', amount: 1 } };
    expect(await claim()).toEqual(answer);
    // A lost answer is fetched again, and gives nothing.
    expect(await claim()).toEqual(answer);
    expect(await me.call('user')).toMatchObject({ points: 0, freePoints: 1, adsTimes: 1 });
    expect((await me.call('pointEntries', { input: {} })).data).toMatchObject([
      { kind: 'freePoints', amount: 1, balance: 1, reason: 'ad', title: 'Ad watched' },
    ]);
    expect((await me.call('ads')).left).toBe(4);
  });

  it('pay one of twenty claims at the same moment, and none to another member [A78]', async () => {
    const session = await start();
    await watch(session);
    const other = app.client({ token: (await app.member()).token });
    expect(await codeOf(claim(other))).toBe('adNotWatched');
    expect(await codeOf(report(session, 0, true, other))).toBe('adNotFound');
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim()));
    expect(new Set(answers.map(({ freePoints }) => freePoints))).toEqual(new Set([1]));
    expect(await earned()).toBe(1);
    expect((await me.call('user')).adsTimes).toBe(1);
  });

  it('count no report twice, none out of order, and none before its time', async () => {
    const session = await start();
    expect(await codeOf(report(session, 25))).toBe('adNotCounted');
    const first = { id: session.id, ...(await report(session, 0)) };
    // Repeated after a lost answer.
    expect(await report(session, 0)).toEqual({ nonce: first.nonce, quartile: 0 });
    for (const quartile of [25, 50, 100] as const) expect(await codeOf(report(first, quartile))).toBe('adNotCounted');
    app.clock.advance(4 * QUARTER_MS);
    expect(await codeOf(report(first, 100))).toBe('adNotCounted');
    expect(await codeOf(report(session, 25))).toBe('adNotCounted');
    expect(await codeOf(report({ id: session.id, nonce: 'x'.repeat(43) }, 25))).toBe('adNotCounted');
    const second = { id: session.id, ...(await report(first, 25)) };
    expect(await report(first, 25)).toEqual({ nonce: second.nonce, quartile: 25 });
    expect(await codeOf(report(first, 50))).toBe('adNotCounted');
    expect(await codeOf(report(session, 0))).toBe('adNotCounted');
    expect(await codeOf(claim())).toBe('adNotWatched');
    const third = { id: session.id, ...(await report(second, 50)) };
    const fourth = { id: session.id, ...(await report(third, 75)) };
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => report(fourth, 100)));
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await claim()).toMatchObject({ freePoints: 1 });
  });

  it('stand still while they are hidden', async () => {
    const session = await start();
    let last = { id: session.id, ...(await report(session, 0)) };
    app.clock.advance(QUARTER_MS);
    last = { id: session.id, ...(await report(last, 25, false)) };
    app.clock.advance(10 * QUARTER_MS);
    expect(await codeOf(report(last, 50))).toBe('adNotCounted');
    last = { id: session.id, ...(await report(last, 25)) };
    expect(await codeOf(report(last, 50))).toBe('adNotCounted');
    app.clock.advance(QUARTER_MS);
    expect((await report(last, 50)).quartile).toBe(50);
  });

  it('are watched one at a time: the second tab ends the ad of the first', async () => {
    const first = await start();
    const begun = await watch(first, 75);
    const sessions = await Promise.all([start(), start(), start()]);
    app.clock.advance(QUARTER_MS);
    expect(await codeOf(report(begun, 100))).toBe('adNotFound');
    const answers = await Promise.allSettled(sessions.map((session) => report(session, 0)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await codeOf(claim())).toBe('adNotWatched');
  });

  it('end with a day of five: the sixth is refused, until it is midnight in Taipei [A78][R-5.ads.1][R-9.ads.1]', async () => {
    for (let n = 1; n <= 5; n++) expect((await earn()).freePoints).toBe(n);
    expect(await me.call('user')).toMatchObject({ adsTimes: 5, freePoints: 5 });
    const error = await refusal(start());
    expect([error.code, error.status]).toEqual(['adsLimitReached', 409]);
    const next = (await me.call('ads')).next_at ?? '';
    expect(next).toMatch(/T16:00:00.000Z$/);
    turnTo(23, 59);
    expect(await codeOf(start())).toBe('adsLimitReached');
    turnTo(0, 0);
    expect((await me.call('user')).adsTimes).toBe(0);
    expect((await earn()).freePoints).toBe(6);
    expect((await me.call('user')).adsTimes).toBe(1);
    // One that is watched over midnight counts for the day on which it is claimed.
    turnTo(23, 59);
    const session = await start();
    app.clock.advance(MINUTE_MS);
    await watch(session);
    await claim();
    expect((await me.call('user')).adsTimes).toBe(1);
  });

  it('come with a pause, and are given up after some minutes', async () => {
    const claimed = await start();
    await watch(claimed);
    await claim();
    const error = await refusal(start());
    expect(error.code).toBe('adTooSoon');
    expect(error.retryAfter).toBeLessThanOrEqual(LIMITS.ads.pauseSeconds);
    expect((await me.call('ads')).next_at).not.toBeNull();
    app.clock.advance(PAUSE_MS);
    const forgotten = await start();
    const begun = await watch(forgotten, 50);
    app.clock.advance(LIMITS.ads.watchMinutes * MINUTE_MS);
    expect(await codeOf(report(begun, 75))).toBe('adNotFound');
    await watch(await start());
    app.clock.advance(LIMITS.ads.claimMinutes * MINUTE_MS + 1000);
    expect(await codeOf(claim())).toBe('adNotWatched');
    expect(await earned()).toBe(1);
  });

  it('are our own drawings, still and moving, with a text in each language, one after the other', async () => {
    const seen: string[] = [];
    const pictures = new Set<string>();
    for (const language of ['en', 'zh', 'ja']) {
      const client = app.client({ token, language });
      const session = await start(client);
      const { ad } = session;
      if (!ad) throw new Error('No ad of our own');
      seen.push(ad.slug);
      expect(ad.title).toMatch({ en: /\w/, zh: /\p{Script=Han}/u, ja: /\p{Script=Hiragana}/u }[language] ?? /^$/);
      for (const [url, moves] of [
        [ad.animation, true],
        [ad.poster, false],
      ] as const) {
        const answer = await fetch(`${app.url}${url}`, { headers: { authorization: `Bearer ${token}` } });
        expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
        const svg = await answer.text();
        expect(svg.includes('<animate')).toBe(moves);
        expect(svg).not.toContain('<script');
        pictures.add(svg);
        const stranger = await fetch(`${app.url}${url}`, {
          headers: { authorization: `Bearer ${(await app.member()).token}` },
        });
        expect(stranger.status).toBe(404);
      }
      await watch(session);
      await claim();
      app.clock.advance(PAUSE_MS);
    }
    expect(seen).toEqual([...HOUSE_ADS]);
    expect(pictures.size).toBe(6);
  });

  it('follow the settings of the operator: what they give, how many, whose they are, or none', async () => {
    const before = await admin.call('adSettings');
    const set = (input: object) => admin.call('setAdSettings', { input: { ...before, ...input } });
    const session = await start();
    await set({ reward: 7, limit: 1 });
    await watch(session);
    // It gives what it promised.
    expect((await claim()).reward).toEqual({ type: 'freePoints', amount: 1 });
    app.clock.advance(PAUSE_MS);
    expect((await earn()).reward).toEqual({ type: 'freePoints', amount: 7 });
    expect(await codeOf(start())).toBe('adsLimitReached');
    expect(await codeOf(set({ provider: 'gpt' }))).toBe('invalidInput');
    await set({ provider: 'gpt', adUnitPath: '/6355419/Travel/Europe' });
    const slot = await start();
    expect(slot).toMatchObject({ ad: null, adUnitPath: '/6355419/Travel/Europe', duration: 5000 });
    const picture = await fetch(`${app.url}/api/ad/session/${slot.id}/picture`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(picture.status).toBe(404);
    await set({ provider: 'off' });
    expect((await me.call('ads')).offered).toBe(false);
    expect(await codeOf(start())).toBe('featureNotAvailableYet');
    await set({});
    const { data } = await admin.call('auditLog', { input: { action: 'ads' } });
    expect(data[0]).toMatchObject({ before: { provider: 'off' }, after: { provider: 'house' } });
  });

  it('are not what a check of points is about, which takes none [R-7.payment.1][R-5.points.1][R-5.points.2]', async () => {
    await app.context.db.update(users).set({ points: 3, freePoints: 2 }).where(eq(users.id, userId));
    const check = (value: number, type: 1 | 2) =>
      me.call('checkPaymentFlow', { input: { value, type, product_id: 5 } });
    expect(await check(3, 1)).toEqual({ points: 3, freePoints: 2, reward: null });
    expect(await check(2, 2)).toEqual({ points: 3, freePoints: 2, reward: null });
    for (const [value, type, code] of [
      [4, 1, 'notEnoughPoints'],
      [3, 2, 'notEnoughFreePoints'],
    ] as const) {
      const error = await refusal(check(value, type));
      expect([error.code, error.status]).toEqual([code, 402]);
    }
  });
});
