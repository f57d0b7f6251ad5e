import { api } from '@framelift/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

describe('the description of the API', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  it('is an OpenAPI 3.1 document for programs', async () => {
    const response = await fetch(`${app.url}/api/docs/openapi.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    const document = (await response.json()) as { openapi: string; servers: object[]; paths: Record<string, object> };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: '/api' }]);
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(Object.values(api).map(({ path }) => path))].sort());
  });

  it('is a page for people, naming every call, that needs no script', async () => {
    const response = await fetch(`${app.url}/api/docs`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const { path } of Object.values(api)) expect(text).toContain(`<code>/api${path}</code>`);
    expect(text).not.toMatch(/<script|undefined|\[object/);
    expect(text).toContain('tooManyRequests');
  });
});
