import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { refusal } from '../testing/uploads.ts';
import { createLog } from './log.ts';
import { createRecaptcha, type Recaptcha } from './recaptcha.ts';

/** A request to the stand-in for Google. */
interface Asked {
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string;
}
let asked: Asked[] = [];
let answer: { status?: number; body?: unknown; silent?: boolean } = {};
const lines: string[] = [];
const log = createLog('debug', { write: (line: string) => lines.push(line) });

let google: Server;
let origin: string;
beforeAll(async () => {
  google = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ path: request.url ?? '', type: request.headers['content-type'], body });
    if (answer.silent) return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
});
afterAll(() => {
  google.closeAllConnections();
  google.close();
});
beforeEach(() => {
  asked = [];
  answer = {};
  lines.length = 0;
});

const v3 = (changes: object = {}) => ({
  success: true,
  challenge_ts: '2026-04-01T10:00:00Z',
  hostname: 'framelift.test',
  score: 0.9,
  action: 'register',
  ...changes,
});
const build = (project: string | null = null): Recaptcha =>
  createRecaptcha({
    siteKey: 'the-site-key',
    secret: 's3cret',
    hostname: 'framelift.test',
    log,
    project,
    origin,
    enterpriseOrigin: origin,
  });

describe('a token of reCAPTCHA v3', () => {
  it('is asked about as the protocol says, and passes when person, host and form are right', async () => {
    answer.body = v3();
    expect(await build().verify('a token', 'register')).toBe(true);
    expect(asked).toEqual([
      {
        path: '/recaptcha/api/siteverify',
        type: expect.stringContaining('application/x-www-form-urlencoded'),
        body: 'secret=s3cret&response=a+token',
      },
    ]);
  });

  it.each([
    ['was used or is too old', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
    ['was made on another site', v3({ hostname: 'evil.example' })],
    ['was made for another form', v3({ action: 'guest' })],
    ['is more likely a machine', v3({ score: 0.4 })],
    ['has no score, as those of v2', v3({ score: undefined })],
    ['gets an answer that is none', { hello: 'world' }],
  ])('does not pass when it %s', async (_, body) => {
    answer.body = body;
    expect(await build().verify('a token', 'register')).toBe(false);
  });

  it('does not pass while Google fails or says nothing for three seconds, and no log tells the secret', async () => {
    answer = { status: 503, body: {} };
    expect(await build().verify('a token', 'register')).toBe(false);
    answer = { silent: true };
    expect(await build().verify('a token', 'register')).toBe(false);
    expect(lines.join('')).toContain('cannot be asked');
    answer = { body: { success: false, 'error-codes': ['invalid-input-secret'] } };
    expect(await build().verify('a token', 'register')).toBe(false);
    expect(lines.join('')).toContain('invalid-input-secret');
    expect(lines.join('')).not.toContain('s3cret');
  });

  it('is not even asked about when there is none', async () => {
    expect(await build().verify('', 'register')).toBe(false);
    expect(asked).toEqual([]);
  });
});

describe('a token of reCAPTCHA Enterprise', () => {
  const assessed = (properties: object = {}, score = 0.9) => ({
    name: 'projects/1/assessments/2',
    tokenProperties: { valid: true, hostname: 'framelift.test', action: 'register', ...properties },
    riskAnalysis: { score, reasons: [] },
  });

  it('is assessed in the project, with the API key in the address', async () => {
    answer.body = assessed();
    expect(await build('frames-1').verify('a token', 'register')).toBe(true);
    expect(asked[0]).toMatchObject({ path: '/v1/projects/frames-1/assessments?key=s3cret', type: 'application/json' });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      event: { token: 'a token', siteKey: 'the-site-key', expectedAction: 'register' },
    });
  });

  it.each([
    ['invalid', { valid: false, invalidReason: 'DUPE' }, 0.9],
    ['of another form', { action: 'forget' }, 0.9],
    ['of a machine', {}, 0.1],
  ])('does not pass when it is %s', async (_, properties, score) => {
    answer.body = assessed(properties, score);
    expect(await build('frames-1').verify('a token', 'register')).toBe(false);
  });
});

describe('an installation with reCAPTCHA', () => {
  let app: TestApp;
  let plain: TestApp;
  beforeAll(async () => {
    const captcha = { kind: 'recaptcha' as const, ...build() };
    app = await startTestApp(await openTestDatabase(), { settings: { captcha } });
    plain = await startTestApp(await openTestDatabase());
  });
  afterAll(() => Promise.all([app.close(), plain.close()]));

  it('tells the web app of key and script, and lets in who brings a good token [R-3.registration.1]', async () => {
    expect(await app.client().call('config')).toMatchObject({
      captcha: 'recaptcha',
      recaptcha: { siteKey: 'the-site-key', script: `${origin}/recaptcha/api.js` },
    });
    const register = (recaptcha: string) =>
      app.client().call('register', { input: { ...registration('mia@example.com'), recaptcha } });
    answer.body = v3({ score: 0.1 });
    expect(await refusal(register('a token'))).toMatchObject({ code: 'captchaFailed', status: 422 });
    answer.body = v3();
    await register('a token');
    const challenge = app.client().call('captchaChallenge', { input: { purpose: 'register' } });
    expect((await refusal(challenge)).code).toBe('notFound');
  });

  it('opens the policy of contents for its script and frames, and only then', async () => {
    const policyOf = async ({ url }: TestApp) => (await fetch(`${url}/healthz`)).headers.get('content-security-policy');
    const opened = (await policyOf(app)) ?? '';
    for (const directive of ['script-src', 'connect-src', 'frame-src'])
      expect(opened).toMatch(new RegExp(`${directive} [^;]*${origin}/recaptcha/`));
    expect(opened).toMatch(/script-src [^;]*https:\/\/www\.gstatic\.com\/recaptcha\//);
    expect(opened).not.toMatch(/default-src [^;]*http/);
    expect(await policyOf(plain)).not.toMatch(/https?:/);
  });
});
