import { request as rawRequest } from 'node:http';
import { type ErrorCode, failureEnvelope } from '@framelift/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

describe('every request', () => {
  let app: TestApp;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => log.push(line) });
  });
  afterAll(() => app.close());

  const send = async (
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: string } = {},
  ) => {
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: options.headers ?? {},
      body: options.body ?? null,
    });
    const body = failureEnvelope
      .partial()
      .loose()
      .safeParse(await response.json().catch(() => ({})));
    return { status: response.status, headers: response.headers, code: body.data?.code, ...body.data };
  };
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send('POST', `/api${path}`, { headers: { ...json, ...headers }, body: JSON.stringify(body) });

  it('refuses unknown keys and names each wrong field, without repeating what was sent', async () => {
    const answer = await post('/register', { ...registration('not an address'), isAdmin: true, password: 'Secret1' });
    expect(answer).toMatchObject({ status: 400, code: 'invalidInput' });
    const lines = (answer.errors ?? []) as string[];
    expect(lines.map((line) => line.split(':')[0])).toEqual(expect.arrayContaining(['email', 'password']));
    expect(lines.join()).toContain('isAdmin');
    expect(lines.join()).not.toContain('Secret1');
  });

  it('refuses a body that is no JSON object, each kind with its own error', async () => {
    const cases: [body: string, headers: Record<string, string>, code: ErrorCode, status: number][] = [
      ['{', json, 'invalidInput', 400],
      ['', json, 'invalidInput', 400],
      ['[]', json, 'invalidInput', 400],
      ['null', json, 'invalidInput', 400],
      ['email=a', { 'content-type': 'application/x-www-form-urlencoded' }, 'notJson', 415],
      ['{}', { 'content-type': 'text/plain' }, 'notJson', 415],
      ['{"__proto__":{"a":1}}', json, 'invalidInput', 400],
      [JSON.stringify({ email: 'x'.repeat(1024 * 1024), password: 'y' }), json, 'bodyTooLarge', 413],
    ];
    for (const [body, headers, code, status] of cases)
      expect({ body: body.slice(0, 40), ...(await send('POST', '/api/login', { headers, body })) }).toMatchObject({
        body: body.slice(0, 40),
        status,
        code,
      });
  });

  it('refuses U+0000, which PostgreSQL cannot keep', async () => {
    expect(await post('/login', { email: 'a\u0000@b.co', password: 'x' })).toMatchObject({
      status: 400,
      code: 'invalidInput',
    });
  });

  it('answers below the API base in the envelope where there is no call, and tells a wrong method [R-7.base.1]', async () => {
    expect(await send('GET', '/api/nothing')).toMatchObject({ status: 404, code: 'notFound', success: false });
    expect(await send('GET', '/api')).toMatchObject({ status: 404, code: 'notFound' });
    const wrong = await send('DELETE', '/api/login');
    expect(wrong).toMatchObject({ status: 405, code: 'methodNotAllowed' });
    expect(wrong.headers.get('allow')).toBe('POST');
    expect(await send('GET', '/api/%')).toMatchObject({ status: 400, code: 'invalidInput' });
  });

  it('speaks the language that is asked for', async () => {
    const say = async (language: string) =>
      (await post('/login', { email: 'a@b.co', password: 'x' }, { 'accept-language': language })).message;
    expect(await say('ja')).toMatch(/[ぁ-ん]/);
    expect(await say('zh-Hant-TW,zh;q=0.9')).toMatch(/^[^ぁ-ん]*[一-龥]/);
    expect(await say('fr, en;q=0.5')).toMatch(/^[A-Z]/);
  });

  it('answers 401 without a session where one is needed, whatever the token looks like', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic eDp5' },
      { cookie: 'token=nonsense' },
    ])
      expect(await send('GET', '/api/user', { headers: headers as Record<string, string> })).toMatchObject({
        status: 401,
        code: 'tokenExpired',
        message: 'token expired / please login again',
      });
  });

  it('asks who calls before it looks at what was sent', async () => {
    expect(await post('/requestUploadMedia', { surprise: 1 })).toMatchObject({ status: 401, code: 'tokenExpired' });
  });

  describe('a write by cookie', () => {
    let cookie: string;
    let token: string;
    beforeAll(async () => {
      ({ token } = await app.guest());
      cookie = `token=${token}`;
    });
    /** Sends a raw request, because fetch does not allow setting Host and Sec-Fetch-Site. */
    const write = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const { hostname, port } = new URL(app.url);
        const request = rawRequest(
          { hostname, port, path: '/api/getDeviceType', method: 'POST', headers: { ...json, ...headers } },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        request.on('error', reject);
        request.end('{}');
      });

    it('passes from our own pages only', async () => {
      const own = new URL(app.url).host;
      const allowed = [
        { cookie, 'sec-fetch-site': 'same-origin' },
        { cookie, 'sec-fetch-site': 'none' },
        { cookie, origin: app.url },
        { cookie, origin: 'http://framelift.test' },
        { cookie, origin: `http://${own}`, host: own },
      ];
      for (const headers of allowed)
        expect({ headers, status: await write(headers) }).toEqual({ headers, status: 200 });
      const refused = [
        { cookie, 'sec-fetch-site': 'cross-site' },
        { cookie, 'sec-fetch-site': 'same-site' },
        { cookie, 'sec-fetch-site': 'cross-site', origin: app.url },
        { cookie, origin: 'https://evil.example' },
        { cookie, origin: 'null' },
        { cookie },
        // Without a cookie, a foreign page must not log a browser in either.
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
      ];
      for (const headers of refused)
        expect({ headers, status: await write(headers) }).toEqual({ headers, status: 403 });
    });

    it('needs no such proof with a bearer header, nor from a program without a session', async () => {
      expect(await write({ authorization: `Bearer ${token}`, origin: 'https://evil.example' })).toBe(200);
      expect(await write({})).toBe(200);
    });
  });

  it('hides what went wrong inside and logs it with the id that the caller got', async () => {
    await app.context.db.execute(sql`alter table users rename to users_away`);
    try {
      const answer = await post('/login', { email: 'a@b.co', password: 'x' });
      expect(answer).toMatchObject({
        status: 500,
        code: 'internal',
        errors: [],
        message: 'Something went wrong on our side. Nothing was lost; please try again.',
      });
      const id = answer.headers.get('x-request-id') ?? '';
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(log.filter((line) => line.includes(id) && line.includes('users'))).not.toEqual([]);
    } finally {
      await app.context.db.execute(sql`alter table users_away rename to users`);
    }
  });

  it('sends the security headers with every answer, and no-store with private ones', async () => {
    const { headers } = await send('GET', '/api/config');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "connect-src 'self'",
      ]),
    );
    expect(policy).not.toContain("'unsafe-eval'");
    expect(policy).not.toContain('upgrade-insecure-requests');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain('geolocation=()');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  it('tells the web app what it must know [R-3.configuration.2][R-3.configuration.3]', async () => {
    expect(await app.client().call('config')).toMatchObject({
      version: '0.0.0-test',
      environment: 'production',
      sandbox: true,
      isMaintenance: false,
      Announcement: false,
      playerUrl: null,
      aboutUrl: null,
      storageOrigins: [],
      features: { convert2to3: 'on' },
    });
  });

  it('says at /healthz whether the database answers', async () => {
    const response = await fetch(`${app.url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true, version: '0.0.0-test', database: 'ok', storage: 'ok' });
  });
});
