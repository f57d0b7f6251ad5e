import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import type { RateLimiterOptions } from './rate-limit.ts';

const guestLogin = (app: TestApp, headers: Record<string, string>) =>
  fetch(`${app.url}/api/guestLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ guestId: 'a-guest-of-sixteen-signs' }),
  });
const rateLimiter: RateLimiterOptions = {
  db: null,
  limitsOf: ({ name }) => (name === 'guestLogin' ? [{ by: 'ip', max: 2, seconds: 60 }] : []),
};

describe('behind a proxy that is trusted', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), {
      app: { trustProxy: ['127.0.0.1'], rateLimiter },
      settings: { publicUrl: 'https://frames.example' },
    });
  });
  afterAll(() => app.close());

  it('a session that came by HTTPS is never sent over plain HTTP, and browsers are told to stay with HTTPS', async () => {
    const secure = await guestLogin(app, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.1' });
    expect(secure.headers.getSetCookie()[0]?.split('; ')).toContain('Secure');
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
    const plain = await guestLogin(app, { 'x-forwarded-for': '203.0.113.1' });
    expect(plain.headers.getSetCookie()[0]?.split('; ')).not.toContain('Secure');
  });

  it('each caller is counted alone', async () => {
    const statusOf = async (ip: string) => (await guestLogin(app, { 'x-forwarded-for': ip })).status;
    expect([await statusOf('203.0.113.2'), await statusOf('203.0.113.2'), await statusOf('203.0.113.2')]).toEqual([
      200, 200, 429,
    ]);
    expect(await statusOf('203.0.113.3')).toBe(200);
  });
});

describe('behind a proxy with spellings of its own', () => {
  it.each([
    ['addresses', ['127.0.0.1', '10.0.0.0/8']],
    ['a number', 2],
  ] as const)('trusted by %s, every spelling of an address is that address [W21]', async (_, trustProxy) => {
    const app = await startTestApp(await openTestDatabase(), { app: { trustProxy, rateLimiter } });
    const statusesOf = async (...spellings: string[]) => {
      const statuses = [];
      for (const spelling of spellings) {
        const headers = { 'x-forwarded-for': `${spelling}, 10.1.2.3:4444` };
        statuses.push((await guestLogin(app, headers)).status);
      }
      return statuses;
    };
    const third = [200, 200, 429];
    expect(await statusesOf('203.0.113.9:1001', '203.0.113.9:1002', '203.0.113.9')).toEqual(third);
    expect(await statusesOf('::ffff:c000:0201', '192.0.2.1', '[::FFFF:192.0.2.1]:99')).toEqual(third);
    expect(await statusesOf('[2001:db8::1]:443', '[2001:db8:0:0:1::2]:444', '"[2001:0DB8::ffff]"')).toEqual(third);
    expect(await statusesOf('fe80::1%eth0', 'fe80::1%eth1', '[fe80::2%1]:80')).toEqual(third);
    expect(await statusesOf('[2001:db8:0:1::1]:443')).toEqual([200]);
    // What no one can read counts as the proxy that says it, whatever it says.
    expect(await statusesOf('unknown', '_hidden', '999.1.1.1')).toEqual(third);
    await app.close();
  });
});

describe('behind one proxy, whichever', () => {
  it('nobody escapes the count by naming addresses before the one that the proxy names', async () => {
    const app = await startTestApp(await openTestDatabase(), { app: { trustProxy: 1, rateLimiter } });
    const statuses = [];
    for (const invented of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
      statuses.push((await guestLogin(app, { 'x-forwarded-for': `${invented}, 203.0.113.1` })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await guestLogin(app, { 'x-forwarded-for': '203.0.113.2' })).status).toBe(200);
    await app.close();
  });
});

describe('without a trusted proxy', () => {
  it('nobody escapes the count by inventing addresses', async () => {
    const app = await startTestApp(await openTestDatabase(), {
      app: { rateLimiter },
      settings: { publicUrl: 'https://frames.example' },
    });
    // The page was loaded by HTTPS, regardless of the headers of the proxy.
    const origin = 'https://frames.example';
    expect((await guestLogin(app, { origin })).headers.getSetCookie()[0]?.split('; ')).toContain('Secure');
    vi.useFakeTimers({ toFake: ['performance'] });
    // It starts at 0.
    vi.advanceTimersByTime(3_600_000);
    const statuses = [];
    for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      statuses.push((await guestLogin(app, { 'x-forwarded-for': ip })).status);
    expect(statuses).toEqual([200, 200, 429]);
    vi.useRealTimers();
    await app.close();
  });
});
