import { ApiError } from '@framelift/contract';
import { describe, expect, test } from 'vitest';
import { checkPicture, checkVideo, cleanName, nameByType } from './file-rules.ts';

const codeOf = (check: () => unknown): string => {
  try {
    check();
    return 'accepted';
  } catch (error) {
    return error instanceof ApiError ? error.code : 'another error';
  }
};

describe('an announced picture', () => {
  test.each([
    ['a.png', 'image/png', 'image/png'],
    ['a.JPG', 'image/jpeg', 'image/jpeg'],
    ['a.jpeg', 'image/jpg', 'image/jpeg'],
    ['IMG_1.HEIC', '', 'image/heic'],
    ['a.heif', 'application/octet-stream', 'image/heic'],
    ['a.heif', 'image/heif', 'image/heic'],
    ['a.avif', 'image/avif', 'image/avif'],
    ['a.webp', 'IMAGE/WEBP', 'image/webp'],
    ['a.gif', 'image/gif', 'image/gif'],
    ['holiday.in.rome.jpg', 'image/jpeg', 'image/jpeg'],
    ['phone.jpg', 'image/heic', 'image/heic'],
    ['DSCF0001.MPO', '', 'image/jpeg'],
    ['pair.jps', 'image/x-jps', 'image/jpeg'],
  ])('%s of type "%s" is uploaded as %s [R-5.upload.1]', (name, type, expected) => {
    expect(checkPicture({ name, size: 1, type })).toBe(expected);
  });

  test.each([
    ['a.svg', 'image/svg+xml'],
    ['a.html', 'text/html'],
    ['a.jpg', 'text/html'],
    ['a.jpg', 'video/mp4'],
    ['a.mp4', 'video/mp4'],
    ['jpg', 'image/jpeg'],
    ['a.', 'image/jpeg'],
    ['a.toString', ''],
    ['a.jpg', 'constructor'],
  ])('%s of type "%s" is not supported [R-5.upload.4]', (name, type) => {
    expect(codeOf(() => checkPicture({ name, size: 1, type }))).toBe('invalidExtension');
  });

  test('may have 52,428,800 bytes and not one more, and not none [R-5.upload.5][A20]', () => {
    const sized = (size: number) => codeOf(() => checkPicture({ name: 'a.jpg', size, type: 'image/jpeg' }));
    expect([0, 1, 52_428_800, 52_428_801].map(sized)).toEqual([
      'fileEmpty',
      'accepted',
      'accepted',
      'upload_up_to_limit',
    ]);
  });
});

test('videos are avi, mp4, mov and mkv [R-5.upload.2]', () => {
  const video = (name: string) => codeOf(() => checkVideo({ name, size: 1, type: '' }));
  expect(['a.avi', 'a.mp4', 'a.MOV', 'a.mkv', 'a.webm', 'a.jpg'].map(video)).toEqual([
    'accepted',
    'accepted',
    'accepted',
    'accepted',
    'invalidExtension',
    'invalidExtension',
  ]);
});

describe('the kept name', () => {
  test.each([
    ['小白菜.jpeg', '小白菜.jpeg'],
    ['が.jpg'.normalize('NFD'), 'が.jpg'],
    ['C:\\fakepath\\a.jpg', 'a.jpg'],
    ['../../etc/passwd.png', 'passwd.png'],
    [' a\u0007b\u009fc.png ', 'abc.png'],
    ['holiday\u202egpj.\u2066x\u2069\u061c\u200e.png', 'holidaygpj.x.png'],
    ['a\u2028b\u2029c.png', 'abc.png'],
    [`${'長'.repeat(300)}.jpeg`, `${'長'.repeat(250)}.jpeg`],
    [`.${'x'.repeat(400)}.jpg`, `.${'x'.repeat(250)}.jpg`],
  ])('%s is %s [A18][S15]', (name, expected) => {
    expect(cleanName(name)).toBe(expected);
  });
});

test('a name follows what the bytes are [A13][A14]', () => {
  expect(nameByType('phone.jpg', 'image/heic')).toBe('phone.heic');
  expect(nameByType('phone.HEIC', 'image/jpeg')).toBe('phone.jpg');
  expect(nameByType('photo.JPEG', 'image/jpeg')).toBe('photo.JPEG');
  expect(nameByType('photo.heif', 'image/heic')).toBe('photo.heif');
});
