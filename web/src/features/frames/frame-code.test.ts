import { expect, it } from 'vitest';
import { frameCodeOf } from './frame-code.ts';

const ORIGIN = 'https://frames.example';
const read = (text: string) => frameCodeOf(text, ORIGIN);

it.each([
  ['WDJB-MJHT'],
  ['wdjbmjht'],
  ['  wdjb mjht\n'],
  ['WDJB\u2013MJHT'],
  // Full-width letters of a Japanese or Chinese keyboard.
  ['\uff37\uff24\uff2a\uff22\uff0d\uff2d\uff2a\uff28\uff34'],
  [`${ORIGIN}/menu/qrcode?device=WDJB-MJHT`],
  [`${ORIGIN}:443/member/qrcode?lang=ja&device=wdjbmjht#a`],
  ['HTTPS://FRAMES.EXAMPLE/menu/qrcode?device=WDJB-MJHT'],
])('takes %j for the code of a frame', (text) => {
  expect(read(text)).toBe('WDJB-MJHT');
});

it.each([
  ['nothing', ''],
  ['another word', 'HELLO'],
  ['letters that no code has', 'AEIO-UY12'],
  ['a letter too many', 'WDJB-MJHTB'],
  ['a stranger', 'https://evil.example/menu/qrcode?device=WDJB-MJHT'],
  ['a stranger below our name', 'https://frames.example.evil.example/?device=WDJB-MJHT'],
  ['our name before an @', 'https://frames.example@evil.example/?device=WDJB-MJHT'],
  ['a name and password before ours', 'https://me:you@frames.example/?device=WDJB-MJHT'],
  ['another port', 'https://frames.example:8443/?device=WDJB-MJHT'],
  ['no TLS', 'http://frames.example/?device=WDJB-MJHT'],
  ['a script', 'javascript:location="https://frames.example/?device=WDJB-MJHT"'],
  ['data', 'data:text/html,https://frames.example/?device=WDJB-MJHT'],
  ['our address without a code', `${ORIGIN}/menu/qrcode`],
  ['our address with a wrong code', `${ORIGIN}/menu/qrcode?device=%3Cscript%3E`],
  ['a path alone', '/menu/qrcode?device=WDJB-MJHT'],
  ['Wi-Fi', 'WIFI:T:WPA;S:home;P:secret;;'],
  ['a very long text', `${ORIGIN}/?device=WDJB-MJHT&a=${'a'.repeat(5000)}`],
])('passes over %s [A96]', (_, text) => {
  expect(read(text)).toBeNull();
});
