import { LIMITS } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { ACCEPT, extensionOf, fileProblem, kindOf } from './file-rules.ts';

const file = (name: string, size = 1000, type = '') => ({ name, size, type });

describe('files before the upload', () => {
  it.each(['a.png', 'a.jpeg', 'a.jpg', 'A.JPG', 'IMG.0001.Jpeg'])('[R-5.upload.1] takes the picture %s', (name) => {
    expect(fileProblem(file(name), 'picture')).toBeNull();
  });

  it.each(['a.heic', 'a.heif', 'a.avif', 'a.webp', 'a.mpo', 'a.jps'])(
    'takes %s as well, which the server converts',
    (name) => {
      expect(fileProblem(file(name), 'picture')).toBeNull();
    },
  );

  it.each(['a.avi', 'a.mp4', 'a.mov', 'a.mkv'])('[R-5.upload.2] takes the video %s', (name) => {
    expect(fileProblem(file(name), 'video')).toBeNull();
  });

  it.each(['a.bmp', 'a.svg', 'a.txt', 'a.jpg.exe', 'jpg', 'a.'])(
    '[R-5.upload.4] refuses %s with invalidExtension',
    (name) => {
      expect(fileProblem(file(name), 'picture')).toBe('invalidExtension');
    },
  );

  it('[R-5.upload.4] refuses a picture where a video is chosen', () => {
    expect(fileProblem(file('a.jpg'), 'video')).toBe('invalidExtension');
  });

  it('[R-5.upload.5] [R-9.upload.1] takes exactly 50 MB and refuses one byte more', () => {
    expect(fileProblem(file('a.jpg', LIMITS.uploadBytes), 'picture')).toBeNull();
    expect(fileProblem(file('a.jpg', LIMITS.uploadBytes + 1), 'picture')).toBe('upload_up_to_limit');
  });

  it('[A20] calls an empty file empty, not missing', () => {
    expect(fileProblem(file('a.jpg', 0), 'picture')).toBe('fileEmpty');
  });

  it('goes by the media type where a phone shares a file without an extension', () => {
    expect(extensionOf(file('1000012345', 1, 'image/heic'))).toBe('heic');
    expect(extensionOf(file('clip', 1, 'video/quicktime'))).toBe('mov');
    expect(fileProblem(file('image', 1, 'image/jpeg'), 'picture')).toBeNull();
  });

  it('knows what a dropped file is', () => {
    expect(kindOf(file('a.HEIC'))).toBe('picture');
    expect(kindOf(file('a.mkv'))).toBe('video');
    expect(kindOf(file('a.pdf'))).toBeNull();
  });

  it('[R-2.upload-dialog.2] names png, jpeg and jpg in the chooser, and HEIC so that iOS keeps its depth', () => {
    expect(ACCEPT.picture.split(',')).toEqual(expect.arrayContaining(['.png', '.jpeg', '.jpg', '.heic']));
  });
});
