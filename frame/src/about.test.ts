import { expect, test } from 'vitest';
import { kindOf, screenOf } from './about.ts';
import { linkOf } from './frame.ts';

test.each([
  [
    'Chrome, Android',
    'Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  ],
  [
    'Samsung Internet, Samsung TV',
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.5) AppleWebKit/537.36 SamsungBrowser/4.0 Chrome/85.0 TV Safari/537.36',
  ],
  [
    'Chrome, LG TV',
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0 Safari/537.36 WebAppManager',
  ],
  [
    'Safari, iPad',
    'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148 Safari/604.1',
  ],
  [
    'Edge, Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0',
  ],
  ['Firefox, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['', 'Something nobody knows'],
])('a screen calls itself %j', (kind, userAgent) => {
  expect(kindOf(userAgent, 0)).toBe(kind);
  expect([...kind].length).toBeLessThanOrEqual(30);
});

test('a Mac that can be touched is an iPad', () => {
  const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15';
  expect([kindOf(safari, 0), kindOf(safari, 5)]).toEqual(['Safari, Mac', 'Safari, iPad']);
});

test('a screen is told in the pixels that it lights, as it stands', () => {
  const upright = { width: 768, height: 1024 };
  const at = (innerWidth: number, innerHeight: number, devicePixelRatio: number, screen = upright) =>
    screenOf({ screen, innerWidth, innerHeight, devicePixelRatio });
  expect(at(768, 954, 2)).toEqual({ width: 1536, height: 2048, pixelRatio: 2 });
  // Some browsers report the portrait size even when the screen is rotated.
  expect(at(1024, 700, 2)).toEqual({ width: 2048, height: 1536, pixelRatio: 2 });
  expect(at(1920, 1080, 1, { width: 1920, height: 1080 })).toEqual({ width: 1920, height: 1080, pixelRatio: 1 });
  // Values outside the possible range are clamped.
  expect(at(0, 0, 0, { width: 0, height: 0 })).toEqual({ width: 1, height: 1, pixelRatio: 1 });
});

test('the QR code leads to where phones find the server', () => {
  const codes = (page: string) => ({
    device_code: '',
    user_code: 'WDJB-MJHT',
    verification_uri: page,
    verification_uri_complete: `${page}?device=WDJB-MJHT`,
    expires_in: 1800,
    interval: 5,
  });
  const away = codes('https://frames.example/menu/qrcode');
  expect(linkOf(away, 'http://localhost:3000')).toBe('https://frames.example/menu/qrcode?device=WDJB-MJHT');
  // A server that is configured with no public address, only with that of its own machine.
  for (const here of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(linkOf(codes(`${here}/menu/qrcode`), 'http://192.168.1.7:3000')).toBe(
      'http://192.168.1.7:3000/menu/qrcode?device=WDJB-MJHT',
    );
});
