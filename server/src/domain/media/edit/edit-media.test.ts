import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Client, LIMITS, type MediaDetail, type StrokeInput } from '@framelift/contract';
import { beside, standingScene } from '@framelift/engine/testing/depth-photos';
import { blankPng, draw, encoder } from '@framelift/engine/testing/pictures';
import { eq } from 'drizzle-orm';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversions, media, mediaRevisions, objects } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import {
  assetKey,
  ended,
  frame,
  oneRowForEveryObject,
  put,
  refusal,
  requestFor,
  smallJpeg,
  storedKeys,
  upload,
} from '../../../testing/uploads.ts';
import { listFileVariants } from '../asset.sql.ts';
import { purge } from '../lifecycle/cleanup.ts';

/** A brush of 10 % of the width at the top, where the picture is near. */
const stroke: StrokeInput = { kind: 'far', radius: 0.1, amount: 1, points: [[0.5, 0.05]] };

describe('changing a conversion', () => {
  let app: TestApp;
  let client: Client;
  let userId: string;
  let token: string;
  let id: string;
  let strength: (percent: number) => number;
  let given: Parameters<typeof upload>[3];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ token, userId } = await app.member());
    client = app.client({ token });
    // Its files are small, so each of the many conversions is fast.
    const projector = await frame(client, '3D projector (half side by side)');
    ({ strength } = projector);
    given = { deviceType: projector.device.id, effect_param_id: strength(100) };
    ({ id } = await upload(app, client, await smallJpeg(), given));
    await ended(client, id);
  });
  afterAll(() => app.close());

  const detail = () => client.call('media', { params: { id } });
  const row = async () => (await app.context.db.select().from(media).where(eq(media.id, id)))[0];
  const depthMap = async () => assetKey(app, id, 'depthMap', String((await row())?.revision));
  const change = async (input: {
    effect_param_id?: number;
    crop?: MediaDetail['crop'];
    convergence?: number | null;
  }) => {
    const answer = await client.call('changeMedia', { params: { id }, input });
    expect(answer.status).toBe(0);
    return ended(client, id);
  };
  const paint = async () => {
    await client.call('paintMediaDepth', { params: { id }, input: { strokes: [stroke] } });
    return ended(client, id);
  };
  const go = async (way: 'undoMediaChange' | 'redoMediaChange') => {
    await client.call(way, { params: { id } });
    return ended(client, id);
  };
  const sendDepth = (bytes: Uint8Array, to = id, own = client) =>
    own.call('setMediaDepth', { params: { id: to }, file: new Blob([bytes as Uint8Array<ArrayBuffer>]) });
  const bytesOf = async (address: string | null | undefined) => {
    const answer = await fetch(new URL(address ?? '', app.url), { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const download = async () => {
    const [link] = await client.call('getMediaLink', { input: { id } });
    return bytesOf(link?.url);
  };
  /** Returns the depth in the preview, 0 … 255, at one point of the crop. */
  const shownDepth = async ({ preview }: MediaDetail, x: number, y: number) => {
    const { data, info } = await sharp(await bytesOf(preview?.depth))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data[Math.floor(y * info.height) * info.width + Math.floor(x * info.width)] ?? 0;
  };
  const isFinished = (key: string) => !key.startsWith('uploads/');

  test('another strength uses the stored depth again, and the files of before go', async () => {
    const before = await detail();
    expect(before).toMatchObject({ canUndo: false, canRedo: false, convergence: null, strokes: 0 });
    const [file, depthKey] = [await download(), await depthMap()];
    const weaker = await change({ effect_param_id: strength(20) });
    expect(weaker).toMatchObject({ status: 1, effect: 20, canUndo: true, depthSource: before.depthSource });
    expect(weaker.comfort?.wishedDisparityPercent).toBeLessThan(before.comfort?.wishedDisparityPercent ?? 0);
    expect(await depthMap()).toBe(depthKey);
    expect((await download()).equals(file)).toBe(false);
    expect(await listFileVariants(app.context.db, id)).toEqual(['hsbs']);
    await oneRowForEveryObject(app, isFinished);
  });

  test('undone, the same bytes are there again; made again, those of the change', async () => {
    const weak = await download();
    const before = await go('undoMediaChange');
    expect(before).toMatchObject({ effect: 100, canUndo: false, canRedo: true });
    const strong = await download();
    expect(strong.equals(weak)).toBe(false);
    expect(await go('redoMediaChange')).toMatchObject({ effect: 20, canUndo: true, canRedo: false });
    expect((await download()).equals(weak)).toBe(true);
    expect((await refusal(client.call('redoMediaChange', { params: { id } }))).code).toBe('nothingToUndo');
    await go('undoMediaChange');
    expect((await download()).equals(strong)).toBe(true);
    expect((await refusal(client.call('undoMediaChange', { params: { id } }))).code).toBe('nothingToUndo');
  });

  test('a new change ends what could be made again; the same as before is no change', async () => {
    expect(await change({ convergence: 0.9 })).toMatchObject({ convergence: 0.9, effect: 100, canRedo: false });
    const same = await client.call('changeMedia', {
      params: { id },
      input: { convergence: 0.9, effect_param_id: strength(100) },
    });
    expect(same).toMatchObject({ status: 1, convergence: 0.9 });
    expect(await app.context.db.$count(mediaRevisions, eq(mediaRevisions.mediaId, id))).toBe(2);
    const near = await download();
    expect(await change({ convergence: null })).toMatchObject({ convergence: null });
    expect((await download()).equals(near)).toBe(false);
  });

  test('another crop has a depth of its own; the one of before is there for its undo', async () => {
    const before = await detail();
    const old = await depthMap();
    const crop = { x: 100, y: 100, width: 300, height: 400 };
    const cut = await change({ crop });
    expect(cut.crop).toEqual(crop);
    const fresh = await depthMap();
    expect([fresh === old, fresh === null]).toEqual([false, false]);
    expect(await change({ crop: null })).toMatchObject({ crop: before.crop });
    await go('undoMediaChange');
    expect(await depthMap()).toBe(fresh);
    expect(await go('undoMediaChange')).toMatchObject({ crop: before.crop });
    expect(await depthMap()).toBe(old);
    for (const [wrong, code] of [
      [{ x: 400, y: 0, width: 300, height: 400 }, 'cropOutsidePicture'],
      [{ x: 0, y: 0, width: 63, height: 84 }, 'cropTooSmall'],
    ] as const)
      expect((await refusal(client.call('changeMedia', { params: { id }, input: { crop: wrong } }))).code).toBe(code);
    await oneRowForEveryObject(app, isFinished);
  });

  test('a picture of both eyes is told to be one, the other way round, or none, and each choice stays', async () => {
    const { left, right } = standingScene(320, 240);
    const bytes = await encoder(beside(right, left)).jpeg({ quality: 92 }).toBuffer();
    const asked = { ...given, pair: 'leftRight' } as const;
    const { id: pairId } = await upload(app, client, bytes, asked);
    const own = () => client.call('media', { params: { id: pairId } });
    await ended(client, pairId);
    expect(await own()).toMatchObject({ pair: 'leftRight', depthSource: 'embedded', status: 1 });
    const choose = async (pair: 'flat' | null) => {
      await client.call('changeMedia', { params: { id: pairId }, input: { pair } });
      await ended(client, pairId);
      return own();
    };
    expect(await choose('flat')).toMatchObject({ pair: 'flat', depthSource: 'basic' });
    // Left to the server, the eyes are found to be exchanged, and that is kept.
    expect(await choose(null)).toMatchObject({ pair: 'rightLeft', depthSource: 'embedded' });
    await client.call('undoMediaChange', { params: { id: pairId } });
    await ended(client, pairId);
    expect(await own()).toMatchObject({ pair: 'flat', depthSource: 'basic' });
    await client.call('deleteMedia', { input: { id: pairId } });
  });

  test('a picture is turned and shown whole on a border, and is as before when that is undone', async () => {
    const before = await detail();
    // 480 x 640 turned is 640 x 480, in a frame of 16:9.
    const crop = { x: -106, y: 0, width: 853, height: 480, turn: 90, border: '#204060' } as const;
    expect(await change({ crop, effect_param_id: 0 })).toMatchObject({ crop, effect: 0 });
    // The file has the size of the frame.
    const made = sharp(
      await sharp(await download())
        .resize(853, 480, { fit: 'fill' })
        .toBuffer(),
    );
    const meanOf = async (picture: Sharp, left: number) => {
      // Statistics are those of the input, whatever is extracted from it.
      const part = await picture.clone().extract({ left, top: 40, width: 60, height: 400 }).png().toBuffer();
      return (await sharp(part).stats()).channels.slice(0, 3).map(({ mean }) => Math.round(mean));
    };
    const near = (found: readonly number[], wanted: readonly number[]) => {
      for (const [i, value] of found.entries()) expect(Math.abs(value - (wanted[i] ?? 0))).toBeLessThan(4);
    };
    near(await meanOf(made, 20), [0x20, 0x40, 0x60]);
    const turned = sharp(
      await sharp(await smallJpeg())
        .rotate(90)
        .toBuffer(),
    );
    for (const left of [0, 300, 580]) near(await meanOf(made, left + 106), await meanOf(turned, left));
    const part = { ...crop, x: 10, width: 400, height: 225 };
    expect((await refusal(client.call('changeMedia', { params: { id }, input: { crop: part } }))).code).toBe(
      'cropOutsidePicture',
    );
    expect(await go('undoMediaChange')).toMatchObject({ crop: before.crop, effect: before.effect });
  });

  test('beyond the share of a member, files and depths that can be made again go, and come again when asked for [S5]', async () => {
    const { settings } = app.context;
    const share = settings.resultBytes;
    const limit = (resultBytes: number) => Object.assign(settings, { resultBytes });
    const before = await detail();
    const [first, old] = [await download(), await depthMap()];
    limit(0);
    // Neither the new revision nor its result shows the depth of the old one.
    await change({ crop: { x: 50, y: 50, width: 300, height: 400 } });
    await expect.poll(() => storedKeys(app, old), { timeout: 10_000 }).toEqual([]);
    expect(await listFileVariants(app.context.db, id)).toEqual(['hsbs']);
    await client.call('getMediaLink', { input: { id, format: 'anaglyph' } });
    expect(await listFileVariants(app.context.db, id)).toEqual(['anaglyph']);
    expect(await go('undoMediaChange')).toMatchObject({
      status: 1,
      crop: before.crop,
      depthSource: before.depthSource,
    });
    expect((await download()).equals(first)).toBe(true);
    limit(share);
    await oneRowForEveryObject(app, isFinished);
  });

  test('strokes change the depth that is shown, not the one that is stored, and are undone', async () => {
    const was = await shownDepth(await detail(), 0.5, 0.05);
    const depthKey = await depthMap();
    const painted = await paint();
    expect(painted).toMatchObject({ strokes: 1, canUndo: true });
    expect(await depthMap()).toBe(depthKey);
    expect(await shownDepth(painted, 0.5, 0.05)).toBeLessThan(was - 30);
    expect(await paint()).toMatchObject({ strokes: 2 });
    expect(await go('undoMediaChange')).toMatchObject({ strokes: 1 });
    expect(await go('undoMediaChange')).toMatchObject({ strokes: 0 });
  });

  test('too many strokes are refused, all together', async () => {
    const call = (count: number, points: number) =>
      client.call('paintMediaDepth', {
        params: { id },
        input: {
          strokes: Array.from({ length: count }, () => ({ ...stroke, points: Array(points).fill([0.5, 0.5]) })),
        },
      });
    expect((await refusal(call(LIMITS.strokes.count + 1, 1))).code).toBe('invalidInput');
    expect((await refusal(call(1, LIMITS.strokes.points + 1))).code).toBe('invalidInput');
    expect((await refusal(call(2, LIMITS.strokes.points / 2 + 1))).code).toBe('tooManyStrokes');
    const beyond = { ...stroke, points: [[1.5, 0] as [number, number]] };
    const answer = client.call('paintMediaDepth', { params: { id }, input: { strokes: [beyond] } });
    expect((await refusal(answer)).code).toBe('invalidInput');
  });

  describe('an own depth map', () => {
    const size = { width: 320, height: 180 };
    /** A gradient from near on the left to far on the right. */
    const ramp = draw(size.width, size.height, (x) => {
      const value = Math.round(255 - (255 * x) / size.width);
      return [value, value, value];
    });
    const grey16 = () =>
      sharp(
        Uint16Array.from(
          { length: size.width * size.height },
          (_, i) => 65_535 - Math.round((65_535 * (i % size.width)) / size.width),
        ),
        {
          raw: { ...size, channels: 1 },
        },
      )
        .toColourspace('grey16')
        .png()
        .toBuffer();
    const kinds: [title: string, bytes: () => Promise<Buffer>][] = [
      ['8-bit grey', () => encoder(ramp).greyscale().png().toBuffer()],
      ['16-bit grey', grey16],
      [
        '16-bit RGB',
        async () =>
          sharp(await grey16())
            .toColourspace('rgb16')
            .png()
            .toBuffer(),
      ],
      ['a palette', () => encoder(ramp).png({ palette: true }).toBuffer()],
      ['a JPEG', () => encoder(ramp).jpeg().toBuffer()],
    ];

    test.each(kinds)('of %s takes the place of the estimate [V28][V38]', async (_title, bytes) => {
      await sendDepth(await bytes());
      const done = await ended(client, id);
      expect(done).toMatchObject({ status: 1, depthSource: 'member', strokes: 0, canUndo: true });
      expect(await shownDepth(done, 0.1, 0.5)).toBeGreaterThan((await shownDepth(done, 0.9, 0.5)) + 150);
    });

    test('is kept as a 16-bit map, painted over, and undone; it counts as sent [S5]', async () => {
      const used = async () => (await client.call('getUserUsage')).used;
      const before = await used();
      await sendDepth(await grey16());
      await ended(client, id);
      const { size: bytes } = (await app.context.storage.head(await depthMap())) ?? { size: 0 };
      expect(await used()).toBe(before + bytes);
      const { storageBytes } = app.context.settings;
      Object.assign(app.context.settings, { storageBytes: before + bytes });
      const state = await detail();
      expect(await refusal(sendDepth(await grey16()))).toMatchObject({ code: 'storageLimitReached', status: 507 });
      expect(await detail()).toEqual(state);
      Object.assign(app.context.settings, { storageBytes });
      const stored = await app.context.storage.openRead(await depthMap());
      expect(await sharp(await buffer(stored ?? Readable.from([]))).metadata()).toMatchObject({
        depth: 'ushort',
        ...size,
      });
      expect(await paint()).toMatchObject({ depthSource: 'member', strokes: 1 });
      const undone = await go('undoMediaChange');
      expect(undone).toMatchObject({ depthSource: 'member', strokes: 0 });
    });

    const refused: [code: string, bytes: () => Promise<Uint8Array> | Uint8Array][] = [
      [
        'depthMapUnfit',
        () =>
          encoder(draw(320, 320, () => [9, 9, 9]))
            .png()
            .toBuffer(),
      ],
      [
        'depthMapUnfit',
        () =>
          encoder(draw(329, 180, () => [9, 9, 9]))
            .png()
            .toBuffer(),
      ],
      ['pictureTooLarge', () => blankPng(30_000, 40_000)],
      ['notAPicture', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['pictureDamaged', async () => (await grey16()).subarray(0, 200)],
      ['fileEmpty', () => new Uint8Array()],
      ['depthMapTooLarge', () => new Uint8Array(LIMITS.depthMap.bytes + 1)],
      ['depthMapTooLarge', () => blankPng(9899, 9899)],
    ];
    test.each(refused)('is refused as %s, and nothing of it stays', async (code, bytes) => {
      await oneRowForEveryObject(app, isFinished);
      const before = [await detail(), await storedKeys(app, '')];
      expect((await refusal(sendDepth(await bytes()))).code).toBe(code);
      expect([await detail(), await storedKeys(app, '')]).toEqual(before);
    });

    test('of which a part is missing is used as far as it goes, and the member is told [W1]', async () => {
      const whole = await grey16();
      const cut = await sendDepth(whole.subarray(0, Math.round(whole.length * 0.8)));
      expect((await ended(client, cut.id)).notes).toEqual(['depthIncomplete']);
      const again = await sendDepth(whole);
      expect((await ended(client, again.id)).notes).toEqual([]);
    });

    test('that is 2 % off fits', async () => {
      await sendDepth(
        await encoder(draw(325, 180, (x) => [x % 256, 0, 0]))
          .png()
          .toBuffer(),
      );
      expect(await ended(client, id)).toMatchObject({ status: 1, depthSource: 'member' });
    });
  });

  test('a change that is cancelled leaves what was there, at once', async () => {
    const before = await detail();
    const other = before.effect === 60 ? 40 : 60;
    await client.call('changeMedia', { params: { id }, input: { effect_param_id: strength(other) } });
    const during = await detail();
    expect(during).toMatchObject({ status: 0, finish_time: null });
    expect((await refusal(client.call('changeMedia', { params: { id }, input: { convergence: 0.1 } }))).code).toBe(
      'obj_havent_transformed_completed',
    );
    expect((await refusal(sendDepth(new Uint8Array([1])))).code).toBe('obj_havent_transformed_completed');
    const after = await client.call('cancelMedia', { input: { id } });
    expect(after).toMatchObject({
      status: 1,
      effect: before.effect,
      failure: null,
      cover: before.cover,
      canRedo: true,
    });
    await download();
    await oneRowForEveryObject(app, isFinished);
  });

  test('a file that was being made when the picture was changed is not given for the changed one', async () => {
    const making = refusal(client.call('getMediaLink', { input: { id, format: 'sbs' } }));
    await expect.poll(() => readdir(join(app.dataDir, 'work')), { interval: 5 }).not.toEqual([]);
    await change({ convergence: 0.7 });
    expect((await making).code).toBe('obj_havent_transformed_completed');
    expect(await listFileVariants(app.context.db, id)).toEqual(['hsbs']);
    await oneRowForEveryObject(app, isFinished);
  });

  test('no strength is flat, and the depth is there for the next one', async () => {
    const depthKey = await depthMap();
    expect(await change({ effect_param_id: 0 })).toMatchObject({
      preview: null,
      depthSource: null,
      formats: ['flat', 'original'],
    });
    expect((await refusal(client.call('paintMediaDepth', { params: { id }, input: { strokes: [stroke] } }))).code).toBe(
      'depthNotEditable',
    );
    expect((await refusal(sendDepth(new Uint8Array([1])))).code).toBe('depthNotEditable');
    await change({ effect_param_id: strength(40) });
    expect(await depthMap()).toBe(depthKey);
  });

  test('the uncropped picture is there to choose another crop on', async () => {
    const { whole } = await detail();
    const [bytes, again] = await Promise.all([bytesOf(whole), bytesOf(whole)]);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 640 });
    expect(again.equals(bytes)).toBe(true);
    await oneRowForEveryObject(app, isFinished);
  });

  test('the oldest states are forgotten, with depths that nobody needs', async () => {
    const { db } = app.context;
    const now = app.clock.now();
    const present = (await row())?.revision ?? 0;
    // Simulates many edits: converting each would take minutes.
    await db
      .update(media)
      .set({ revision: present + 30 })
      .where(eq(media.id, id));
    await db
      .insert(mediaRevisions)
      .values(
        Array.from({ length: 30 }, (_, i) => ({ mediaId: id, number: present + 1 + i, effect: 40, createdAt: now })),
      );
    await change({ convergence: 0.3 });
    const kept = await db.select().from(mediaRevisions).where(eq(mediaRevisions.mediaId, id));
    expect(kept.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: LIMITS.revisions }, (_, i) => present + 31 - LIMITS.revisions + 1 + i),
    );
    await oneRowForEveryObject(app, isFinished);
  });

  test("another member's picture is not found, and a visitor has no session", async () => {
    const other = app.client({ token: (await app.member()).token });
    const calls = (own: Client) => [
      () => own.call('changeMedia', { params: { id }, input: { convergence: 0.2 } }),
      () => own.call('paintMediaDepth', { params: { id }, input: { strokes: [stroke] } }),
      () => sendDepth(new Uint8Array([1]), id, own),
      () => own.call('undoMediaChange', { params: { id } }),
      () => own.call('redoMediaChange', { params: { id } }),
    ];
    // Sequential, because a rejection before the `await` would be reported as unhandled.
    for (const call of calls(other)) expect((await refusal(call())).status).toBe(404);
    for (const call of calls(app.client())) expect((await refusal(call())).code).toBe('tokenExpired');
  });

  test('what has not arrived cannot be changed; a strength must be one that is offered', async () => {
    const bytes = await smallJpeg(5);
    const link = await client.call('requestUploadMedia', { input: await requestFor(client, bytes) });
    const pending = client.call('changeMedia', { params: { id: link.media_id }, input: { convergence: 0.2 } });
    expect((await refusal(pending)).code).toBe('uploadMissing');
    await put(app, link, bytes);
    const unknown = client.call('changeMedia', { params: { id }, input: { effect_param_id: 999_999 } });
    expect((await refusal(unknown)).code).toBe('unknownEffect');
  });

  test('a guest may change what is theirs', async () => {
    const guest = app.client({ token: (await app.guest()).token });
    const { id: own } = await upload(app, guest, await smallJpeg(6), { ...given, effect_param_id: 0 });
    await guest.call('changeMedia', { params: { id: own }, input: { effect_param_id: strength(100) } });
    expect(await ended(guest, own)).toMatchObject({ status: 1, effect: 100, canUndo: true });
  });

  test('purged, nothing of all its states stays', async () => {
    await client.call('deleteMedia', { input: { id } });
    app.clock.advance(24 * 60 * 60_000 + 60_000);
    await purge(app.context);
    const left = await app.context.db.select().from(objects).where(eq(objects.ownerId, userId));
    expect(left).toEqual([]);
    expect(await app.context.db.$count(conversions, eq(conversions.mediaId, id))).toBe(0);
    await oneRowForEveryObject(app, isFinished);
  });

  test('a failed change says why; undone, what was there is there at once', async () => {
    const own = await startTestApp(await openTestDatabase());
    const ownClient = own.client({ token: (await own.member()).token });
    const { id: mine } = await upload(own, ownClient, await smallJpeg(7), given);
    expect(await ended(ownClient, mine)).toMatchObject({ status: 1 });
    await own.context.storage.delete(await assetKey(own, mine, 'original'));
    await ownClient.call('changeMedia', { params: { id: mine }, input: { convergence: 0.2 } });
    expect(await ended(ownClient, mine)).toMatchObject({
      status: 2,
      failure: { code: 'uploadMissing' },
      canUndo: true,
    });
    const back = await ownClient.call('undoMediaChange', { params: { id: mine } });
    expect(back).toMatchObject({ status: 1, failure: null, convergence: null });
    await own.close();
  });
});
