import { type api, type Client, type InputOf, LIMITS } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, pageEntries } from '../../platform/db/schema.ts';
import { DAY_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { auditActions } from '../../testing/audit.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { codeOf, refusal } from '../../testing/uploads.ts';
import { seedFaq, seedLocations } from '../site/seed-entries.ts';

type Input = Extract<InputOf<typeof api.setEntry>, { kind: 'faq' }>;

describe('questions and places in the administration', () => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    admin = (await app.admin()).client;
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.context.db.delete(auditLog);
  });

  const question = (given: Partial<Input> = {}): Input => ({
    ...{ id: null, revision: 0, kind: 'faq', is_active: true },
    question: { en: 'Is it loud?', zh: '會吵嗎？', ja: '' },
    answer: { en: 'No.', zh: '不會。', ja: '' },
    ...given,
  });
  const set = (input: InputOf<typeof api.setEntry>) => admin.call('setEntry', { input });
  const list = () => admin.call('managedEntries', { input: { kind: 'faq' } });
  const read = async (language: 'en' | 'zh' | 'ja') =>
    (await app.client({ language }).call('faq')).map((one) => one.question.text);

  it('begin with two questions in every language, which visitors read, once [R-2.faq.1]', async () => {
    for (const language of ['en', 'zh', 'ja'] as const) {
      const entries = await app.client({ language }).call('faq');
      expect(entries).toHaveLength(2);
      expect(entries.map(({ question, answer }) => [question.language, answer.language])).toEqual(
        Array(2).fill([language, language]),
      );
      expect(entries[0]?.answer.text).toMatch(/50 MB/);
    }
    const [first] = await list();
    await admin.call('deleteEntry', { input: { id: first?.id ?? '' } });
    await seedFaq(app.context);
    expect(await read('en')).toHaveLength(1);
    await admin.call('restoreEntry', { input: { id: first?.id ?? '' } });
    expect((await list())[0]?.id).toBe(first?.id);
  });

  it('are read in the own language, else in English, else in the one there is, and say which it is', async () => {
    const { id } = await set(question());
    const of = async (language: 'en' | 'zh' | 'ja') =>
      (await app.client({ language }).call('faq')).find((one) => one.id === id);
    expect((await of('zh'))?.question).toEqual({ text: '會吵嗎？', language: 'zh' });
    expect((await of('ja'))?.answer).toEqual({ text: 'No.', language: 'en' });
    const chinese = { question: { en: '', zh: '會吵嗎？', ja: '' }, answer: { en: '', zh: '不會。', ja: '' } };
    await set(question({ id, revision: 1, ...chinese }));
    for (const language of ['en', 'ja'] as const)
      expect((await of(language))?.answer).toEqual({ text: '不會。', language: 'zh' });
    await admin.call('deleteEntry', { input: { id } });
  });

  it('have a question and its answer in a language or neither, and one language at least', async () => {
    const half = await refusal(set(question({ answer: { en: 'No.', zh: '', ja: '' } })));
    expect([half.code, half.details]).toEqual(['invalidInput', [expect.stringMatching(/^answer\.zh: /)]]);
    const nothing = { en: '', zh: ' ', ja: '' };
    expect(await codeOf(set(question({ question: nothing, answer: nothing })))).toBe('invalidInput');
    expect(await codeOf(set(question({ id: app.context.ids.uuid() })))).toBe('entryNotFound');
    expect(await list()).toHaveLength(2);
  });

  it('tell an operator that another one was faster, and lose what neither of them wrote', async () => {
    const { id, revision } = await set(question());
    expect(revision).toBe(1);
    const theirs = await set(question({ id, revision, question: { en: 'Theirs?', zh: '', ja: '' }, answer: yes }));
    expect(theirs).toMatchObject({ revision: 2, changed_by: 'Mia' });
    const mine = question({ id, revision, question: { en: 'Mine?', zh: '', ja: '' }, answer: yes });
    const refused = await refusal(set(mine));
    expect([refused.code, refused.status]).toEqual(['changedMeanwhile', 409]);
    expect(await read('en')).toContain('Theirs?');
    // Having seen it, they may replace it. Saving what is there already is no change.
    expect((await set({ ...mine, revision: 2 })).revision).toBe(3);
    expect((await set({ ...mine, revision: 3 })).revision).toBe(3);
    expect(await auditActions(admin)).toEqual(['faq', 'faq', 'faq']);
    await admin.call('deleteEntry', { input: { id } });
  });
  const yes = { en: 'Yes.', zh: '', ja: '' };

  it('are changed, deleted and restored once by two operators at the same moment', async () => {
    const { id, revision } = await set(question());
    const both = async (call: (who: string) => Promise<unknown>) =>
      (await Promise.allSettled(['mine', 'theirs'].map(call))).map(({ status }) => status).sort();
    const text = (en: string) => ({ en, zh: '', ja: '' });
    const change = (who: string) => set(question({ id, revision, question: text('Whose?'), answer: text(who) }));
    expect(await both(change)).toEqual(['fulfilled', 'rejected']);
    expect(await both(() => admin.call('deleteEntry', { input: { id } }))).toEqual(['fulfilled', 'rejected']);
    expect(await both(() => admin.call('restoreEntry', { input: { id } }))).toEqual(['fulfilled', 'fulfilled']);
    expect(await auditActions(admin)).toEqual(['faq', 'faq', 'faq.deleted', 'faq.restored']);
    await admin.call('deleteEntry', { input: { id } });
  });

  it('are moved, hidden, deleted and restored within a day at the same place, and the log tells it', async () => {
    const { id, revision } = await set(question());
    const before = (await list()).map((one) => one.id);
    expect(before.at(-1)).toBe(id);
    await admin.call('moveEntry', { input: { id, before: before[0] ?? null } });
    expect((await read('en'))[0]).toBe('Is it loud?');
    await admin.call('moveEntry', { input: { id, before: before[0] ?? null } });
    await set(question({ id, revision, is_active: false }));
    expect([(await read('en')).length, (await list()).length]).toEqual([2, 3]);
    await admin.call('deleteEntry', { input: { id } });
    for (const call of [
      () => set(question({ id, revision: 2 })),
      () => admin.call('moveEntry', { input: { id, before: null } }),
      () => admin.call('deleteEntry', { input: { id } }),
      () => admin.call('moveEntry', { input: { id: before[0] ?? '', before: id } }),
    ])
      expect(await codeOf(call())).toBe('entryNotFound');
    await admin.call('restoreEntry', { input: { id } });
    expect((await list()).map((one) => one.id)).toEqual([id, before[0], before[1]]);
    await admin.call('deleteEntry', { input: { id } });
    app.clock.advance(DAY_MS + 1);
    expect(await codeOf(admin.call('restoreEntry', { input: { id } }))).toBe('entryNotFound');
    expect(await auditActions(admin)).toEqual([
      'faq',
      'faq.moved',
      'faq',
      'faq.deleted',
      'faq.restored',
      'faq.deleted',
    ]);
    // The next deletion takes away for good what was deleted long ago.
    const { id: other } = await set(question());
    await admin.call('deleteEntry', { input: { id: other } });
    expect(await app.context.db.$count(pageEntries, eq(pageEntries.id, id))).toBe(0);
  });

  it('come back where they were, though others were moved meanwhile', async () => {
    const ids = (await list()).map((one) => one.id);
    for (let count = 0; count < 3; count += 1) ids.push((await set(question())).id);
    const [a = '', b = '', c = '', d = '', e = ''] = ids;
    for (const id of [a, b, c]) await admin.call('deleteEntry', { input: { id } });
    await admin.call('moveEntry', { input: { id: e, before: d } });
    for (const id of [a, b, c]) await admin.call('restoreEntry', { input: { id } });
    expect((await list()).map((one) => one.id)).toEqual([a, b, c, e, d]);
    for (const id of [c, d, e]) await admin.call('deleteEntry', { input: { id } });
  });

  it('stay within their number and in one order, however many are added and moved at the same moment', async () => {
    const { db, ids, clock } = app.context;
    const most = LIMITS.pages.entries;
    const texts = { question: { en: 'Old?' }, answer: { en: 'Yes.' } };
    const old = Array.from({ length: most - 10 - (await list()).length }, () => ({
      ...{ id: ids.uuid(), kind: 'faq' as const, texts, position: 1000, revision: 1, changedAt: clock.now() },
    }));
    await db.insert(pageEntries).values(old);
    const added = await Promise.allSettled(Array.from({ length: 20 }, () => set(question())));
    const fresh = added.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    const refused = added.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect([fresh.length, refused]).toEqual([10, Array(10).fill('tooManyEntries')]);
    const before = (await list()).map(({ id }) => id);
    expect(before.slice(-10).sort()).toEqual(fresh.sort());
    const rest = before.slice(0, -10);
    await Promise.all(fresh.map((id) => admin.call('moveEntry', { input: { id, before: rest[0] ?? null } })));
    const after = (await list()).map(({ id }) => id);
    expect([after.slice(0, 10).sort(), after.slice(10)]).toEqual([fresh, rest]);
    await db.delete(pageEntries);
  });

  it('are places with an address, and hours, a note and a map where they are known [R-2.route-public.3]', async () => {
    expect(await app.client().call('locations')).toEqual([]);
    const place = (given: object = {}): InputOf<typeof api.setEntry> => ({
      ...{ id: null, revision: 0, kind: 'location', is_active: true },
      name: { en: 'Pier 2', zh: '二號碼頭', ja: '' },
      address: { en: '2 Harbour Road', zh: '港邊路 2 號', ja: '' },
      ...{ hours: { en: 'Daily 10–18', zh: '', ja: '' }, note: { en: '', zh: '', ja: '' } },
      map_url: 'https://maps.example.com/pier-2',
      ...given,
    });
    for (const map_url of ['javascript:alert(1)', 'http://maps.example.com', 'https://me:pw@maps.example.com', 'pier'])
      expect([map_url, await codeOf(set(place({ map_url })))]).toEqual([map_url, 'invalidInput']);
    const { id } = await set(place());
    expect(await app.client({ language: 'zh' }).call('locations')).toEqual([
      {
        id,
        name: { text: '二號碼頭', language: 'zh' },
        address: { text: '港邊路 2 號', language: 'zh' },
        hours: { text: 'Daily 10–18', language: 'en' },
        note: null,
        map_url: 'https://maps.example.com/pier-2',
      },
    ]);
    expect(await codeOf(set(question({ id, revision: 1 })))).toBe('entryNotFound');
    await admin.call('deleteEntry', { input: { id } });
    // Those of the demonstration have no map of their own.
    await seedLocations(app.context);
    await seedLocations(app.context);
    expect((await app.client({ language: 'ja' }).call('locations')).map(({ name }) => name.language)).toEqual([
      'ja',
      'ja',
    ]);
  });
});
