// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { consumeRedirect, keepRedirect, safePath, storeRedirect } from './redirect.ts';

const ORIGIN = 'https://framelift.example';

afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
  localStorage.clear();
});

describe('[R-2.query.1] the path after a login', () => {
  it('may be any path of our own, with its query and fragment', () => {
    expect(safePath('/member/video?type=1#end', ORIGIN)).toBe('/member/video?type=1#end');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/login',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/menu/../..//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'member/video',
    ' /menu',
    '/.//evil.example',
    '/%2e//evil.example',
    '/%2E/%2e//evil.example',
    '/x/..//evil.example',
    '/x/%2e%2e//evil.example',
    '/./\\evil.example',
    '/\t.//evil.example',
    '/..//evil.example',
    '/..///evil.example',
    '/.//',
    '/.//evil.example:80/login?next=/menu',
    '',
    null,
  ])('never leads to another place: %j [S15]', (wanted) => {
    expect(safePath(wanted, ORIGIN)).toBeNull();
  });

  it('climbs to our own root at most', () => {
    expect(safePath('/../../menu', ORIGIN)).toBe('/menu');
  });
});

it('[R-2.query.2] is used once and then forgotten', () => {
  storeRedirect('/menu');
  expect(consumeRedirect()).toBe('/menu');
  expect(consumeRedirect()).toBe('/');
});

it('[R-2.query.3] is the start page when none was asked for, or a strange one', () => {
  storeRedirect(null);
  expect(consumeRedirect()).toBe('/');
  storeRedirect('//evil.example');
  expect(consumeRedirect()).toBe('/');
  sessionStorage.setItem('redirect', 'https://evil.example');
  expect(consumeRedirect()).toBe('/');
});

describe('the wanted path of somebody who registers [U14]', () => {
  const registerFor = (path: string | null) => {
    storeRedirect(path);
    keepRedirect();
    // The link of the email opens another tab.
    sessionStorage.clear();
  };

  it('is found once in the tab that the mailed link opens', () => {
    registerFor('/?action=upload&device_type_id=3');
    expect(consumeRedirect()).toBe('/?action=upload&device_type_id=3');
    expect(consumeRedirect()).toBe('/');
  });

  it('is forgotten after a day, and by a registration that wants nothing', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    registerFor('/menu');
    vi.setSystemTime(Date.now() + 24 * 3_600_000 + 1);
    expect(consumeRedirect()).toBe('/');
    registerFor('/menu');
    registerFor(null);
    expect(consumeRedirect()).toBe('/');
  });

  it.each(['//evil.example', 'https://evil.example', '/..//evil.example', 'javascript:alert(1)', 7, null])(
    'never leads to another place, whatever is in the storage: %j',
    (path) => {
      localStorage.setItem('redirect', JSON.stringify({ path, until: Date.now() + 1000 }));
      expect(consumeRedirect()).toBe('/');
      localStorage.setItem('redirect', 'no json');
      expect(consumeRedirect()).toBe('/');
    },
  );
});
