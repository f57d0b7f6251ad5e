import { type FileKind, type FileType, LIMITS } from '@framelift/contract';
import { describe, expect, it, vi } from 'vitest';
import { acceptOf, fileProblem, isAnimated, kindOf, sniff } from './file-rules.ts';

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

  const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const chunk = (type: string, length: number) =>
    `${String.fromCharCode(0, length >> 16, (length >> 8) & 255, length & 255)}${type}`;
  const PIXELS = '\x01'.repeat(3e6);
  const png = (control: string) =>
    `\x89PNG\r\n\x1a\n${chunk('IHDR', 13)}${' '.repeat(17)}${control}${chunk('IDAT', 3e6)}${PIXELS}`;
  const acTL = (frames: number) => `${chunk('acTL', 8)}\0\0\0${String.fromCharCode(frames)}${' '.repeat(8)}`;
  const webp = (flags: string) => `RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0${flags}${'\0'.repeat(9)}VP8L\xc0\xc6\x2d\0${PIXELS}`;
  const gifFrame = `\x2c${'\0'.repeat(9)}\x02\x01\x44\0`;
  const gif = `GIF89a\x01\0\x01\0\0\0\0${gifFrame}${gifFrame}${PIXELS}`;
  it.each([
    ['png', 'without frames', png(''), false],
    ['png', 'of one frame', png(acTL(1)), false],
    ['png', 'of three frames', png(acTL(3)), true],
    ['webp', 'that says it is still', webp('\0'), false],
    ['webp', 'that says it is animated', webp('\x02'), false],
    ['gif', 'of two frames', gif, true],
  ] as const)('reads of a %s %s only what tells whether it is animated [T11]', async (type, _, bytes, wanted) => {
    const real = new File([latin(bytes)], `a.${type}`);
    const [slice, whole] = [vi.spyOn(real, 'slice'), vi.spyOn(real, 'arrayBuffer')];
    expect(await isAnimated(real, type)).toBe(wanted);
    const read = slice.mock.calls.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0);
    expect(read).toBeLessThanOrEqual(65_536);
    expect(slice.mock.calls.length).toBeLessThanOrEqual(2);
    expect(whole).not.toHaveBeenCalled();
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
