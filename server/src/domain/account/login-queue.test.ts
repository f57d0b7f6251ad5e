import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';

let app: TestApp;
let member: Awaited<ReturnType<TestApp['member']>>;
beforeAll(async () => {
  app = await startTestApp(await openTestDatabase(), { app: { trustProxy: 1 } });
  member = await app.member();
});
afterAll(() => app.close());

async function login(address: string): Promise<number> {
  const { status } = await fetch(`${app.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email: member.email, password: member.password }),
  });
  return status;
}

it('a crowd that logs in at once is let in, and nobody waits behind the whole crowd of another network [S12]', async () => {
  const answered: number[] = [];
  const crowd = Array.from({ length: 150 }, async () => {
    const status = await login('203.0.113.1');
    answered.push(status);
    return status;
  });
  // By the first answer, the others wait.
  await Promise.race(crowd);
  expect(await login('203.0.113.2')).toBe(200);
  expect(answered.length).toBeLessThan(75);
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
});
