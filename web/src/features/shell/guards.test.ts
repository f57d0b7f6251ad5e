import { describe, expect, it } from 'vitest';
import { type Access, afterLogin, type Known, whereTo } from './guards.ts';

const LOGIN = '/login?redirect=%2Fmenu%3Fa%3D1';
/** Redirects by kind of page and kind of session when /menu?a=1 is opened. Null: access is allowed. */
const table: Record<Access, Record<Known, string | null>> = {
  root: { visitor: '/index?a=1', guest: '/guestPage?a=1', unconfirmed: '/confirmation', member: '/home?a=1' },
  anyone: { visitor: null, guest: '/guestPage', unconfirmed: '/confirmation', member: null },
  visitor: { visitor: null, guest: '/guestPage', unconfirmed: '/confirmation', member: '/player' },
  member: { visitor: LOGIN, guest: '/guestPage', unconfirmed: '/confirmation', member: null },
  guest: { visitor: LOGIN, guest: null, unconfirmed: '/confirmation', member: '/player' },
  unconfirmed: { visitor: LOGIN, guest: '/guestPage', unconfirmed: null, member: '/player' },
  link: { visitor: null, guest: null, unconfirmed: null, member: null },
};

describe('[R-2.route-root.1] [R-2.route-root.2] [R-2.route-root.3] [R-1.guest.9] [R-2.route-protected.11]', () => {
  for (const [access, people] of Object.entries(table))
    for (const [who, target] of Object.entries(people))
      it(`a page for ${access} sends a ${who} to ${target ?? 'where they wanted'}`, () => {
        expect(whereTo(access as Access, who as Known, '/menu?a=1')).toBe(target);
      });
});

it('does not ask for a login who has just logged out', () => {
  expect(whereTo('member', 'visitor', '/menu', true)).toBe('/index');
});

it('no page sends on to a page that sends back', () => {
  const accessOf: Record<string, Access> = {
    '/': 'root',
    '/index': 'anyone',
    '/player': 'anyone',
    '/home': 'member',
    '/login': 'visitor',
    '/guestPage': 'guest',
    '/confirmation': 'unconfirmed',
  };
  for (const who of ['visitor', 'guest', 'unconfirmed', 'member'] as const)
    for (const start of Object.keys(accessOf)) {
      let path = start;
      let steps = 0;
      for (;;) {
        const next = whereTo(accessOf[path.split('?')[0] ?? ''] as Access, who, path);
        if (next === null) break;
        path = next;
        expect(++steps, `${who} from ${start}`).toBeLessThan(4);
      }
    }
});

it('a login leads a member to the wanted path and a guest to the guest page', () => {
  expect(afterLogin('member', '/menu?a=1')).toBe('/menu?a=1');
  expect(afterLogin('guest', '/menu?a=1')).toBe('/guestPage');
});

it('a guest finds the upload dialog that was wanted', () => {
  expect(afterLogin('guest', '/?action=upload&device_type_id=3')).toBe('/guestPage?action=upload&device_type_id=3');
  expect(afterLogin('guest', '/menu?showCropper')).toBe('/guestPage?action=upload');
});
