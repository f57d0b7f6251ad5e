import { buffer } from 'node:stream/consumers';
import { type Client, ERRORS, type FrameCodes, LIMITS } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { framePairings, frames, notifications, pairingMisses, users } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase, untilOneWaits } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';
import { frameJobs } from './frame.jobs.ts';

const SCREEN = { width: 1920, height: 1080, pixelRatio: 1.5 };
const KIND = 'Chrome, Android';
const HOUR_MS = 60 * 60_000;

describe('pairing a frame', () => {
  let app: TestApp;
  /** A screen that is not paired. */
  let screen: Client;
  let mia: Client;
  let miasEmail: string;
  let miasId: string;
  let ken: Client;
  let kensToken: string;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => log.push(line) });
    screen = app.client();
    const one = await app.member();
    mia = app.client({ token: one.token });
    [miasEmail, miasId] = [one.email, one.userId];
    ({ token: kensToken } = await app.member());
    ken = app.client({ token: kensToken });
  });
  afterAll(() => app.close());

  const start = () => screen.call('startFrame', { input: { screen: SCREEN, kind: KIND } });
  const poll = ({ device_code }: FrameCodes) => screen.call('pollFrame', { input: { device_code } });
  const find = (client: Client, deviceId: string) => client.call('findDevice', { input: { deviceId } });
  const add = (client: Client, deviceId: string, name?: string) =>
    client.call('addDevice', { input: { deviceId, ...(name !== undefined && { name }) } });
  const list = async (client: Client) => (await client.call('frames', { input: {} })).data;
  const beat = (frame: Client) => frame.call('frameHeartbeat', { input: { version: '1.2.3', screen: SCREEN } });
  /** Returns a frame that a member has paired and that has fetched its token. */
  async function paired(owner: Client, name?: string) {
    const codes = await start();
    const { id } = await add(owner, codes.user_code, name);
    const { access_token: token } = await poll(codes);
    return { id, codes, token, client: app.client({ token }) };
  }
  const stored = async ({ user_code }: FrameCodes) => {
    const rows = await app.context.db.select().from(framePairings).where(eq(framePairings.userCode, user_code));
    return rows[0] ?? expect.fail('no pairing');
  };

  it('gives a frame a code for half an hour and a secret of which only a hash is kept [A84]', async () => {
    const codes = await start();
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'http://framelift.test/menu/qrcode',
      verification_uri_complete: `http://framelift.test/menu/qrcode?device=${codes.user_code}`,
      expires_in: 1800,
      interval: 5,
    });
    expect(JSON.stringify(await stored(codes))).not.toContain(codes.device_code);
    expect((await start()).user_code).not.toBe(codes.user_code);
  });

  it('pairs it once a member has confirmed the code, gives its token once, and tells the owner [R-7.device.1][R-7.device.2][A86]', async () => {
    const codes = await start();
    expect(await refusal(poll(codes))).toMatchObject({
      code: 'authorization_pending',
      status: 400,
      retryAfter: codes.interval,
    });
    // As typed by people, also with a Japanese keyboard.
    const typed = codes.user_code.toLowerCase().replace('-', '');
    const wide = [...typed].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('');
    expect(await find(mia, ` ${wide}`)).toMatchObject({
      state: 'waiting',
      deviceId: codes.user_code,
      kind: KIND,
      screen: SCREEN,
      frame: null,
    });
    const frame = await add(mia, typed, '  Living room ');
    expect(frame).toMatchObject({ name: 'Living room', kind: KIND, screen: SCREEN, online: false, lastSeenAt: null });
    expect(await list(mia)).toMatchObject([frame]);
    expect(await find(mia, codes.user_code)).toMatchObject({ state: 'paired', frame });
    // A request may be repeated over a bad connection.
    expect(await add(mia, codes.user_code, 'Another name')).toEqual(frame);

    app.clock.advance(5000);
    const token = await poll(codes);
    expect(token).toEqual({
      access_token: expect.stringMatching(/^frame_[\w-]{43}$/),
      token_type: 'Bearer',
      frame: { id: frame.id, name: 'Living room', owner: 'Mia' },
    });
    app.clock.advance(60_000);
    expect((await refusal(poll(codes))).code).toBe('expired_token');

    const client = app.client({ token: token.access_token });
    expect(await client.call('thisFrame')).toEqual(token.frame);
    expect(await beat(client)).toMatchObject(token.frame);
    expect(await list(mia)).toMatchObject([{ id: frame.id, online: true, version: '1.2.3' }]);
    app.clock.advance(LIMITS.frames.onlineSeconds * 1000);
    expect(await list(mia)).toMatchObject([{ id: frame.id, online: false }]);

    const mail = await app.mailTo(miasEmail, 2);
    expect(mail.subject).toBe('A frame was paired with your account');
    expect(mail.text).toContain('http://framelift.test/menu/frameSetting');
    expect((await mia.call('notifications', { input: {} })).data).toMatchObject([
      { title: 'A frame was paired', content: '“Living room” is now one of your frames.', kind: 'info' },
    ]);
    expect(await app.context.db.$count(frames, eq(frames.tokenHash, token.access_token))).toBe(0);
  });

  it('makes a frame that asks too often wait longer each time [A86]', async () => {
    const codes = await start();
    /** Polls too early, however long a call takes on a loaded machine. */
    const pollEarly = async () => {
      const polledAt = new Date(app.clock.now().getTime() + 60_000);
      await app.context.db.update(framePairings).set({ polledAt }).where(eq(framePairings.userCode, codes.user_code));
      return refusal(poll(codes));
    };
    expect((await refusal(poll(codes))).code).toBe('authorization_pending');
    expect(await pollEarly()).toMatchObject({ code: 'slow_down', status: 400, retryAfter: 10 });
    expect(await pollEarly()).toMatchObject({ code: 'slow_down', retryAfter: 15 });
    app.clock.advance(15_000);
    expect(await refusal(poll(codes))).toMatchObject({ code: 'authorization_pending', retryAfter: 15 });
    for (let n = 0; n < 9; n++) await pollEarly();
    expect((await pollEarly()).retryAfter).toBe(60);
    // The interval applies, whether paired or not.
    await add(ken, codes.user_code);
    expect((await pollEarly()).code).toBe('slow_down');
    app.clock.advance(60_000);
    expect((await poll(codes)).token_type).toBe('Bearer');
  });

  it('answers codes that never were, were refused or are taken alike, and so ends a refused one for its frame [A85]', async () => {
    const [refused, taken] = [await start(), await start()];
    await ken.call('refuseDevice', { input: { deviceId: refused.user_code } });
    expect(await refusal(poll(refused))).toMatchObject({ code: 'access_denied', status: 400 });
    const frame = await add(ken, taken.user_code);
    expect(frame.name).toBe(KIND);
    expect((await refusal(ken.call('refuseDevice', { input: { deviceId: taken.user_code } }))).code).toBe(
      'deviceNotFound',
    );

    const answers = new Set<string>();
    for (const code of ['BBBB-BBBB', refused.user_code, taken.user_code]) {
      for (const ask of [
        () => find(mia, code),
        () => add(mia, code),
        () => mia.call('refuseDevice', { input: { deviceId: code } }),
      ]) {
        const { status, message, details } = await refusal(ask());
        answers.add(JSON.stringify([status, message, details]));
      }
      await app.context.db.delete(pairingMisses);
    }
    expect([...answers]).toEqual([expect.stringContaining('404')]);
    expect((await list(ken)).map(({ id }) => id)).toContain(frame.id);
    // Input that cannot be a code does not count as an attempt.
    for (const nonsense of ['', 'WDJB-MJH', 'AEIO-UYAE', 'WDJB-MJHT-B', 'https://evil.example/WDJBMJHT'])
      expect((await refusal(find(mia, nonsense))).code).toBe('invalidInput');
    expect((await refusal(screen.call('pollFrame', { input: { device_code: 'nobody knows it' } }))).code).toBe(
      'expired_token',
    );
    expect(await app.context.db.$count(pairingMisses)).toBe(0);
  });

  it('says of a code that has expired that the frame shows a new one, and counts it as a wrong one [S16]', async () => {
    const ended = await start();
    app.clock.advance(LIMITS.pairing.codeMinutes * 60_000);
    expect((await refusal(poll(ended))).code).toBe('expired_token');
    for (const ask of [
      () => find(mia, ended.user_code),
      () => add(mia, ended.user_code),
      () => mia.call('refuseDevice', { input: { deviceId: ended.user_code } }),
    ])
      expect(await refusal(ask())).toMatchObject({
        code: 'pairingCodeExpired',
        status: 410,
        message: 'This code has expired. The frame shows a new one now; please enter that.',
      });
    expect(await app.context.db.$count(pairingMisses)).toBe(3);
    await app.context.db.delete(pairingMisses);
  });

  it('makes neither a frame nor a member wait longer when the clock is set back by two days [S13]', async () => {
    const codes = await start();
    expect((await refusal(poll(codes))).code).toBe('authorization_pending');
    for (let n = 0; n < LIMITS.pairing.wrongPerHour; n++) await refusal(find(mia, 'BBBB-BBBB'));
    expect((await refusal(find(mia, codes.user_code))).code).toBe('tooManyRequests');
    app.clock.setBack(48 * HOUR_MS);
    expect((await refusal(poll(codes))).code).toBe('authorization_pending');
    expect(await find(mia, codes.user_code)).toMatchObject({ state: 'waiting' });
    app.clock.setBack(-48 * HOUR_MS);
    await app.context.db.delete(pairingMisses);
  });

  it('lets a member try five wrong codes in an hour, at the same moment or not, and then not even a right one [A84][X5]', async () => {
    const { db } = app.context;
    const codes = await start();
    const wrong = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        refusal(n % 2 ? find(mia, `BBBB-BBB${'BCDFGHJK'[n]}`) : add(mia, `BBBB-BBB${'BCDFGHJK'[n]}`)),
      ),
    );
    expect(wrong.map(({ code }) => code).sort()).toEqual([
      ...Array(5).fill('deviceNotFound'),
      ...Array(3).fill('tooManyRequests'),
    ]);
    const locked = await refusal(add(mia, codes.user_code));
    expect(locked).toMatchObject({ code: 'tooManyRequests', status: 429 });
    expect(locked.retryAfter).toBeGreaterThan(3000);
    expect(locked.retryAfter).toBeLessThanOrEqual(3600);
    // Only the member who guessed has to wait.
    expect(await find(ken, codes.user_code)).toMatchObject({ state: 'waiting' });
    app.clock.advance(HOUR_MS);
    const later = await start();
    expect(await find(mia, later.user_code)).toMatchObject({ state: 'waiting' });
    await db.delete(pairingMisses);
  });

  it('gives a frame to one of two members who confirm it at the same moment [A85]', async () => {
    const codes = await start();
    const tries = await Promise.allSettled([
      add(mia, codes.user_code, 'Mine'),
      add(ken, codes.user_code, 'Mine'),
      add(mia, codes.user_code, 'Mine'),
      add(ken, codes.user_code, 'Mine'),
    ]);
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(new Set(won.map(({ id }) => id)).size).toBe(1);
    expect(won).toHaveLength(2);
    const [theirs, others] = [await list(mia), await list(ken)].map((all) => all.filter(({ id }) => id === won[0]?.id));
    expect([theirs?.length, others?.length].sort()).toEqual([0, 1]);
    await app.context.db.delete(pairingMisses);
  });

  it('ends a token at once when the owner unpairs the frame, and pairs it again as a new one [A88]', async () => {
    const first = await paired(mia, 'Kitchen');
    const waiting = await start();
    const unfetched = await add(mia, waiting.user_code, 'Never fetched');
    await mia.call('unpairFrame', { input: { id: first.id } });
    await mia.call('unpairFrame', { input: { id: unfetched.id } });
    expect(await refusal(first.client.call('thisFrame'))).toMatchObject({ status: 401 });
    expect(await refusal(beat(first.client))).toMatchObject({ status: 401 });
    // Neither its old code nor its old secret works.
    expect((await refusal(poll(first.codes))).code).toBe('expired_token');
    expect((await refusal(poll(waiting))).code).toBe('expired_token');
    expect((await refusal(find(mia, first.codes.user_code))).code).toBe('deviceNotFound');
    expect((await refusal(mia.call('unpairFrame', { input: { id: first.id } }))).code).toBe('frameNotFound');

    const second = await paired(mia, 'Kitchen');
    expect(second.id).not.toBe(first.id);
    expect(await second.client.call('thisFrame')).toMatchObject({ name: 'Kitchen' });
    expect((await refusal(first.client.call('thisFrame'))).status).toBe(401);
    // Another member can pair it afterwards.
    await second.client.call('leaveFrame');
    const third = await paired(ken);
    expect(await list(mia)).not.toContainEqual(expect.objectContaining({ id: third.id }));
    await app.context.db.delete(pairingMisses);
  });

  it('can be unpaired by whoever stands before it, and its owner learns of it', async () => {
    const frame = await paired(mia, 'Hall');
    await frame.client.call('leaveFrame');
    expect((await refusal(frame.client.call('leaveFrame'))).status).toBe(401);
    expect(await list(mia)).not.toContainEqual(expect.objectContaining({ id: frame.id }));
    expect((await mia.call('notifications', { input: {} })).data[0]).toMatchObject({
      title: 'A frame was unpaired',
      content: '“Hall” was unpaired on the frame itself.',
    });
  });

  it('unpairs itself while its owner asks about its code, and neither waits for ever', async () => {
    const { db, ids, clock } = app.context;
    const { id, codes } = await paired(mia, 'Attic');
    let asked: Promise<unknown> = Promise.resolve();
    // As unpairing does: deletes the pairing, then the frame, then notifies its owner.
    await db.transaction(async (tx) => {
      await tx.delete(framePairings).where(eq(framePairings.frameId, id));
      await tx.delete(frames).where(eq(frames.id, id));
      asked = refusal(find(mia, codes.user_code));
      asked.catch(() => {});
      await untilOneWaits(db);
      const word = { kind: 'info', code: 'frameLeft', data: { name: 'Attic' }, releaseAt: clock.now() } as const;
      await tx.insert(notifications).values({ id: ids.uuid(), userId: miasId, ...word });
    });
    expect(await asked).toMatchObject({ code: 'deviceNotFound' });
    await db.delete(pairingMisses);
  });

  it("takes a frame's token in the header alone, and no session for a frame", async () => {
    const { token } = await paired(ken);
    const ask = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${app.url}/api/${path}`, { headers })).status;
    expect(await ask('frame', { authorization: `Bearer ${token}` })).toBe(200);
    expect(await ask('frame', { cookie: `token=${token}` })).toBe(401);
    expect(await ask('frame', { cookie: `token=${kensToken}` })).toBe(403);
    expect(await ask('frame', { authorization: `Bearer ${kensToken}` })).toBe(403);
    expect(await ask('user', { authorization: `Bearer ${token}` })).toBe(403);
    // If both are sent, the header takes precedence.
    expect(await ask('user', { authorization: `Bearer ${token}`, cookie: `token=${kensToken}` })).toBe(403);
    expect(await ask('frames', { authorization: `Bearer ${token}` })).toBe(403);
  });

  it('lists the frames of a member page by page, the one paired last first, and renames them [A97][S10][W26]', async () => {
    const { db, ids, clock } = app.context;
    await db.delete(frames).where(eq(frames.ownerId, miasId));
    const createdAt = clock.now();
    const row = { ownerId: miasId, kind: '', screenWidth: 1, screenHeight: 1, pixelRatio: 1, createdAt };
    await db.insert(frames).values(Array.from({ length: 25 }, (_, n) => ({ ...row, id: ids.uuid(), name: `${n}` })));
    const first = await mia.call('frames', { input: {} });
    expect(first).toMatchObject({ hasNext: true });
    await db.insert(frames).values({ ...row, id: ids.uuid(), name: 'new', createdAt: new Date(+createdAt + 1000) });
    const page = new URLSearchParams((first.next ?? '').split('?')[1]).get('page') ?? '';
    const second = await mia.call('frames', { input: { page } });
    const names = [...first.data, ...second.data].map(({ name }) => name);
    expect(names.sort((a, b) => +a - +b)).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
    expect((await refusal(mia.call('frames', { input: { page: 'nonsense' } }))).code).toBe('invalidInput');

    const id = second.data[0]?.id ?? '';
    const rename = (name: string) => mia.call('renameFrame', { input: { id, name } });
    expect(await rename('  居間のフレーム ')).toMatchObject({ id, name: '居間のフレーム' });
    expect((await rename('🇹🇼'.repeat(LIMITS.textLength))).name).toBe('🇹🇼'.repeat(LIMITS.textLength));
    for (const name of ['', ' ', '\uffa0\u034f', '字'.repeat(LIMITS.textLength + 1), 'a\nb'])
      expect((await refusal(rename(name))).code, name).toBe('invalidInput');

    await db
      .insert(frames)
      .values(Array.from({ length: LIMITS.frames.count - 26 }, () => ({ ...row, id: ids.uuid(), name: 'many' })));
    const codes = await start();
    expect(await refusal(add(mia, codes.user_code))).toMatchObject({ code: 'tooManyFrames', status: 409 });
    expect(await find(mia, codes.user_code)).toMatchObject({ state: 'waiting' });
    await db.delete(frames).where(eq(frames.ownerId, miasId));
  });

  it('waits while its owner is locked out, goes with a deleted account, and is named in the export', async () => {
    const { db, clock } = app.context;
    const { token, userId, password } = await app.member();
    const owner = app.client({ token });
    const frame = await paired(owner, 'Shelf');
    const change = (values: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(values).where(eq(users.id, userId));
    await change({ restrictedAt: clock.now() });
    expect(await refusal(frame.client.call('thisFrame'))).toMatchObject({ code: 'accountRestricted', status: 403 });
    // A member whose payment failed keeps their frames, and can pair another.
    await change({ restrictedAt: null, suspendedAt: clock.now() });
    expect(await frame.client.call('thisFrame')).toMatchObject({ name: 'Shelf' });
    expect(await find(owner, (await start()).user_code)).toMatchObject({ state: 'waiting' });

    const { url } = await owner.call('exportAccount', { input: { password } });
    const response = await fetch(new URL(url, app.url), { headers: { authorization: `Bearer ${token}` } });
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
    const entry = await zip.eachEntry().next();
    const text = (await buffer(await zip.openReadStreamPromise(entry.value))).toString();
    expect(JSON.parse(text).frames).toMatchObject([{ id: frame.id, name: 'Shelf', kind: KIND, screenWidth: 1920 }]);
    expect(text).not.toMatch(/tokenHash/);

    await owner.call('deleteAccount', { input: { password } });
    expect((await refusal(frame.client.call('thisFrame'))).status).toBe(401);
    expect(await db.$count(frames, eq(frames.ownerId, userId))).toBe(0);
  });

  it('forgets codes that ended and tries that no longer count, and keeps the others', async () => {
    const { db } = app.context;
    const [old, fresh] = [await start(), await start()];
    await db
      .update(framePairings)
      .set({ expiresAt: new Date(app.clock.now().getTime() - HOUR_MS - 1000) })
      .where(eq(framePairings.userCode, old.user_code));
    await refusal(find(ken, 'BBBB-BBBB'));
    await frameJobs[0]?.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
    expect(await db.$count(framePairings, eq(framePairings.userCode, old.user_code))).toBe(0);
    expect((await stored(fresh)).refusedAt).toBeNull();
    expect(await db.$count(pairingMisses)).toBe(1);
    app.clock.advance(HOUR_MS + 1000);
    await frameJobs[0]?.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
    expect(await db.$count(pairingMisses)).toBe(0);
  });

  it('gives a frame that was confirmed in the last moments of its code the time to fetch its token', async () => {
    const codes = await start();
    app.clock.advance((LIMITS.pairing.codeMinutes - 0.5) * 60_000);
    await add(ken, codes.user_code);
    app.clock.advance(60_000);
    expect((await poll(codes)).token_type).toBe('Bearer');
  });

  it('keeps codes, secrets and tokens out of the log', async () => {
    const { codes, token } = await paired(ken);
    await find(ken, codes.user_code);
    await refusal(find(ken, 'BCDF-GHJK'));
    const text = log.join('\n');
    expect(text).toContain('/api/addDevice');
    expect(text).toContain('A frame was paired');
    for (const secret of [codes.user_code, codes.user_code.replace('-', ''), codes.device_code, token, 'BCDF-GHJK'])
      expect(text).not.toContain(secret);
  });

  it('has a status for every error of RFC 8628 as it says', () => {
    for (const code of ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const)
      expect(ERRORS[code].status).toBe(400);
  });
});
