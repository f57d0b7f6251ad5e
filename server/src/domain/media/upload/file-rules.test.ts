import { type AcceptedTypes, ApiError } from '@framelift/contract';
import { describe, expect, test } from 'vitest';
import { checkAnnounced, cleanName, nameByType } from './file-rules.ts';

const codeOf = (check: () => unknown): string => {
  try {
    check();
    return 'accepted';
  } catch (error) {
    return error instanceof ApiError ? error.code : 'another error';
  }
};

const picture = (name: string, type: string, accepted: AcceptedTypes = 'all') =>
  checkAnnounced('picture', { name, size: 1, type }, accepted);
const video = (name: string, type: string, accepted: AcceptedTypes = 'all') =>
  checkAnnounced('video', { name, size: 1, type }, accepted);

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
    ['scan.TIF', '', 'image/tiff'],
    ['holiday.in.rome.jpg', 'image/jpeg', 'image/jpeg'],
    ['phone.jpg', 'image/heic', 'image/heic'],
    ['DSCF0001.MPO', '', 'image/jpeg'],
    ['pair.jps', 'image/x-jps', 'image/jpeg'],
  ])('%s of type "%s" is uploaded as %s [R-5.upload.1]', (name, type, expected) => {
    expect(picture(name, type)).toBe(expected);
  });

  test.each([
    ['photo.jfif', '', 'image/jpeg'],
    ['PHOTO.JPE', 'image/pjpeg', 'image/jpeg'],
    ['DSC0001.HIF', '', 'image/heic'],
    ['live', 'image/heic-sequence', 'image/heic'],
    ['a.png', 'image/x-png', 'image/png'],
    ['image:1234', 'image/*', 'application/octet-stream'],
    ['1000012345', '', 'application/octet-stream'],
    ['1000012345', 'binary/octet-stream', 'application/octet-stream'],
    ['jpg', 'image/jpeg', 'image/jpeg'],
    ['a.', 'image/jpeg', 'image/jpeg'],
    ['photo.jpg', 'application/octet-stream', 'image/jpeg'],
    ['photo.jpg', 'image/unknown', 'image/jpeg'],
    ['download.tmp', 'image/jpeg', 'image/jpeg'],
    ['clip.mp4', 'image/jpeg', 'image/jpeg'],
    ['a.gif', 'image/gif', 'image/gif'],
  ])('%s of type "%s" may be one, as the bytes decide, and is uploaded as %s [W20]', (name, type, expected) => {
    expect(picture(name, type)).toBe(expected);
  });

  test.each([
    ['a.bmp', 'image/bmp'],
    ['a.svg', 'image/svg+xml'],
    ['a.html', 'text/html'],
    ['a.jpg', 'text/html'],
    ['a.jpg', 'video/mp4'],
    ['a.mp4', 'video/mp4'],
    ['a.mp4', ''],
    ['a.toString', ''],
    ['a.jpg', 'constructor'],
    ['a.jpg', 'video/*'],
  ])('%s of type "%s" is not supported [R-5.upload.4]', (name, type) => {
    expect(codeOf(() => picture(name, type))).toBe('invalidExtension');
  });

  test('may have 52,428,800 bytes and not one more, and not none [R-5.upload.5][A20]', () => {
    const sized = (size: number) =>
      codeOf(() => checkAnnounced('picture', { name: 'a.jpg', size, type: 'image/jpeg' }, 'all'));
    expect([0, 1, 52_428_800, 52_428_801].map(sized)).toEqual([
      'fileEmpty',
      'accepted',
      'accepted',
      'upload_up_to_limit',
    ]);
  });
});

const ACCEPTED = 'accepted';
const REFUSED = 'invalidExtension';

test('videos are avi, mp4, mov and mkv, and those of other recorders [R-5.upload.2][T12]', () => {
  const names = [
    'a.avi',
    'a.mp4',
    'a.MOV',
    'a.mkv',
    'a.webm',
    'a.ts',
    'a.wmv',
    'a.flv',
    'a.mpg',
    'a.3gp',
    'a.ogv',
    'a.jpg',
  ];
  expect(names.map((name) => codeOf(() => video(name, '')))).toEqual([...Array(10).fill(ACCEPTED), REFUSED, REFUSED]);
  expect(codeOf(() => video('a.mp4', 'image/jpeg'))).toBe(REFUSED);
  expect(codeOf(() => video('a.mkv', 'application/x-matroska'))).toBe(ACCEPTED);
});

test('an animation may be a video, also of a phone that calls it any image [T11]', () => {
  const types = ['', 'image/*', 'image/gif', 'application/octet-stream'];
  expect(types.map((type) => video('a.gif', type))).toEqual(Array(4).fill('image/gif'));
  expect(['a.webp', 'a.apng', 'a.png'].map((name) => codeOf(() => video(name, 'image/*')))).toEqual(
    Array(3).fill(ACCEPTED),
  );
  for (const name of ['a.jpg', 'a.mp4', 'a']) expect(codeOf(() => video(name, 'image/*'))).toBe(REFUSED);
  expect(codeOf(() => video('a.gif', 'image/*', 'literal'))).toBe(REFUSED);
});

test('the preset literal keeps to the letter: png, jpeg and jpg; avi, mp4, mov and mkv [X14][R-5.upload.1][R-5.upload.2]', () => {
  const pictures = ['a.png', 'a.JPEG', 'a.jpg', 'a.heic', 'a.avif', 'a.webp', 'a.mpo', 'a.jps', 'a.gif', 'a.jfif', 'a'];
  const judged = pictures.map((name) => codeOf(() => picture(name, '', 'literal')));
  expect(judged).toEqual([...Array(3).fill(ACCEPTED), ...Array(8).fill(REFUSED)]);
  expect(codeOf(() => picture('jpg', 'image/jpeg', 'literal'))).toBe(REFUSED);
  const videos = ['a.avi', 'a.mp4', 'a.MOV', 'a.mkv', 'a.webm', 'a.3gp', 'a.jpg'];
  expect(videos.map((name) => codeOf(() => video(name, '', 'literal')))).toEqual([
    ...Array(4).fill(ACCEPTED),
    ...Array(3).fill(REFUSED),
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
  expect(nameByType('image:1234', 'image/jpeg')).toBe('image:1234.jpg');
  expect(nameByType('clip.mp4', 'video/webm')).toBe('clip.webm');
});
