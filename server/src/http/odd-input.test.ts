import { request as rawRequest } from 'node:http';
import { api, type Endpoint } from '@framelift/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

/** Input that the web app never sends. None of it may cause an internal error. */
describe('input that was made by hand', () => {
  let app: TestApp;
  let admin: string;
  let member: string;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), {
      onLog: (line) => log.push(line),
      // All calls exist, those for tests too.
      settings: { environment: 'dev' },
      app: {
        rateLimiter: {
          db: null,
          limitsOf: ({ name }) => (name === 'guestLogin' ? [{ by: 'ip', max: 2, seconds: 60 }] : []),
        },
      },
    });
    admin = (await app.admin()).token;
    member = (await app.member()).token;
  });
  afterAll(() => app.close());

  const send = async (method: string, path: string, token: string, body?: string) => {
    const response = await fetch(`${app.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body ?? null,
    });
    const { code, errors } = (await response.json()) as { code?: string; errors?: string[] };
    return { status: response.status, code, errors };
  };
  const refused = { status: 400, code: 'invalidInput' };

  const lists = (Object.values(api) as Endpoint[]).filter(
    ({ kind, input }) => kind === 'list' && 'page' in (input as unknown as { shape: object }).shape,
  );
  it.each(lists)('$name refuses a position that was not given out', async ({ method, path, actors }) => {
    const id = '00000000-0000-4000-8000-000000000000';
    const forged = [
      '',
      'nonsense',
      '2026-01-01T00:00:00.000Z',
      `0000-01-01T00:00:00.000Z ${id}`,
      `2026-02-31T00:00:00.000Z ${id}`,
      `2026-13-01T00:00:00.000Z ${id}`,
      `Thu_Jan_01_2026_00:00:00Z ${id}`,
      `2026-01-01T00:00:00.000Z ${'-'.repeat(36)}`,
      `2026-01-01T00:00:00.000Z ${id.replaceAll('-', '0')}`,
      `2026-01-01T00:00:00.000Z ${id} or true`,
      `2026-01-01T00:00:00.000Z ${id}\0`,
    ];
    const token = actors.includes('member') ? member : admin;
    for (const position of forged) {
      const page = Buffer.from(position).toString('base64url');
      const answer =
        method === 'GET'
          ? await send(method, `${path}?page=${page}`, token)
          : await send(method, path, token, JSON.stringify({ page }));
      expect({ position, ...answer }).toMatchObject({ position, ...refused });
    }
  });

  it('times that no calendar of the database has are refused', async () => {
    for (const time of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59']) {
      const query = new URLSearchParams({ from: time });
      expect(await send('GET', `/auditLog?${query}`, admin)).toMatchObject(refused);
      const batch = { count: 1, expires_at: time.replace(/[+-]\d\d:\d\d$/, 'Z') };
      const answer = await send('POST', '/createPinCodes', admin, JSON.stringify(batch));
      expect(answer.status).toBeLessThan(500);
    }
  });

  it('half letters, which UTF-8 does not have, are refused', async () => {
    const name = '"name":"\\ud83d"';
    const { name: _, ...rest } = registration('half@example.com');
    const body = `{${name},${JSON.stringify(rest).slice(1)}`;
    expect(await send('POST', '/register', '', body)).toMatchObject(refused);
    expect(await send('PUT', '/userUpdate', member, `{${name}}`)).toMatchObject(refused);
    expect(await send('POST', '/albumCreate', member, `{${name}}`)).toMatchObject(refused);
  });

  it.each([
    ['of nothing that is seen', '\u200b\u2060'],
    ['that turns the line around', 'Mia\u202etxt'],
    ['of several lines', 'Mia\u2028Chen'],
  ])('a name %s is none', async (_, name) => {
    expect(await send('PUT', '/userUpdate', member, JSON.stringify({ name }))).toMatchObject(refused);
    expect(await send('POST', '/albumCreate', member, JSON.stringify({ name }))).toMatchObject(refused);
  });

  it('a name may hold letters that are made of several signs', async () => {
    const name = '👩‍👩‍👧 क्षि می‌خواهم';
    expect(await send('PUT', '/userUpdate', member, JSON.stringify({ name }))).toMatchObject({ status: 200 });
  });

  it('boxes in boxes without an end do not exhaust the server', async () => {
    const depth = 200_000;
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const details = { name: 'a.jpg', size: 1, type: 'image/jpeg' };
    const whole = { originalDetails: details, deviceType: 1, media_type: 1, effect_param_id: 0 };
    const body = `${JSON.stringify(whole).slice(0, -1)},"obj":${nested}}`;
    expect((await send('POST', '/requestUploadMedia', member, body)).status).toBeLessThan(500);
    expect(await send('PUT', '/userUpdate', member, `{"name":${nested}}`)).toMatchObject(refused);
  });

  it('a long key is named in part only', async () => {
    const answer = await send('PUT', '/userUpdate', member, JSON.stringify({ ['k'.repeat(100_000)]: 1 }));
    expect(answer).toMatchObject(refused);
    expect(answer.errors?.join('').length).toBeLessThan(1000);
  });

  it('a path with a slash too many is no call', async () => {
    expect(await send('GET', '/user/', member)).toMatchObject({ status: 404, code: 'notFound' });
  });

  it('a host that is none meets no mailbox', async () => {
    const { hostname, port } = new URL(app.url);
    const status = await new Promise((resolve, reject) => {
      const request = rawRequest({ hostname, port, path: '/sandbox/mailbox', headers: { host: 'a b' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject).end();
    });
    expect(status).toBe(404);
  });

  it('a foreign page uses up nobody’s tries', async () => {
    const guestLogin = (site: string) =>
      fetch(`${app.url}/api/guestLogin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: site },
        body: JSON.stringify({ guestId: 'a-guest-of-sixteen-signs' }),
      });
    for (let time = 0; time < 4; time++) expect((await guestLogin('https://evil.example')).status).toBe(403);
    expect((await guestLogin(app.url)).status).toBe(200);
  });

  it('what a query was asked with is not written down when it fails', async () => {
    log.length = 0;
    await app.context.db.execute(sql`alter table mails rename to mails_away`);
    try {
      expect(await send('POST', '/register', '', JSON.stringify(registration('s3cret@example.com')))).toMatchObject({
        status: 500,
        code: 'internal',
      });
    } finally {
      await app.context.db.execute(sql`alter table mails_away rename to mails`);
    }
    expect(log.join('')).toContain('Failed query');
    expect(log.join('')).not.toContain('s3cret@example.com');
    expect(log.join('')).not.toContain('$argon2id$');
  });
});
