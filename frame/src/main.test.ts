// @vitest-environment happy-dom
import type { FramePlaylist } from '@framelift/contract';
import decodeQR from 'qr/decode.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const FRAME = { id: '0b8f3b5e-0000-4000-8000-000000000001', name: 'Living room', owner: 'Mia' };
const TOKEN = 'frame_secret';

const EMPTY: FramePlaylist = {
  version: 'v1',
  frame: FRAME,
  options: {
    mode: 'flat',
    intervalSeconds: 30,
    shuffle: false,
    transition: 'fade',
    fit: 'fit',
    sound: false,
    clock: false,
    brightness: 1,
    strength: 1,
    sleep: null,
    timeZone: 'Asia/Taipei',
  },
  calibration: null,
  items: [],
  waiting: 0,
  expires_at: '2099-01-01T00:00:00.000Z',
};

interface Seen {
  readonly path: string;
  readonly token: string | null;
  readonly body: Record<string, unknown>;
}

/** State of the simulated server, as this page sees it over the network. */
let server: {
  network: 'there' | 'away' | 'broken' | 'silent';
  /** Response to a poll: an error code of RFC 8628, or null once a member has paired the frame. */
  poll: { code: string; retryAfter?: number } | null;
  /** Status and error code for calls with a token. */
  refusal: { status: number; code: string; retryAfter?: number } | null;
  codes: string[];
  playlist: FramePlaylist;
  seen: Seen[];
};

/** Minimal response without streams: fake timers do not wait for the end of a real stream. */
function reply(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return { status, headers: new Headers(headers), json: async () => body } as Response;
}
const answer = (message: unknown) => reply({ success: true, message });
const refuse = (status: number, code: string, retryAfter?: number) =>
  reply(
    { success: false, code, message: code, errors: [] },
    status,
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  );

async function respond(path: string, init: RequestInit): Promise<Response> {
  // The session cookie of a member in the same browser is not sent.
  expect(init.credentials).toBe('omit');
  if (server.network === 'away') throw new TypeError('Failed to fetch');
  if (server.network === 'silent')
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  // A reverse proxy responds with its own error page.
  if (server.network === 'broken') return { ...reply(null, 502), json: () => Promise.reject(new SyntaxError('<')) };
  const token = new Headers(init.headers).get('authorization');
  server.seen.push({ path, token, body: init.body === undefined ? {} : JSON.parse(String(init.body)) });
  if (path === '/api/frame/start') {
    const code = server.codes.shift() ?? 'BBBB-BBBB';
    const page = 'https://frames.example/menu/qrcode';
    return answer({
      device_code: `secret of ${code}`,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}?device=${code}`,
      expires_in: 1800,
      interval: 5,
    });
  }
  if (path === '/api/frame/poll') {
    if (server.poll) return refuse(400, server.poll.code, server.poll.retryAfter);
    return answer({ access_token: TOKEN, token_type: 'Bearer', frame: FRAME });
  }
  if (server.refusal) return refuse(server.refusal.status, server.refusal.code, server.refusal.retryAfter);
  if (token !== `Bearer ${TOKEN}`) return refuse(401, 'tokenExpired');
  // Events are not needed here: polling is behind them.
  if (path === '/api/frame/events') throw new TypeError('Failed to fetch');
  if (path === '/api/frame/playlist') {
    if (new Headers(init.headers).get('if-none-match') === `"${server.playlist.version}"`) return reply(null, 304);
    return answer(server.playlist);
  }
  return path === '/api/frame/heartbeat' ? answer({ ...FRAME, at: '2026-01-01T00:00:00.000Z' }) : answer({});
}

const text = (selector: string) => document.querySelector(selector)?.textContent ?? null;
const callsOf = (path: string) => server.seen.filter((call) => call.path === path);
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name) ??
  expect.fail(`no button ${name} in ${document.body.textContent}`);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Opens the page as a browser does; local storage persists between calls. */
async function open(languages: readonly string[] = ['en-GB']): Promise<void> {
  vi.resetModules();
  document.body.innerHTML = '<main></main>';
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  await import('./main.ts');
  await pass(0);
}
async function openPaired(): Promise<void> {
  server.poll = null;
  await open();
  await pass(5000);
  expect(text('h1')).toBe(FRAME.name);
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  server = {
    network: 'there',
    poll: { code: 'authorization_pending' },
    refusal: null,
    codes: ['WDJB-MJHT'],
    playlist: EMPTY,
    seen: [],
  };
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => respond(path, init));
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Decodes the drawn QR code as a camera would. */
function scanned(): string {
  const svg = document.querySelector('.qr svg');
  const size = Number(svg?.getAttribute('viewBox')?.split(' ')[2]);
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  const runs =
    svg
      ?.querySelector('path')
      ?.getAttribute('d')
      ?.matchAll(/M(\d+) (\d+)h(\d+)/g) ?? [];
  for (const [, x, y, length] of runs) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const from = row * side + Number(x) * scale;
      for (let pixel = from; pixel < from + Number(length) * scale; pixel++) data.fill(0, pixel * 4, pixel * 4 + 3);
    }
  }
  return decodeQR({ width: side, height: side, data });
}

it('shows a code, the address for it as a QR code and in words, and how long it is good for', async () => {
  await open();
  expect(text('.code')).toBe('WDJB-MJHT');
  expect(document.querySelector('.code')?.getAttribute('aria-label')).toBe('Code of this screen: W D J B M J H T');
  expect(scanned()).toBe('https://frames.example/menu/qrcode?device=WDJB-MJHT');
  expect(text('.address')).toBe('frames.example/menu/qrcode');
  expect(text('[role=timer]')).toBe('30:00');
  await pass(61_000);
  expect(text('[role=timer]')).toBe('28:59');
  expect(callsOf('/api/frame/start')).toMatchObject([{ token: null, body: { kind: expect.any(String) } }]);
});

it('speaks the first of the browser languages that we know, and English otherwise', async () => {
  for (const [languages, htmlLang, title] of [
    [['fr-FR', 'ja-JP', 'en'], 'ja', 'この画面をペアリング'],
    [['zh-HK'], 'zh-Hant-TW', '配對這個螢幕'],
    [['fr-FR', 'de'], 'en', 'Pair this screen'],
    [[], 'en', 'Pair this screen'],
  ] as const) {
    await open(languages);
    expect([document.documentElement.lang, text('h1')]).toEqual([htmlLang, title]);
    expect(document.body.textContent).not.toMatch(/[{}]/);
  }
});

it('asks as often as it was told, and less often when it was too quick [A86]', async () => {
  await open();
  await pass(4999);
  expect(callsOf('/api/frame/poll')).toHaveLength(0);
  await pass(1);
  expect(callsOf('/api/frame/poll')).toMatchObject([{ body: { device_code: 'secret of WDJB-MJHT' } }]);
  server.poll = { code: 'slow_down', retryAfter: 10 };
  await pass(5000);
  server.poll = { code: 'authorization_pending', retryAfter: 10 };
  await pass(30_000);
  expect(callsOf('/api/frame/poll')).toHaveLength(5);
  expect(text('.code')).toBe('WDJB-MJHT');
});

it('says with whom and as what it was paired and how pictures get there, and keeps that over a restart [A89]', async () => {
  await openPaired();
  expect(text('.owner')).toBe('Paired with Mia as');
  expect(text('.intro')).toBe('There is nothing to show yet.');
  expect(scanned()).toBe(`${location.origin}/menu/frameSetting`);
  expect(text('.status')).toBe('Connected');
  expect(callsOf('/api/frame/heartbeat')).toMatchObject([
    {
      token: `Bearer ${TOKEN}`,
      body: {
        version: expect.stringMatching(/^\d/),
        screen: { width: expect.any(Number) },
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    },
  ]);
  await pass(120_000);
  expect(callsOf('/api/frame/heartbeat')).toHaveLength(3);

  // After a restart without a network it still shows its owner.
  server.network = 'away';
  await open();
  expect([text('.owner'), text('h1')]).toEqual(['Paired with Mia as', FRAME.name]);
  expect(text('.status')).toMatch(/No connection/);
  expect(callsOf('/api/frame/start')).toHaveLength(1);
  // It does not claim to be connected before the server has confirmed it.
  server.network = 'silent';
  await open();
  expect([text('h1'), text('.status')]).toEqual([FRAME.name, '']);
  await pass(20_000);
  expect(text('.status')).toMatch(/No connection/);
});

it('goes on by itself when the network is back, whatever it was doing [A90]', async () => {
  server.network = 'away';
  await open();
  expect(text('.status')).toMatch(/No connection/);
  expect(document.querySelector('.qr svg')).toBeNull();
  await pass(60_000);
  server.network = 'there';
  // The browser fires `online` at once; without that event the frame retries by itself.
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect([text('.code'), text('.status')]).toEqual(['WDJB-MJHT', '']);

  for (const network of ['away', 'broken'] as const) {
    server.network = network;
    await pass(60_000);
    expect([text('.code'), text('.status')]).toEqual(['WDJB-MJHT', expect.stringMatching(/No connection/)]);
    server.network = 'there';
    await pass(30_000);
    expect([text('.code'), text('.status')]).toEqual(['WDJB-MJHT', '']);
  }

  server.poll = null;
  await pass(5000);
  server.network = 'away';
  await pass(10 * 60_000);
  expect([text('h1'), text('.status')]).toEqual([FRAME.name, expect.stringMatching(/No connection/)]);
  server.network = 'there';
  await pass(60_000);
  expect([text('h1'), text('.status')]).toEqual([FRAME.name, 'Connected']);
});

it('waits through maintenance, too many tries and a restricted owner, and stays paired', async () => {
  await openPaired();
  for (const [refusal, said] of [
    [{ status: 503, code: 'maintenance', retryAfter: 3600 }, /not available right now/],
    [{ status: 403, code: 'accountRestricted' }, /owner's account is restricted/],
    [{ status: 429, code: 'tooManyRequests', retryAfter: 30 }, /Too many attempts/],
  ] as const) {
    server.refusal = refusal;
    await pass(60_000);
    expect([text('h1'), text('.status')]).toEqual([FRAME.name, expect.stringMatching(said)]);
    server.refusal = null;
    // The delay is capped at five minutes, whatever the server asks for.
    await pass(5 * 60_000);
    expect(text('.status')).toBe('Connected');
  }
});

it('shows another code by itself when one ends, also when the answer to that is late', async () => {
  server.codes = ['WDJB-MJHT', 'XXXX-XXXX', 'ZZZZ-ZZZZ'];
  await open();
  server.poll = { code: 'expired_token' };
  await pass(5000);
  expect(text('.code')).toBe('XXXX-XXXX');
  server.poll = { code: 'authorization_pending' };
  await pass(29 * 60_000);
  expect(text('.code')).toBe('XXXX-XXXX');
  server.network = 'away';
  await pass(3 * 60_000);
  expect(text('.status')).toMatch(/No connection/);
  expect(document.querySelector('.qr svg')).toBeNull();
  server.network = 'there';
  await pass(30_000);
  expect([text('.code'), text('.intro')]).toEqual(['ZZZZ-ZZZZ', 'Your photos in 3D, on this screen.']);
});

it('says that it was refused, and shows another code [A85]', async () => {
  server.codes = ['WDJB-MJHT', 'XXXX-XXXX'];
  await open();
  server.poll = { code: 'access_denied' };
  await pass(5000);
  expect([text('.code'), text('.intro')]).toEqual(['XXXX-XXXX', 'Pairing was refused. Here is a new code.']);
});

it('forgets its owner at the first word that it is paired no more, and shows a new code [A88]', async () => {
  await openPaired();
  server.codes = ['XXXX-XXXX'];
  server.poll = { code: 'authorization_pending' };
  server.refusal = { status: 401, code: 'tokenExpired' };
  await pass(60_000);
  expect([text('.code'), text('.intro')]).toEqual(['XXXX-XXXX', expect.stringMatching(/was unpaired/)]);
  expect(JSON.stringify({ ...localStorage })).not.toContain(TOKEN);
  expect(document.body.textContent).not.toContain('Mia');
});

it('is unpaired by a tap, after a question, and not by a tap alone', async () => {
  await openPaired();
  button('Unpair this frame').focus();
  button('Unpair this frame').click();
  expect(text('[role=group]')).toMatch(/^Unpair this frame\? Its owner is notified/);
  expect(document.activeElement).toBe(button('Keep'));
  button('Keep').click();
  expect(document.activeElement).toBe(button('Unpair this frame'));
  expect(callsOf('/api/frame/unpair')).toHaveLength(0);

  button('Unpair this frame').click();
  server.network = 'away';
  button('Unpair').click();
  await pass(0);
  expect(text('[role=alert]')).toBe('The frame could not be unpaired. Please try again.');
  expect(text('h1')).toBe(FRAME.name);

  server.network = 'there';
  server.codes = ['XXXX-XXXX'];
  server.poll = { code: 'authorization_pending' };
  button('Unpair').click();
  expect(button('Unpair').disabled).toBe(true);
  await pass(0);
  expect(callsOf('/api/frame/unpair')).toMatchObject([{ token: `Bearer ${TOKEN}` }]);
  expect(text('.code')).toBe('XXXX-XXXX');
  expect(localStorage).toHaveLength(0);
});

it('works until it is left where the browser keeps nothing', async () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  await openPaired();
  await pass(60_000);
  expect([text('h1'), text('.status')]).toEqual([FRAME.name, 'Connected']);
});

it('takes what is no pairing in its storage for none', async () => {
  for (const rubbish of ['{', 'null', '{"token":1}', '{"token":"x","frame":{}}']) {
    localStorage.setItem('framelift.frame', rubbish);
    server.codes = ['WDJB-MJHT'];
    await open();
    expect(text('.code')).toBe('WDJB-MJHT');
  }
});
