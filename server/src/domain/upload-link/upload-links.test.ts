import type { Client, UploadLink } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { media, uploadLinks, users } from '../../platform/db/schema.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { codeOf, ended, portrait, put, refusal, requestFor, smallJpeg, storedKeys } from '../../testing/uploads.ts';

describe('upload links', () => {
  let app: TestApp;
  let owner: Client;
  let ownerId: string;
  /** Somebody without an account. */
  let sender: Client;
  let bytes: Buffer;
  const lines: string[] = [];
  beforeAll(async () => {
    const limitsOf = () => [];
    app = await startTestApp(await openTestDatabase(), {
      app: { rateLimiter: { db: null, limitsOf } },
      settings: { storageBytes: 3_000_000 },
      onLog: (line) => lines.push(line),
    });
    sender = app.client();
    bytes = Buffer.from(await smallJpeg());
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const { token, userId } = await app.member();
    ownerId = userId;
    owner = app.client({ token });
  });

  async function makeLink(
    given: { max_uploads?: number; days?: number } = {},
  ): Promise<UploadLink & { token: string }> {
    const { device } = await portrait(owner);
    const input = { name: 'Wedding', device_type_id: device.id, days: 7, max_uploads: 5, ...given };
    const link = await owner.call('createUploadLink', { input });
    return { ...link, token: link.url.split('/').at(-1) ?? '' };
  }
  const open = (token: string) => sender.call('openUploadLink', { input: { token } });
  const file = (size = bytes.length) => ({ name: 'cake.jpg', size, type: 'image/jpeg' });
  const announce = (token: string, given: { media_id?: string; size?: number } = {}, by = sender) => {
    const { size, ...rest } = given;
    return by.call('announceLinkUpload', { input: { token, sender: 'Aunt Mia', file: file(size), ...rest } });
  };
  const finish = (token: string, media_id: string, by = sender) =>
    by.call('finishLinkUpload', { input: { token, media_id } });
  const send = async (token: string) => {
    const link = await announce(token);
    expect((await put(app, link, bytes)).status).toBe(204);
    return finish(token, link.media_id);
  };
  const mine = async () => (await owner.call('videos', { input: {} })).data;

  it('takes pictures from people without an account, who are named, and tells the owner', async () => {
    const link = await makeLink();
    expect(await open(link.token)).toEqual({
      owner: 'Mia',
      name: 'Wedding',
      device: { id: link.device_type_id, name: 'Looking Glass Portrait', ratio: expect.stringMatching(/^\d+,\d+$/) },
      left: 5,
      expires_at: link.expires_at,
    });
    const { media_id } = await send(link.token);
    // Repeated, as after a broken line, it changes nothing.
    expect(await finish(link.token, media_id)).toEqual({ media_id });
    expect(await mine()).toMatchObject([{ id: media_id, name: 'cake.jpg', sent_by: 'Aunt Mia' }]);
    await send(link.token);
    const { data } = await owner.call('notifications', { input: {} });
    expect(data.filter(({ title }) => title === 'Somebody sent you pictures')).toMatchObject([
      { content: 'Aunt Mia sent you pictures by the link “Wedding”. You find them in your content.', kind: 'upload' },
    ]);
    expect((await ended(owner, media_id)).sent_by).toBe('Aunt Mia');
    expect((await owner.call('uploadLinks', { input: {} })).data).toMatchObject([{ received: 2, state: 'open' }]);
    expect((await open(link.token)).left).toBe(3);
  });

  it('opens nothing else: not what has arrived, not an upload of another link or of its owner', async () => {
    const link = await makeLink();
    const other = await makeLink();
    const { media_id } = await send(link.token);
    const bearer = app.client({ token: link.token });
    for (const call of ['user', 'sessions', 'getUserUsage'] as const)
      expect(await codeOf(bearer.call(call))).toBe('tokenExpired');
    expect(await codeOf(bearer.call('videos', { input: {} }))).toBe('tokenExpired');
    expect(await codeOf(bearer.call('media', { params: { id: media_id } }))).toBe('tokenExpired');
    const response = await fetch(new URL(`/api/media/${media_id}/cover?token=${link.token}`, app.url));
    expect(response.status).toBe(401);

    const pending = await announce(link.token);
    expect(await codeOf(finish(other.token, pending.media_id))).toBe('mediaNotFound');
    expect(await codeOf(announce(other.token, { media_id: pending.media_id }))).toBe('mediaNotFound');
    const own = await owner.call('requestUploadMedia', { input: await requestFor(owner, bytes) });
    expect(await codeOf(finish(link.token, own.media_id))).toBe('mediaNotFound');
    expect(await codeOf(announce(link.token, { media_id: own.media_id }))).toBe('mediaNotFound');
    expect(await codeOf(announce(link.token, { media_id }))).toBe('mediaNotFound');
    // Nor does the owner end what a sender has begun.
    expect(await codeOf(owner.call('setMediaS3UploadFinish', { input: { id: pending.media_id } }))).toBe(
      'mediaNotFound',
    );
  });

  it('is signed: a changed or invented token, another spelling, and the token of another kind are unknown', async () => {
    const { token, id } = await makeLink();
    const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    const foreign = app.context.capabilities.tokenOf('share', id);
    for (const wrong of [flipped, `${token}=`, token.slice(1), id, foreign, 'x'])
      expect(await codeOf(open(wrong))).toBe('uploadLinkNotFound');
    await fetch(new URL(`/u/${token}`, app.url));
    expect(lines.join('')).toContain('/uploadLink/open');
    expect(lines.join('')).not.toContain(token);
  });

  it('takes exactly as many pictures as announced places, also from many senders at once', async () => {
    const { token } = await makeLink({ max_uploads: 3 });
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => announce(token)));
    const links = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(links).toHaveLength(3);
    await Promise.all(links.map((link) => put(app, link, bytes)));
    await Promise.all([...links, ...links].map((link) => finish(token, link.media_id)));
    expect(await codeOf(announce(token))).toBe('uploadLinkFull');
    expect((await owner.call('uploadLinks', { input: {} })).data).toMatchObject([{ received: 3, state: 'ended' }]);
    expect(await mine()).toHaveLength(3);
    // Deleting what has arrived makes no new place.
    await owner.call('deleteMedia', { input: { id: links[0]?.media_id ?? '' } });
    expect(await codeOf(announce(token))).toBe('uploadLinkFull');
  });

  it('gives a place that nobody uses to others, and refuses who comes too late with it', async () => {
    const { token } = await makeLink({ max_uploads: 1 });
    const late = await announce(token);
    expect((await put(app, late, bytes)).status).toBe(204);
    app.clock.advance(HOUR_MS);
    await send(token);
    expect(['uploadLinkFull', 'mediaNotFound']).toContain(await codeOf(finish(token, late.media_id)));
    expect(await mine()).toHaveLength(1);
  });

  it('refuses more bytes than announced, and content that is no picture', async () => {
    const { token } = await makeLink();
    const link = await announce(token, { size: 10 });
    expect((await put(app, link, bytes)).status).toBeGreaterThanOrEqual(400);
    expect(await codeOf(finish(token, link.media_id))).toBe('uploadMissing');
    expect(await codeOf(announce(token, { size: 52_428_801 }))).toBe('upload_up_to_limit');
    const text = Buffer.from('<script>alert(1)</script>'.repeat(40));
    const page = await announce(token, { size: text.length });
    await put(app, page, text);
    expect(await codeOf(finish(token, page.media_id))).toBe('notAPicture');
    expect(await mine()).toEqual([]);
  });

  it('ends at once when it is revoked, with what is on its way, and can be brought back for a day', async () => {
    const link = await makeLink();
    const { media_id } = await send(link.token);
    const stored = await storedKeys(app, 'uploads/');
    const [before, after] = [await announce(link.token), await announce(link.token)];
    await put(app, before, bytes);
    const stranger = app.client({ token: (await app.member()).token });
    expect(await codeOf(stranger.call('revokeUploadLink', { input: { id: link.id } }))).toBe('uploadLinkNotFound');
    await owner.call('revokeUploadLink', { input: { id: link.id } });
    const calls = [() => open(link.token), () => announce(link.token), () => finish(link.token, before.media_id)];
    for (const call of calls) expect(await refusal(call())).toMatchObject({ code: 'uploadLinkNotFound', status: 404 });
    expect((await put(app, after, bytes)).status).toBe(403);
    expect(await storedKeys(app, 'uploads/')).toEqual(stored);
    expect((await owner.call('uploadLinks', { input: {} })).data).toEqual([]);
    expect((await mine()).map(({ id }) => id)).toEqual([media_id]);
    expect(await owner.call('restoreUploadLink', { input: { id: link.id } })).toMatchObject({ received: 1 });
    await send(link.token);
    await owner.call('revokeUploadLink', { input: { id: link.id } });
    app.clock.advance(DAY_MS + 1000);
    const late = owner.call('restoreUploadLink', { input: { id: link.id } });
    expect(await codeOf(late)).toBe('uploadLinkNotFound');
  });

  it('stores nothing of an upload whose link is revoked while it is being checked', async () => {
    const { token, id } = await makeLink();
    const link = await announce(token);
    await put(app, link, bytes);
    // The step between the checks of the file and the transaction that stores it.
    const finishing = finish(token, link.media_id);
    await app.context.db.update(uploadLinks).set({ revokedAt: app.clock.now() }).where(eq(uploadLinks.id, id));
    const outcome = await finishing.then(
      () => 'stored',
      () => 'refused',
    );
    const [row] = await app.context.db.select().from(uploadLinks).where(eq(uploadLinks.id, id));
    expect([outcome, row?.received]).toEqual(outcome === 'stored' ? ['stored', 1] : ['refused', 0]);
    expect(await mine()).toHaveLength(row?.received ?? -1);
  });

  it('ends on its date and with an account that is locked or about to be deleted', async () => {
    const { token } = await makeLink({ days: 1 });
    app.clock.advance(DAY_MS + 1000);
    expect(await refusal(open(token))).toMatchObject({ code: 'uploadLinkEnded', status: 410 });
    expect(await codeOf(announce(token))).toBe('uploadLinkEnded');
    for (const change of [{ restrictedAt: app.clock.now() }, { restrictedAt: null, deletionAt: app.clock.now() }]) {
      const link = change.restrictedAt ? await makeLink() : null;
      await app.context.db.update(users).set(change).where(eq(users.id, ownerId));
      if (link) expect(await codeOf(open(link.token))).toBe('uploadLinkNotFound');
      expect(await codeOf(open(token))).toBe('uploadLinkNotFound');
    }
  });

  it("counts against the owner's storage, about which senders learn nothing, and not against their own uploads", async () => {
    const { token } = await makeLink({ max_uploads: 100 });
    const size = 140_000;
    const tries = [];
    for (let n = 0; n < 22; n++) tries.push(await announce(token, { size }).catch((error) => error.code));
    expect(tries.filter((one) => typeof one === 'string')).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^(tooManyPendingUploads|uploadLinkPaused)$/)),
    );
    // The owner may still begin uploads of their own.
    await owner.call('requestUploadMedia', { input: await requestFor(owner, bytes) });
    const large = await makeLink();
    expect(await codeOf(announce(large.token, { size: 2_900_000 }))).toBe('uploadLinkPaused');
    expect(await app.context.db.$count(media, eq(media.ownerId, ownerId))).toBe(21);
  });
});
