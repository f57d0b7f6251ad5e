import { type FileKind, type FileType, LIMITS } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { acceptOf, fileProblem, kindOf, sniff } from './file-rules.ts';

const file = (name: string, size = 1000, type = '') => ({ name, size, type });
/** Judges a file whose content is of no known type, or of `sniffed`. */
const problem = (named: ReturnType<typeof file>, kind: FileKind, sniffed: FileType | null = null) =>
  fileProblem(named, kind, { sniffed, accepted: 'all' });

describe('files before the upload', () => {
  it.each(['a.png', 'a.jpeg', 'a.jpg', 'A.JPG', 'IMG.0001.Jpeg'])('[R-5.upload.1] takes the picture %s', (name) => {
    expect(problem(file(name), 'picture')).toBeNull();
  });

  it.each(['a.heic', 'a.heif', 'a.avif', 'a.webp', 'a.mpo', 'a.jps'])(
    'takes %s as well, which the server converts',
    (name) => {
      expect(problem(file(name), 'picture')).toBeNull();
    },
  );

  it.each(['a.avi', 'a.mp4', 'a.mov', 'a.mkv'])('[R-5.upload.2] takes the video %s', (name) => {
    expect(problem(file(name), 'video')).toBeNull();
  });

  it.each(['a.bmp', 'a.svg', 'a.txt', 'a.jpg.exe', 'jpg', 'a.'])(
    '[R-5.upload.4] refuses %s with invalidExtension',
    (name) => {
      expect(problem(file(name), 'picture')).toBe('invalidExtension');
    },
  );

  it('[R-5.upload.4] refuses a picture where a video is chosen', () => {
    expect(problem(file('a.jpg'), 'video')).toBe('invalidExtension');
  });

  it('[R-5.upload.5] [R-9.upload.1] takes exactly 50 MB and refuses one byte more', () => {
    expect(problem(file('a.jpg', LIMITS.uploadBytes), 'picture')).toBeNull();
    expect(problem(file('a.jpg', LIMITS.uploadBytes + 1), 'picture')).toBe('upload_up_to_limit');
  });

  it('[A20] calls an empty file empty, not missing', () => {
    expect(problem(file('a.jpg', 0), 'picture')).toBe('fileEmpty');
  });

  it('goes by the media type where a phone shares a file without an extension', () => {
    expect(kindOf(file('1000012345', 1, 'image/heic'), null)).toBe('picture');
    expect(kindOf(file('clip', 1, 'video/quicktime'), null)).toBe('video');
    expect(problem(file('image', 1, 'image/jpeg'), 'picture')).toBeNull();
  });

  it('knows what a dropped file is', () => {
    expect(kindOf(file('a.HEIC'), null)).toBe('picture');
    expect(kindOf(file('a.mkv'), null)).toBe('video');
    expect(kindOf(file('a.pdf'), null)).toBeNull();
  });

  it('[R-2.upload-dialog.2] names png, jpeg and jpg in the chooser, and HEIC so that iOS keeps its depth', () => {
    expect(acceptOf('picture', 'all').split(',')).toEqual(expect.arrayContaining(['.png', '.jpeg', '.jpg', '.heic']));
  });

  const JPEG = [0xff, 0xd8, 0xff, 0xe0];
  it.each(['a.jfif', 'a.jpe', 'A.HIF', 'IMG_0001', 'image:1234', 'a.heic', 'a.tmp', 'a.mp4'])(
    'takes %s by its bytes, whatever its name and type say [W20]',
    async (name) => {
      for (const type of ['', 'image/*', 'binary/octet-stream', 'IMAGE/PJPEG', 'video/mp4']) {
        const real = new File([new Uint8Array(JPEG)], name, { type });
        const sniffed = await sniff(real);
        expect(sniffed).toBe('jpeg');
        expect(fileProblem(real, 'picture', { sniffed, accepted: 'all' })).toBeNull();
        expect(kindOf(real, sniffed)).toBe('picture');
      }
    },
  );

  it('says so when a video is chosen as a photo, and the other way round [W20]', () => {
    expect(problem(file('a.jpg'), 'picture', 'mp4')).toBe('filmAsPicture');
    expect(problem(file('a.mp4'), 'video', 'heic')).toBe('pictureAsFilm');
  });

  it('keeps to the letter in the preset literal [X14]', () => {
    const literal = (name: string, kind: FileKind, sniffed: FileType | null = null) =>
      fileProblem(file(name), kind, { sniffed, accepted: 'literal' });
    expect(['a.png', 'a.jpeg', 'a.JPG'].map((name) => literal(name, 'picture'))).toEqual([null, null, null]);
    for (const name of ['a.heic', 'a.webp', 'a.jfif', 'a.gif', 'a'])
      expect(literal(name, 'picture', 'jpeg')).toBe('invalidExtension');
    expect(literal('a.jpg', 'picture', 'heic')).toBe('invalidExtension');
    expect(literal('a.mkv', 'video', 'mkv')).toBeNull();
    expect(literal('a.webm', 'video', 'webm')).toBe('invalidExtension');
    expect(acceptOf('picture', 'literal')).toBe('.png,.jpeg,.jpg');
    expect(acceptOf('video', 'literal')).toBe('.avi,.mp4,.mov,.mkv');
  });
});
