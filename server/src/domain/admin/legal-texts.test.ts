import type { Client, Language } from '@framelift/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { codeOf } from '../../testing/uploads.ts';

describe('the legal texts in the administration', () => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    admin = (await app.admin()).client;
  });
  afterAll(() => app.close());

  const inDays = (days: number) => new Date(app.context.clock.now().getTime() + days * DAY_MS).toISOString();
  const read = async (language: Language) =>
    (await app.client({ language }).call('legalText', { params: { kind: 'terms' }, input: {} })).content;
  const publish = (content: string | null, after: number, days = 0, language: Language = 'zh') =>
    admin.call('publishLegalText', { input: { kind: 'terms', language, content, in_force_from: inDays(days), after } });
  const states = async () =>
    (await admin.call('legalVersions', { input: { kind: 'terms' } }))
      .filter(({ language }) => language === 'zh')
      .map(({ number, state }) => [number, state]);

  it('begin with that of the web app; a version replaces it in its language, from its time on', async () => {
    expect(await app.client().call('legalText', { params: { kind: 'terms' }, input: {} })).toEqual({
      ...{ content: null, in_force_from: null, in_force_until: null },
      earlier: [],
    });
    await publish('## 新規定', 0, -5);
    expect([await read('zh'), await read('en'), await read('ja')]).toEqual(['## 新規定', null, null]);
    await publish('## 下週起', 1, 7);
    expect(await read('zh')).toBe('## 新規定');
    expect(await states()).toEqual([
      [2, 'coming'],
      [1, 'inForce'],
    ]);
    app.clock.advance(7 * DAY_MS + 1);
    expect(await read('zh')).toBe('## 下週起');
    expect(await states()).toEqual([
      [2, 'inForce'],
      [1, 'earlier'],
    ]);
  });

  it('refuse a version that passes over one of another operator, also of two at the same moment', async () => {
    expect(await codeOf(publish('late', 1))).toBe('changedMeanwhile');
    expect(await codeOf(publish('ahead', 7))).toBe('changedMeanwhile');
    const both = await Promise.allSettled([publish('first', 2), publish('second', 2)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await states()).length).toBe(3);
  });

  it('go back to that of the web app, and keep every version with who published it', async () => {
    await publish(null, 3);
    expect(await read('zh')).toBeNull();
    const versions = await admin.call('legalVersions', { input: { kind: 'terms' } });
    expect(versions).toHaveLength(4);
    expect(versions.at(-1)).toMatchObject({ number: 1, content: '## 新規定', published_by: 'Mia', state: 'earlier' });
    const [entry] = (await admin.call('auditLog', { input: { action: 'legalText' } })).data;
    expect(entry).toMatchObject({ target: 'terms (zh)', after: { number: 4, builtin: true } });
  });

  it('can be read by visitors as they were at an earlier time, but none that is to come', async () => {
    const visitor = app.client({ language: 'zh' });
    const readAt = (at?: string) => visitor.call('legalText', { params: { kind: 'terms' }, input: at ? { at } : {} });
    const { earlier, in_force_until } = await readAt();
    expect(in_force_until).toBeNull();
    expect(earlier.at(-1)?.in_force_from).toBeNull();
    const texts = await Promise.all(
      earlier.map(async ({ in_force_from: from, in_force_until: until }) => {
        const read = await readAt(from ?? '1970-01-01T00:00:00Z');
        expect(read).toMatchObject({ in_force_from: from, in_force_until: until });
        return read.content;
      }),
    );
    expect(texts.slice(-3)).toEqual(['## 下週起', '## 新規定', null]);
    await publish('not yet', 4, 3);
    expect((await readAt(inDays(30))).content).toBeNull();
    expect(await readAt()).toMatchObject({ in_force_until: null, earlier });
    const [{ id = '' } = {}] = await admin.call('legalVersions', { input: { kind: 'terms' } });
    await admin.call('withdrawLegalText', { input: { id, withdrawn: true } });
  });

  it('can be withdrawn before they come into force, and not afterwards', async () => {
    const { id } = await publish('soon', 5, 3);
    await admin.call('withdrawLegalText', { input: { id, withdrawn: true } });
    await admin.call('withdrawLegalText', { input: { id, withdrawn: false } });
    await admin.call('withdrawLegalText', { input: { id, withdrawn: true } });
    app.clock.advance(4 * DAY_MS);
    expect(await read('zh')).toBeNull();
    expect((await states())[0]).toEqual([6, 'withdrawn']);
    expect(await codeOf(admin.call('withdrawLegalText', { input: { id, withdrawn: false } }))).toBe('legalTextInForce');
    const unknown = { id: app.context.ids.uuid(), withdrawn: true };
    expect(await codeOf(admin.call('withdrawLegalText', { input: unknown }))).toBe('entryNotFound');
    expect(await codeOf(publish(' ', 6))).toBe('invalidInput');
  });
});
