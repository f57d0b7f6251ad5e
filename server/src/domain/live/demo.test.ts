import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { watchAs } from '../../testing/live.ts';
import { seedLiveDemo } from './demo.ts';

/** Of a transport stream; each begins with the sign G. */
const PACKET_BYTES = 188;

describe('the live demonstration', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    await app.admin();
  });
  afterAll(() => app.close());

  it('is drawn by this program, and three angles of it play together without any network [R-1.feature-live.1]', async () => {
    await Promise.all([seedLiveDemo(app.context, 4), seedLiveDemo(app.context, 4)]);
    const { token } = await app.member();
    const me = app.client({ token, language: 'zh' });
    const { data: events } = await me.call('liveEvents', { input: {} });
    expect(events.map(({ title, state, can_watch }) => [title, state, can_watch]).sort()).toEqual([
      ['草地上的燈籠', 'live', true],
      ['草地上的燈籠：長夜場', 'live', false],
      ['鐘旁的燈籠', 'upcoming', true],
    ]);
    const { id = '' } = events.find(({ can_watch }) => can_watch) ?? {};
    const { angles, id: session } = await watchAs(me, id);
    expect(angles.map(({ name }) => name)).toEqual(['左側', '正面', '俯視']);
    const get = (path: string) => fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const texts = await vi.waitFor(
      async () => {
        await me.call('liveHeartbeat', { params: { id: session } });
        const answers = await Promise.all(angles.map(({ manifest }) => get(manifest)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        return Promise.all(answers.map((answer) => answer.text()));
      },
      { timeout: 240_000, interval: 500 },
    );
    const times = texts.map((text) => [...text.matchAll(/DATE-TIME:(.*)\n#EXTINF:(.*),/g)].map(([, at, s]) => [at, s]));
    expect(times[0]?.map(([, seconds]) => seconds)).toEqual(['2.000', '2.000']);
    // Read within the same two seconds or the next: what both name is the same.
    const shared = times[0]?.filter(([at]) => times[2]?.some(([other]) => other === at));
    expect(shared?.length).toBeGreaterThan(0);
    for (const text of texts) {
      const path = text.split('\n').find((line) => line.startsWith('/api/live/')) ?? '';
      const bytes = Buffer.from(await (await get(path)).arrayBuffer());
      expect(bytes.length % PACKET_BYTES).toBe(0);
      expect([bytes[0], bytes[PACKET_BYTES]]).toEqual([0x47, 0x47]);
    }
    const cover = await vi.waitFor(async () => {
      const { cover } = await me.call('liveEvent', { params: { event_id: id } });
      const response = await get(cover ?? '/api/none');
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      return Buffer.from(await response.arrayBuffer());
    });
    expect(cover.length).toBeGreaterThan(5000);
  }, 300_000);
});
