import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  blankPng,
  builtInProfile,
  colourAt,
  difference,
  draw,
  drawScene,
  encoder,
  phoneJpeg,
  type Rgb,
  shrink,
  storedAs,
  withJpegProfile,
  withPngProfile,
} from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import type { Picture } from '../types.ts';
import { openPicture } from './open.ts';
import { probePicture } from './probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(bytes: Buffer | string, name = 'picture'): string {
  const path = join(folder, `${count++}-${name}`);
  writeFileSync(path, bytes);
  return path;
}

async function openWhole(path: string): Promise<Picture> {
  const opened = await openPicture(path);
  return opened.cut({ x: 0, y: 0, ...opened.size });
}

function expectColour(actual: Rgb, expected: Rgb, tolerance: number): void {
  for (const c of [0, 1, 2] as const) expect(Math.abs(actual[c] - expected[c])).toBeLessThanOrEqual(tolerance);
}

const cmyk = () => encoder(halves).toColourspace('cmyk').jpeg({ quality: 98 }).toBuffer();
const RED: Rgb = [200, 60, 30];
const BLUE: Rgb = [40, 80, 160];
const halves = draw(320, 320, (x) => (x < 160 ? RED : BLUE));

/** Returns a TIFF in which an entry of the first directory has another tag, and another value of type SHORT. */
function retagged(tiff: Buffer, from: number, to: number, value?: number): Buffer {
  const at = tiff.readUInt32LE(4) + 2;
  const entries = Array.from({ length: tiff.readUInt16LE(at - 2) }, (_, i) => at + 12 * i);
  const entry = entries.find((one) => tiff.readUInt16LE(one) === from) as number;
  tiff.writeUInt16LE(to, entry);
  if (value !== undefined) tiff.writeUInt16LE(value, entry + 8);
  return tiff;
}

const tiff = () => encoder(halves).tiff().toBuffer();
/** What marks a TIFF as a camera raw file of different makers; each takes the place of a tag that is not needed. */
const RAW = {
  dng: async () => retagged(await tiff(), 0x0214, 0xc612),
  cr2: async () => Buffer.from(await tiff()).fill('CR', 8, 10),
  sensor: async () => retagged(await tiff(), 0x0106, 0x0106, 32_803),
  preview: async () => retagged(retagged(await tiff(), 0x0214, 0x014a), 0x0128, 0x00fe, 1),
};

describe('TIFF', () => {
  test.each<[string, number, () => ReturnType<typeof encoder>]>([
    ['8 bits', 4, () => encoder(halves).tiff({ compression: 'lzw' })],
    ['16 bits', 4, () => encoder(halves).toColourspace('rgb16').tiff({ compression: 'deflate' })],
    ['JPEG inside', 8, () => encoder(halves).tiff({ compression: 'jpeg', quality: 95 })],
    // Its inks do not reach this blue.
    ['CMYK', 32, () => encoder(halves).toColourspace('cmyk').tiff()],
    [
      'tiles and smaller versions',
      8,
      () => encoder(halves).tiff({ tile: true, tileWidth: 128, tileHeight: 128, pyramid: true }),
    ],
  ])('of %s is opened', async (_, tolerance, picture) => {
    const opened = await openWhole(file(await picture().toBuffer(), 'a.tif'));
    expect([opened.width, opened.height]).toEqual([320, 320]);
    expectColour(colourAt(opened, 0.25, 0.5), RED, tolerance);
    expectColour(colourAt(opened, 0.75, 0.5), BLUE, tolerance);
  });

  test('with selections behind its alpha channel is opened without them, at its own size and enlarged', async () => {
    const layer = (value: number) =>
      [Buffer.alloc(320 * 320, value), { raw: { width: 320, height: 320, channels: 1 } }] as const;
    const stored = await encoder(halves)
      .joinChannel(...layer(255))
      .joinChannel(...layer(0))
      .tiff({ compression: 'lzw' })
      .toBuffer();
    const opened = await openPicture(file(stored, 'a.tif'));
    for (const side of [320, 200]) {
      const cut = await opened.cut({ x: 160 - side / 2, y: 0, width: side, height: side });
      expect(cut.width).toBe(Math.max(256, side));
      expectColour(colourAt(cut, 0.25, 0.5), RED, 2);
      expectColour(colourAt(cut, 0.75, 0.5), BLUE, 2);
    }
  });

  test('with an orientation is opened upright', async () => {
    const stored = await encoder(storedAs(drawScene(600, 400), 6))
      .withMetadata({ orientation: 6 })
      .tiff()
      .toBuffer();
    const upright = await openWhole(file(stored, 'a.tif'));
    expect([upright.width, upright.height]).toEqual([600, 400]);
  });
});

describe('upright', () => {
  const scene = drawScene(600, 400);

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'a phone JPEG with EXIF orientation %i is opened upright',
    async (orientation) => {
      const upright = await openWhole(file(await phoneJpeg(storedAs(scene, orientation), orientation)));
      expect([upright.width, upright.height]).toEqual([600, 400]);
      expect(await difference(upright, scene)).toBeLessThan(4);
    },
  );

  test('a crop of a turned photo is exactly the rectangle that was asked for [A26]', async () => {
    const exact = draw(400, 300, (x, y) => [x % 256, y % 256, (x >> 8) * 100 + (y >> 8) * 50]);
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const png = await encoder(storedAs(exact, orientation)).withMetadata({ orientation }).png().toBuffer();
      const opened = await openPicture(file(png));
      expect(opened.size).toEqual({ width: 400, height: 300 });
      const cut = await opened.cut({ x: 101, y: 37, width: 261, height: 257 });
      expect([cut.width, cut.height]).toEqual([261, 257]);
      for (const [x, y] of [
        [0, 0],
        [260, 0],
        [0, 256],
        [260, 256],
        [160, 222],
      ] as const) {
        const i = (y * cut.width + x) * 3;
        const [sx, sy] = [x + 101, y + 37];
        expect([...cut.data.subarray(i, i + 3)]).toEqual([sx % 256, sy % 256, (sx >> 8) * 100 + (sy >> 8) * 50]);
      }
    }
  });

  test('a crop longer than 4096 px is scaled down to that, a smaller one keeps every pixel', async () => {
    const wide = await openPicture(
      file(
        await encoder(draw(5000, 1000, () => RED))
          .jpeg()
          .toBuffer(),
      ),
    );
    const whole = await wide.cut({ x: 0, y: 0, width: 5000, height: 1000 });
    expect([whole.width, whole.height]).toEqual([4096, 819]);
    const part = await wide.cut({ x: 0, y: 0, width: 4096, height: 1000 });
    expect([part.width, part.height]).toEqual([4096, 1000]);
  });
});

describe('every kind of picture becomes 8-bit sRGB', () => {
  const cases: readonly [string, () => Promise<Buffer>, Rgb, Rgb, number][] = [
    ['JPEG', () => encoder(halves).jpeg({ quality: 95 }).toBuffer(), RED, BLUE, 3],
    ['PNG', () => encoder(halves).png().toBuffer(), RED, BLUE, 0],
    ['palette PNG', () => encoder(halves).png({ palette: true }).toBuffer(), RED, BLUE, 2],
    ['WebP', () => encoder(halves).webp({ quality: 95 }).toBuffer(), RED, BLUE, 6],
    ['AVIF', () => encoder(halves).avif({ quality: 90 }).toBuffer(), RED, BLUE, 6],
    ['16-bit PNG [V21]', () => encoder(halves).toColourspace('rgb16').png().toBuffer(), RED, BLUE, 1],
    ['Display P3 JPEG', () => encoder(halves).withIccProfile('p3').jpeg({ quality: 98 }).toBuffer(), RED, BLUE, 4],
    ['Display P3 PNG', () => encoder(halves).withIccProfile('p3').png().toBuffer(), RED, BLUE, 1],
    [
      '16-bit Display P3 PNG',
      () => encoder(halves).toColourspace('rgb16').withIccProfile('p3').png().toBuffer(),
      RED,
      BLUE,
      2,
    ],
    ['CMYK JPEG without a profile', cmyk, RED, BLUE, 32],
    ['CMYK JPEG with a profile', () => encoder(halves).withIccProfile('cmyk').jpeg().toBuffer(), RED, BLUE, 32],
  ];
  test.each(cases)('%s', async (_, make, left, right, tolerance) => {
    const picture = await openWhole(file(await make()));
    expect(picture.data.length).toBe(320 * 320 * 3);
    expectColour(colourAt(picture, 0.25, 0.5), left, tolerance);
    expectColour(colourAt(picture, 0.75, 0.5), right, tolerance);
  });

  test('black in CMYK without a profile is lifted a little at most, and hardly tinted [V24]', async () => {
    const inks = encoder(draw(320, 320, (x) => (x < 160 ? [0, 0, 0] : [255, 255, 255]))).toColourspace('cmyk');
    const picture = await openWhole(file(await inks.jpeg({ quality: 98 }).toBuffer()));
    const black = colourAt(picture, 0.25, 0.5);
    expect(Math.max(...black)).toBeLessThan(48);
    expect(Math.max(...black) - Math.min(...black)).toBeLessThan(16);
    expectColour(colourAt(picture, 0.75, 0.5), [255, 255, 255], 3);
  });

  const grey: Rgb = [100, 100, 100];
  const greyPicture = encoder(draw(300, 300, () => grey));
  test.each([
    ['grey PNG [V20]', () => greyPicture.clone().toColourspace('b-w').png().toBuffer()],
    ['16-bit grey PNG [V21]', () => greyPicture.clone().toColourspace('grey16').png().toBuffer()],
    ['grey JPEG [V30]', () => greyPicture.clone().toColourspace('b-w').jpeg().toBuffer()],
  ])('%s', async (_, make) => {
    const picture = await openWhole(file(await make()));
    expect(picture.data.length).toBe(300 * 300 * 3);
    expectColour(colourAt(picture, 0.5, 0.5), grey, 1);
  });

  test('alpha is laid on white, in RGBA and in grey with alpha [V20][W2]', async () => {
    const rgba = await openWhole(file(await encoder(halves).ensureAlpha(0.5).png().toBuffer()));
    expectColour(colourAt(rgba, 0.25, 0.5), [228, 158, 143], 1);
    const wide = await openWhole(file(await encoder(halves).ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer()));
    expectColour(colourAt(wide, 0.25, 0.5), [228, 158, 143], 1);
    const la = await openWhole(file(await greyPicture.clone().toColourspace('b-w').ensureAlpha(0).png().toBuffer()));
    expectColour(colourAt(la, 0.5, 0.5), [255, 255, 255], 0);
  });

  test('a CMYK profile in a 16-bit RGBA PNG or in an RGB JPEG is ignored [V22]', async () => {
    const icc = await builtInProfile('cmyk');
    const png = await encoder(halves).ensureAlpha(1).toColourspace('rgb16').png().toBuffer();
    expectColour(colourAt(await openWhole(file(withPngProfile(png, icc))), 0.25, 0.5), RED, 1);
    const jpeg = await encoder(halves).jpeg({ quality: 98 }).toBuffer();
    expectColour(colourAt(await openWhole(file(withJpegProfile(jpeg, icc))), 0.25, 0.5), RED, 3);
  });
});

describe('bad input has a code', () => {
  const jpeg = () => encoder(drawScene(600, 800)).jpeg({ quality: 90 }).toBuffer();
  const png = () => encoder(drawScene(600, 800)).png().toBuffer();
  const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.round(bytes.length * share));
  const cases: readonly [string, string, string, () => Buffer | string | Promise<Buffer>][] = [
    ['an empty file', 'fileEmpty', 'a.jpg', () => ''],
    ['text named .jpg', 'notAPicture', 'a.jpg', () => 'hello, this is a text and no picture at all'],
    ['three bytes', 'notAPicture', 'a.png', () => Buffer.from([0x89, 0x50, 0x4e])],
    ['an SVG named .png [A23]', 'notAPicture', 'a.png', () => '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML named .jpeg [A23]', 'notAPicture', 'a.jpeg', () => '<!doctype html><script>alert(1)</script>'],
    ['a camera raw file of Adobe', 'notAPicture', 'a.dng', RAW.dng],
    ['a camera raw file of Canon', 'notAPicture', 'a.cr2', RAW.cr2],
    ['a camera raw file of sensor data', 'notAPicture', 'a.tif', RAW.sensor],
    ['a camera raw file with a preview', 'notAPicture', 'a.nef', RAW.preview],
    ['a TIFF cut off in its pixels', 'pictureDamaged', 'a.tif', async () => cut(await tiff(), 0.5)],
    ['a PDF', 'notAPicture', 'a.png', () => '%PDF-1.7\n1 0 obj\n'],
    ['an HLS playlist', 'notAPicture', 'a.jpg', () => '#EXTM3U\n#EXT-X-VERSION:3\n'],
    ['a video', 'notAPicture', 'a.heic', () => Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42', 'latin1')],
    ['a JPEG that ends in its header', 'pictureDamaged', 'a.jpg', async () => (await jpeg()).subarray(0, 40)],
    ['a PNG of which no row came', 'pictureDamaged', 'a.png', async () => (await png()).subarray(0, 60)],
    ['a truncated AVIF', 'pictureDamaged', 'a.avif', async () => cut(await encoder(halves).avif().toBuffer(), 0.6)],
    [
      'a HEIC that is only a brand',
      'pictureDamaged',
      'a.heic',
      () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    ],
    ['a PNG of 30,000 x 30,000', 'pictureTooLarge', 'a.png', () => blankPng(30_000, 30_000)],
    ['a PNG of 20,000 x 20,000 [V25]', 'pictureTooLarge', 'a.png', () => blankPng(20_000, 20_000)],
    ['a PNG of 1920 x 86,041 [V25]', 'pictureTooLarge', 'a.png', () => blankPng(1920, 86_041)],
    ['a PNG of 256 x 32,769', 'pictureTooLarge', 'a.png', () => blankPng(256, 32_769)],
  ];
  test.each(cases)('%s: %s', async (_, code, name, make) => {
    const path = file(await make(), name);
    await expect(openWhole(path)).rejects.toMatchObject({ name: 'EngineError', code });
  });

  test('a large picture is refused by its header, before a pixel is decoded [V25]', async () => {
    const bomb = blankPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(500_000);
    const path = file(bomb);
    const before = process.memoryUsage.rss();
    await expect(openPicture(path)).rejects.toMatchObject({ code: 'pictureTooLarge', message: /100 megapixels/ });
    expect(process.memoryUsage.rss() - before).toBeLessThan(60e6);
  });

  test('100 megapixels exactly are accepted', async () => {
    expect(await probePicture(file(blankPng(10_000, 10_000)))).toMatchObject({ width: 10_000, height: 10_000 });
  });

  test('damaged EXIF, a damaged profile and bytes after the end are survived', async () => {
    const scene = drawScene(600, 400);
    const exif = await phoneJpeg(scene, 6);
    exif.fill(0xee, exif.indexOf('Exif\0\0') + 14, exif.indexOf('Exif\0\0') + 60);
    expect(await difference(await openWhole(file(exif)), scene)).toBeLessThan(4);
    const profile = await encoder(scene).withIccProfile('p3').jpeg().toBuffer();
    profile.fill(0xee, profile.indexOf('ICC_PROFILE') + 14, profile.indexOf('ICC_PROFILE') + 200);
    expect(await difference(await openWhole(file(profile)), scene)).toBeLessThan(16);
    const trailing = Buffer.concat([await encoder(scene).jpeg().toBuffer(), Buffer.alloc(5000, 7)]);
    expect(await difference(await openWhole(file(trailing)), scene)).toBeLessThan(4);
  });
});

describe('probe', () => {
  test('tells type by the bytes, whatever the name, and the upright size [A13][A14]', async () => {
    const scene = drawScene(600, 400);
    expect(await probePicture(file(await phoneJpeg(scene, 6), 'a.heic'))).toEqual({
      type: 'image/jpeg',
      width: 400,
      height: 600,
    });
    expect(await probePicture(file(await encoder(scene).png().toBuffer(), 'a.jpg'))).toMatchObject({
      type: 'image/png',
    });
    expect(await probePicture(file(await encoder(scene).webp().toBuffer()))).toMatchObject({ type: 'image/webp' });
    expect(await probePicture(file(await encoder(scene).avif().toBuffer()))).toEqual({
      type: 'image/avif',
      width: 600,
      height: 400,
    });
  });
});

describe('real photographs', () => {
  const first = sharedData('photos/orientation/landscape_1.jpg');
  const numbers = ['landscape', 'portrait'].flatMap((kind) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [kind, n] as const));
  test.skipIf(first === null).each(numbers)(
    '%s_%i.jpg stands upright, like the first of its kind [V17][V19][A24][A25]',
    async (kind, n) => {
      const reference = await openWhole(sharedData(`photos/orientation/${kind}_1.jpg`) as string);
      const picture = await openWhole(sharedData(`photos/orientation/${kind}_${n}.jpg`) as string);
      expect([picture.width, picture.height]).toEqual(kind === 'landscape' ? [1800, 1200] : [1200, 1800]);
      expect(await difference(picture, reference)).toBeLessThan(6);
    },
  );

  const heic = sharedData('photos/phone.heic');
  test.skipIf(heic === null)('a phone HEIC in Display P3 is decoded and converted', async () => {
    expect(await probePicture(heic as string)).toEqual({ type: 'image/heic', width: 4032, height: 3024 });
    const opened = await openPicture(heic as string);
    const picture = await opened.cut({ x: 1000, y: 500, width: 1500, height: 2000 });
    expect([picture.width, picture.height, picture.data.length]).toEqual([1500, 2000, 1500 * 2000 * 3]);
    const mean = picture.data.reduce((sum, value) => sum + value, 0) / picture.data.length;
    expect(mean).toBeGreaterThan(30);
    expect(mean).toBeLessThan(225);
  });

  test.skipIf(heic === null)('the rotation and the mirror of a HEIC are applied exactly once [A24]', async () => {
    const original = readFileSync(heic as string);
    const irot = original.indexOf('irot');
    const reference = await shrink(await openWhole(heic as string), 64);
    // irot: counter-clockwise quarter turns; imir: 0 swaps top and bottom, 1 left and right (ISO/IEC 23008-12, 6.5).
    for (const [type, value, orientation] of [
      ['irot', 1, 6],
      ['irot', 3, 8],
      ['imir', 1, 2],
    ] as const) {
      const bytes = Buffer.from(original);
      bytes.write(type, irot, 'latin1');
      bytes[irot + 4] = value;
      const picture = await openWhole(file(bytes));
      expect([picture.width, picture.height]).toEqual(orientation >= 5 ? [3024, 4032] : [4032, 3024]);
      expect(
        await difference(await shrink(picture, orientation >= 5 ? 48 : 64), storedAs(reference, orientation)),
      ).toBeLessThan(3);
    }
  });

  test.skipIf(heic === null)('of a HEIC cut short the tiles that came are opened [W1]', async () => {
    const bytes = readFileSync(heic as string);
    const opened = await openPicture(file(bytes.subarray(0, bytes.length >> 1)));
    const whole = await openPicture(heic as string);
    const [part, top] = [await opened.cut({ x: 0, y: 0, ...opened.size }), { x: 0, y: 0, width: 512, height: 512 }];
    expect(part.incomplete).toBe(true);
    expect(await difference(await opened.cut(top), await whole.cut(top))).toBe(0);
    await expect(openPicture(file(bytes.subarray(0, 400)))).rejects.toMatchObject({ code: 'pictureDamaged' });
  });

  const hdr = sharedData('photos/hdr_p3_10bit.avif');
  test.skipIf(hdr === null)('a 10-bit HDR AVIF in wide gamut keeps its contrast in sRGB [V21]', async () => {
    const opened = await openPicture(hdr as string);
    const picture = await opened.cut({ x: 0, y: 1000, width: 3600, height: 3600 });
    const small = await encoder(picture).resize(64, 64).greyscale().raw().toBuffer();
    const sorted = [...small].sort((a, b) => a - b);
    expect(sorted.at(200)).toBeLessThan(70);
    expect(sorted.at(-200)).toBeGreaterThan(120);
  });

  test.skipIf(hdr === null).each([
    ['srgb_8bit.avif', 'image/avif', 1617, 1080],
    ['denali.webp', 'image/webp', 600, 315],
    ['density_plot.png', 'image/png', 800, 800],
  ])('%s is opened', async (name, type, width, height) => {
    const path = sharedData(`photos/${name}`) as string;
    expect(await probePicture(path)).toEqual({ type, width, height });
    expect((await openWhole(path)).data.length).toBe(width * height * 3);
  });
});
