import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSession } from './domain/user/session.ts';
import { insertMember } from './domain/user/user.sql.ts';
import { offers, paymentEvents, payments, pointEntries, users } from './platform/db/schema.ts';
import { systemClock, systemIds } from './platform/system.ts';
import { sandboxState } from './sandbox/paypal/state.ts';
import { openSandboxStore } from './sandbox/store.ts';
import { openTestDatabase, type TestDatabase } from './testing/database.ts';
import { endPrograms, freePort, type Running, start } from './testing/program.ts';
import { atPayPal } from './testing/purchases.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-restart-'));
const settings: Record<string, string> = { DATA_DIR: folder, SANDBOX: 'on', SAMPLES: 'off' };
const userId = systemIds.uuid();
let database: TestDatabase;
let server: Running;
let token: string;

beforeAll(async () => {
  settings['PORT'] = await freePort();
  database = await openTestDatabase();
  settings['DATABASE_URL'] = database.url;
});
afterAll(async () => {
  endPrograms();
  await database.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

async function open(): Promise<Client> {
  server = start(settings);
  await server.says('"msg":"ready"');
  return createClient({ base: `${server.url}/api`, token: () => token });
}

test('a server that is killed between taking the money and granting grants by itself after the next start, once', {
  timeout: 300_000,
}, async () => {
  const { db, pool } = database;
  const client = await open();
  const now = systemClock.now();
  const member = { name: 'Mia', email: 'mia@example.com', phone: '', passwordHash: 'none', language: 'en' } as const;
  await insertMember(db, { id: userId, ...member, createdAt: now, confirmedAt: now });
  token = await startSession({ ids: systemIds, clock: systemClock }, db, userId, 'a test');
  const [pack] = await db.select().from(offers).where(eq(offers.points, 550));
  const begun = await client.call('createPayment', {
    input: { offer_id: pack?.id ?? 0, method: 'paypal', key: systemIds.uuid() },
  });
  await atPayPal(begun, 'approve');

  // The grant cannot write into the ledger, so that it waits, after the money was recorded.
  const holder = await pool.connect();
  await holder.query('begin; lock table point_entries in exclusive mode');
  const asked = client.call('payment', { params: { td: begun.td } }).catch(() => null);
  const state = async () => (await db.select().from(payments).where(eq(payments.userId, userId)))[0]?.state;
  await expect.poll(state, { timeout: 60_000, interval: 20 }).toBe('paid');
  server.child.kill('SIGKILL');
  await server.exited;
  await asked;
  await holder.query('rollback');
  holder.release();
  expect(await state()).toBe('paid');
  expect(await db.$count(pointEntries)).toBe(0);

  await open();
  await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe('granted');
  expect(await db.select().from(pointEntries)).toMatchObject([{ amount: 550, balance: 550, reason: 'pack' }]);
  expect(await db.select().from(users).where(eq(users.id, userId))).toMatchObject([{ points: 550 }]);
  expect(await db.$count(paymentEvents, eq(paymentEvents.type, 'state.granted'))).toBe(1);
  const { payments: charges } = await openSandboxStore(db, 'paypal', sandboxState).read();
  expect(Object.values(charges).map(({ amount }) => amount)).toEqual([499]);
});
