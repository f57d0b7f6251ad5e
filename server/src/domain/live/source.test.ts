import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveAngles } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { addEvent, watchAs } from '../../testing/live.ts';
import { refusal } from '../../testing/uploads.ts';

const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,AUDIO="a"
low/index.m3u8?key=secret
#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720,AUDIO="a"
high/index.m3u8
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Hall",URI="sound/index.m3u8"
#EXT-X-SESSION-DATA:DATA-ID="x",URI="https://elsewhere.example/data"
`;
const VARIANT = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-KEY:METHOD=AES-128,URI="/keys/1.key"
#EXT-X-MAP:URI="init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-11-29T10:00:00.000Z
#EXTINF:2.000,
a/41.m4s
#EXT-X-PART:DURATION=0.5,URI="a/42.1.m4s"
#EXTINF:2.000,
page.html
# a comment with http://elsewhere.example
#EXTINF:2.000,
gone.m4s
`;

describe('a broadcast from another server', () => {
  let app: TestApp;
  let origin: Server;
  let base: string;
  let token: string;
  beforeAll(async () => {
    origin = createServer(({ url, headers }, response) => {
      const { pathname } = new URL(url ?? '', 'http://origin');
      if (pathname === '/live/master.m3u8') return response.end(MASTER);
      if (pathname === '/live/moved.m3u8') return response.writeHead(302, { location: '/live/low/index.m3u8' }).end();
      if (pathname.endsWith('index.m3u8')) return response.end(VARIANT);
      if (pathname === '/live/empty.m3u8') return response.end('#EXTM3U');
      if (pathname === '/live/key.m3u8') return response.writeHead(403).end();
      if (pathname === '/live/page.m3u8') return response.end('<html>');
      if (pathname.endsWith('gone.m4s')) return response.writeHead(404).end();
      const type = pathname.endsWith('.html') ? 'text/html' : 'video/mp4';
      response.writeHead(headers.range ? 206 : 200, {
        'content-type': type,
        'set-cookie': 'a=b',
        ...(headers.range && { 'content-range': 'bytes 0-1/9' }),
      });
      return response.end(`${pathname} ${headers.cookie ?? ''}`.trim());
    });
    await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/live`;
    app = await startTestApp(await openTestDatabase(), { settings: { privateSources: true } });
    ({ token } = await app.member());
  });
  afterAll(async () => {
    await app.close();
    origin.close();
  });

  const get = (path: string, headers = {}) =>
    fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}`, cookie: 'mine=secret', ...headers } });
  const linksIn = (text: string) => text.match(/\/api\/live\/[^\s"]+/g) ?? [];
  const play = async (source: string) => {
    const { angles } = await watchAs(app.client({ token }), await addEvent(app, {}, [source]));
    return get(angles[0]?.manifest ?? '');
  };

  it('reaches viewers through this server alone: no line names its origin', async () => {
    const response = await play(`${base}/master.m3u8`);
    expect(response.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
    const master = await response.text();
    expect(master.split('\n').filter((line) => !/^(\/api\/live\/|#EXT|$)/.test(line))).toEqual([]);
    expect(master).toContain('RESOLUTION=1280x720');
    expect(master).not.toMatch(/127\.0\.0\.1|elsewhere|secret|SESSION-DATA/);
    const [low = '', , sound = ''] = linksIn(master);
    expect(await (await get(sound)).text()).toMatch(/^#EXTM3U/);
    const variant = await (await get(low)).text();
    expect(variant).not.toMatch(/127\.0\.0\.1|elsewhere|PART|SERVER-CONTROL/);
    expect(variant).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-11-29T10:00:00.000Z');
    const [key = '', map = '', segment = '', page = '', gone = ''] = linksIn(variant);
    const bodies = await Promise.all([key, map, segment].map(async (path) => (await get(path)).text()));
    // Neither the login nor any cookie of the viewer goes there.
    expect(bodies).toEqual(['/keys/1.key', '/live/low/init.mp4', '/live/low/a/41.m4s']);
    const part = await get(segment, { range: 'bytes=0-1' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 0-1/9']);
    const foreign = await get(page);
    expect(foreign.headers.get('content-type')).toBe('application/octet-stream');
    expect(foreign.headers.get('content-security-policy')).toContain('sandbox');
    expect(foreign.headers.get('set-cookie')).toBeNull();
    expect(await (await get(gone)).json()).toMatchObject({ code: 'liveFileNotFound' });
  });

  it('ends in every quality when its angle gets another source, or is taken away', async () => {
    const eventId = await addEvent(app, {}, [`${base}/master.m3u8`]);
    const { angles } = await watchAs(app.client({ token }), eventId);
    const [low = ''] = linksIn(await (await get(angles[0]?.manifest ?? '')).text());
    expect((await get(low)).status).toBe(200);
    const { db } = app.context;
    await db
      .update(liveAngles)
      .set({ source: `${base}/moved.m3u8` })
      .where(eq(liveAngles.eventId, eventId));
    expect(await (await get(low)).json()).toMatchObject({ code: 'liveLinkExpired' });
    // The new source by the same address of the angle.
    expect(await (await get(angles[0]?.manifest ?? '')).text()).toContain('#EXTINF');
    await db.delete(liveAngles).where(eq(liveAngles.eventId, eventId));
    expect(await (await get(low)).json()).toMatchObject({ code: 'liveFileNotFound' });
  });

  it('is found behind a redirect, and its addresses are read from there', async () => {
    const [, , segment = ''] = linksIn(await (await play(`${base}/moved.m3u8`)).text());
    expect(await (await get(segment)).text()).toBe('/live/low/a/41.m4s');
  });

  it.each(['page.m3u8', 'gone.m4s', 'nowhere'])(
    'is told to be interrupted where it sends no playlist, as %s',
    async (name) => {
      const source = name === 'nowhere' ? 'http://127.0.0.1:9/x.m3u8' : `${base}/${name}`;
      const { code } = (await (await play(source)).json()) as { code: string };
      expect(code).toBe(name === 'gone.m4s' ? 'liveFileNotFound' : 'liveSourceFailed');
    },
  );

  it('can be tried by an operator before it is used; one in a private network is refused', async () => {
    const { client: operator } = await app.admin();
    const check = (source: string) => operator.call('checkLiveSource', { input: { source } });
    expect(await check(`${base}/master.m3u8`)).toEqual({
      trouble: null,
      status: null,
      variants: 2,
      has_time: true,
      segment_seconds: 2,
    });
    const troubles = [
      [`${base}/page.m3u8`, 'noPlaylist', null],
      [`${base}/empty.m3u8`, 'noSegments', null],
      [`${base}/gone.m4s`, 'missing', 404],
      [`${base}/key.m3u8`, 'refused', 403],
      ['http://127.0.0.1:9/x.m3u8', 'unreachable', null],
      ['store:live/nothing', 'noRecording', null],
    ] as const;
    for (const [source, trouble, status] of troubles)
      expect(await check(source)).toMatchObject({ trouble, status, variants: 0 });
    const careful = await startTestApp(await openTestDatabase());
    const { client: admin } = await careful.admin();
    for (const source of [`${base}/master.m3u8`, 'http://localhost:1/a.m3u8']) {
      const tried = await refusal(admin.call('checkLiveSource', { input: { source } }));
      expect(tried.code).toBe('liveSourceRefused');
    }
    await careful.close();
  });
});
