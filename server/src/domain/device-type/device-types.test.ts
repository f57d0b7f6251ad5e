import { MEDIA_TYPE } from '@framelift/contract';
import { DEVICES } from '@framelift/engine/formats';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visitor } from '../../actor.ts';
import { deviceTypes, effectParams, users } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { deviceProfile, getChosenEffect } from './device-types.ts';
import { seedDevices } from './seed-device-types.ts';
import { formatExtendResolution, formatRatio, parseExtendResolution, parseRatio } from './wire-format.ts';

describe('the spellings of the specification', () => {
  it("write a ratio as 'width,height' [R-3.device-type.2]", () => {
    expect(formatRatio([3, 4])).toBe('3,4');
    expect(parseRatio('3,4')).toEqual([3, 4]);
  });

  it("write a resolution the other way round, as 'height,width' [R-3.device-type.3]", () => {
    expect(formatExtendResolution({ width: 1536, height: 2048 })).toBe('2048,1536');
    expect(parseExtendResolution('2048,1536')).toEqual({ width: 1536, height: 2048 });
  });

  it.each(['', '3', '3,4,5', '3:4', '0,4', '3,-4', '3.5,4', ' 3,4', '100000,1'])('do not know "%s"', (text) => {
    expect(() => parseRatio(text)).toThrow('Not two numbers');
  });
});

describe('device types and effects', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  const portrait = async () => {
    const found = (await app.client().call('getDeviceType')).find(({ name }) => name === 'Looking Glass Portrait');
    return found ?? expect.fail('No Portrait');
  };
  const effects = (deviceTypeId: number, mediaType: '0' | '1' = '1', token?: string) =>
    app
      .client(token ? { token } : {})
      .call('effect_params', { input: { device_type_id: String(deviceTypeId), media_type: mediaType } });

  it('offers the device types of the engine, in its order and spelling [R-7.device.3][R-3.device-type.1]', async () => {
    const offered = await app.client().call('getDeviceType');
    expect(offered.map(({ name }) => name)).toEqual(DEVICES.map(({ name }) => name));
    expect(await portrait()).toEqual({
      id: expect.any(Number),
      name: 'Looking Glass Portrait',
      note: '',
      ratio: '3,4',
      extendResolution: '2048,1536',
      is_actived: true,
      format: 'quilt',
      quilt: { columns: 8, rows: 6 },
      disparityBudget: 12,
    });
  });

  it('gives each row back to the engine as it came from there', async () => {
    const rows = await app.context.db.select().from(deviceTypes).orderBy(deviceTypes.position);
    expect(rows.map(deviceProfile)).toEqual(DEVICES);
  });

  it('offers 0 % first and 100 % last, for pictures and videos alike [R-2.upload-dialog.7][R-3.effect-param.1][R-3.paged-list.1]', async () => {
    const { id } = await portrait();
    for (const mediaType of ['0', '1'] as const) {
      const page = await effects(id, mediaType);
      expect(page.data.map(({ effect }) => effect)).toEqual(['0%', '20%', '40%', '60%', '80%', '100%']);
      expect(page.data[0]).toEqual({
        id: 0,
        effect: '0%',
        device_type_id: null,
        media_type: null,
        is_activated: true,
        vip_required: false,
      });
      expect(new Set(page.data.slice(1).map((param) => `${param.device_type_id} ${param.media_type}`))).toEqual(
        new Set([`${id} ${mediaType}`]),
      );
      expect(page.hasNext).toBe(false);
    }
  });

  it('refuses effects of a device type that is unknown or switched off', async () => {
    await expect(effects(999_999)).rejects.toMatchObject({ code: 'unknownDeviceType', status: 422 });
    const { id } = await portrait();
    await app.context.db.update(deviceTypes).set({ isActive: false }).where(eq(deviceTypes.id, id));
    await expect(effects(id)).rejects.toMatchObject({ code: 'unknownDeviceType' });
    expect((await app.client().call('getDeviceType')).map((device) => device.id)).not.toContain(id);
    await app.context.db.update(deviceTypes).set({ isActive: true }).where(eq(deviceTypes.id, id));
  });

  it('offers activated effects only, and VIP ones to VIPs only [R-3.effect-param.2]', async () => {
    const { db } = app.context;
    const { id } = await portrait();
    const params = (await effects(id)).data;
    const idOf = (effect: string) => params.find((param) => param.effect === effect)?.id ?? expect.fail(effect);
    await db
      .update(effectParams)
      .set({ isActive: false })
      .where(eq(effectParams.id, idOf('20%')));
    await db
      .update(effectParams)
      .set({ vipRequired: true })
      .where(eq(effectParams.id, idOf('100%')));
    const member = await app.member();
    const labels = async () => (await effects(id, '1', member.token)).data.map(({ effect }) => effect);
    expect(await labels()).toEqual(['0%', '40%', '60%', '80%']);
    await db.update(users).set({ vipAt: new Date() }).where(eq(users.id, member.userId));
    expect(await labels()).toEqual(['0%', '40%', '60%', '80%', '100%']);
  });

  it('lets a caller choose only what is offered to them', async () => {
    const { db } = app.context;
    const { id: deviceTypeId } = await portrait();
    const choose = (id: number, mediaType: 0 | 1 = MEDIA_TYPE.picture) =>
      getChosenEffect(db, visitor('en'), { id, deviceTypeId, mediaType });
    const ofVideos = (await effects(deviceTypeId, '0')).data.find(({ effect }) => effect === '60%')?.id ?? -1;
    expect(await choose(0)).toMatchObject({ percent: 0 });
    expect(await choose(ofVideos, MEDIA_TYPE.video)).toMatchObject({ percent: 60 });
    await expect(choose(ofVideos)).rejects.toMatchObject({ code: 'unknownEffect' });
    await expect(choose(999_999)).rejects.toMatchObject({ code: 'unknownEffect' });
  });

  it('adds each seed once: what an operator edits, removes or adds stays', async () => {
    const { db, clock } = app.context;
    await db.update(deviceTypes).set({ name: 'Mine', position: 99 }).where(eq(deviceTypes.slug, 'looking-glass-go'));
    await db.delete(deviceTypes).where(eq(deviceTypes.slug, 'leia-2x1'));
    const [added] = await db
      .insert(deviceTypes)
      .values({
        slug: 'own',
        name: 'Own',
        ratio: '1,1',
        extendResolution: '9,9',
        format: 'flat',
        disparityBudget: 1,
        position: 0,
      })
      .returning();
    expect(added?.id).toBeGreaterThan(DEVICES.length);
    const before = await db.select().from(effectParams);
    await seedDevices(db, clock);
    await seedDevices(db, clock);

    const rows = await db.select().from(deviceTypes);
    expect(rows).toHaveLength(DEVICES.length);
    expect(rows.find(({ slug }) => slug === 'looking-glass-go')).toMatchObject({ name: 'Mine', position: 99 });
    expect(rows.map(({ slug }) => slug)).not.toContain('leia-2x1');
    expect(await db.select().from(effectParams)).toHaveLength(before.length);
  });
});
