import { request as rawRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmationOf, registration, startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

describe('the mailbox of the sandbox', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      rawRequest({ hostname, port, path, headers: { host: `localhost:${port}`, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      })
        .on('error', reject)
        .end();
    });

  it('is empty at first and looks again by itself', async () => {
    const { status, text } = await get('/sandbox/mailbox');
    expect(status).toBe(200);
    expect(text).toContain('No mail yet');
    expect(text).toContain('<meta http-equiv="refresh" content="5">');
  });

  it('lists the mails newest first, each with links that can be followed, and shows each alone', async () => {
    for (const [index, email] of ['one@example.com', 'two@example.com'].entries()) {
      await app.client().call('register', { input: { ...registration(email), name: `Member <${index}>` } });
      await app.mailTo(email);
    }
    const list = await get('/sandbox/mailbox');
    expect(list.text.indexOf('two@example.com')).toBeLessThan(list.text.indexOf('one@example.com'));
    expect(list.text).toContain('Member &#60;1&#62;');
    const { link } = confirmationOf(await app.mailTo('two@example.com'));
    expect(list.text).toContain(`<a href="${link.href.replaceAll('&', '&#38;')}">`);

    const [, path = ''] = /<a href="(\/sandbox\/mailbox\/[^"]+)">/.exec(list.text) ?? [];
    const one = await get(path);
    expect(one.text).toContain('two@example.com');
    expect(one.text).toContain('<iframe');
    const html = await get(`${path}/html`);
    expect(html.text).toContain('<base target="_top">');
    expect(html.headers['content-security-policy']).toContain("default-src 'none'");
    expect(html.headers['content-security-policy']).toContain('sandbox');
    for (const { text } of [list, one, html]) expect(text).not.toContain('<script');
  });

  it('answers nobody but a browser on this machine', async () => {
    const refused = [
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { host: 'evil.example' },
      { host: 'localhost.evil.example:80' },
    ];
    for (const headers of refused) {
      const { status, text } = await get('/sandbox/mailbox', headers);
      expect({ headers, status }).toEqual({ headers, status: 404 });
      expect(text).not.toContain('Mailbox');
    }
    expect((await get('/sandbox/mailbox', { host: '127.0.0.1:1' })).status).toBe(200);
    expect((await get('/sandbox/mailbox', { host: 'framelift.test' })).status).toBe(200);
  });

  it('reads no file but a mail', async () => {
    for (const file of ['..%2f..%2fsecret.key', 'x.eml', '2026-01-01T00-00-00.000Z_%2e%2e.eml'])
      expect((await get(`/sandbox/mailbox/${file}`)).status).toBe(404);
  });

  it('does not exist outside the sandbox', async () => {
    const app = { outbox: null, paypalSandbox: null, sunpaySandbox: null };
    const real = await startTestApp(await openTestDatabase(), { app });
    // Nor do the stand-ins for PayPal: with an account, nobody pays without money.
    const paths = ['mailbox', 'paypal/checkoutnow?token=X', 'paypal/v2/checkout/orders/X', 'paypal/v1/oauth2/token'];
    for (const path of paths) {
      const page = await fetch(`${real.url}/sandbox/${path}`, { headers: { accept: 'text/html' } });
      expect([path, page.status]).toEqual([path, 404]);
    }
    await real.close();
  });
});
