import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pinCodes, users } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';

const DAY_MS = 86_400_000;

describe('serial codes for VIPs', () => {
  let app: TestApp;
  let admin: ReturnType<TestApp['client']>;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    admin = (await app.admin()).client;
  });
  afterAll(() => app.close());

  let me: ReturnType<TestApp['client']>;
  let userId: string;
  beforeEach(async () => {
    const member = await app.member();
    ({ userId } = member);
    me = app.client({ token: member.token });
  });

  const make = async (settings: object = {}) =>
    (await admin.call('createPinCodes', { input: { count: 1, ...settings } })).codes[0] ?? '';
  const redeem = (client: typeof me, code: string) => client.call('setVIP', { input: { pin_code: code } });
  const incorrect = { code: 'pinCodeIncorrect', status: 422 };

  it('make a member a VIP, once, and are kept as hashes only [R-1.vip.2][R-7.user.5][R-8.catalogue.3]', async () => {
    const { codes } = await admin.call('createPinCodes', { input: { count: 3, name: 'fair' } });
    expect(new Set(codes).size).toBe(3);
    const [code = ''] = codes;
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    const kept = JSON.stringify(await app.context.db.select().from(pinCodes));
    for (const one of codes) {
      expect(kept).not.toContain(one);
      expect(kept).not.toContain(one.replaceAll('-', ''));
    }

    expect((await me.call('user')).VIP).toBe(false);
    expect((await redeem(me, code)).VIP).toBe(true);
    const other = app.client({ token: (await app.member()).token });
    expect(await refusal(redeem(other, code))).toMatchObject(incorrect);
    expect(await refusal(redeem(other, 'ABCD-EFGH-JKMN-PQRS'))).toMatchObject(incorrect);
    expect((await other.call('user')).VIP).toBe(false);
  });

  it('may be typed small, without dashes, with an O for a zero and an L for a one', async () => {
    const code = await make();
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect((await redeem(me, ` ${typed} `)).VIP).toBe(true);
  });

  it('are won by one of several who come at the same moment, who may send it again and gets nothing more [A73]', async () => {
    const code = await make({ days: 1 });
    const clients = [me];
    for (let other = 0; other < 4; other++) clients.push(app.client({ token: (await app.member()).token }));
    const tries = await Promise.allSettled(clients.map((client) => redeem(client, code)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const vips = await Promise.all(clients.map(async (client) => (await client.call('user')).VIP));
    expect(vips.filter(Boolean)).toHaveLength(1);
    const ends = () => app.context.db.select({ id: users.id, vipUntil: users.vipUntil }).from(users);
    const before = await ends();
    const again = await Promise.allSettled(clients.map((client) => redeem(client, code.toLowerCase())));
    expect(again.map(({ status }) => status)).toEqual(tries.map(({ status }) => status));
    const winner = again.find((one) => one.status === 'fulfilled');
    expect(winner?.value.VIP).toBe(true);
    expect(await ends()).toEqual(before);
    // Later it is what it is to anybody: a code that was used.
    app.clock.advance(2 * DAY_MS);
    const won = clients[tries.findIndex(({ status }) => status === 'fulfilled')] ?? me;
    expect(await refusal(redeem(won, code))).toMatchObject(incorrect);
  });

  it('are not used up by a VIP without an end', async () => {
    await redeem(me, await make());
    const second = await make();
    expect(await refusal(redeem(me, second))).toMatchObject({ code: 'alreadyVip', status: 409 });
    const other = app.client({ token: (await app.member()).token });
    expect((await redeem(other, second)).VIP).toBe(true);
  });

  it('of some days add up, and end', async () => {
    await redeem(me, await make({ days: 10 }));
    app.clock.advance(4 * DAY_MS);
    await redeem(me, await make({ days: 10 }));
    app.clock.advance(15 * DAY_MS);
    expect((await me.call('user')).VIP).toBe(true);
    app.clock.advance(2 * DAY_MS);
    expect((await me.call('user')).VIP).toBe(false);
    expect((await redeem(me, await make({ days: 1 }))).VIP).toBe(true);
    const [row] = await app.context.db.select().from(users).where(eq(users.id, userId));
    expect(row?.vipUntil?.getTime()).toBeLessThan(app.clock.now().getTime() + 1.01 * DAY_MS);
  });

  it('cannot be redeemed after their last day', async () => {
    const code = await make({ expires_at: new Date(app.clock.now().getTime() + DAY_MS).toISOString() });
    app.clock.advance(DAY_MS + 1000);
    expect(await refusal(redeem(me, code))).toMatchObject(incorrect);
  });
});
