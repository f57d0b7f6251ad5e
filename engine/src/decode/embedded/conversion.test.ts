import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { correlation } from '../../depth/statistics.ts';
import { spatialPhotoFile } from '../../encode/spatial-photo.ts';
import { DEVICES } from '../../formats/index.ts';
import { readDepth } from '../../process/depth-file.ts';
import { createEngine } from '../../process/engine.ts';
import { requireBuilt } from '../../testing/built.ts';
import {
  beside,
  gdepthPhoto,
  greyPicture,
  multiPicture,
  plane,
  standingScene,
  stereoJpegFile,
  stereoScene,
} from '../../testing/depth-photos.ts';
import { decoded, difference, drawScene, encoder, storedAs } from '../../testing/pictures.ts';
import { sharedData } from '../../testing/shared-data.ts';
import type { DeviceProfile, OutputFile, Picture, PictureRequest, PictureResult } from '../../types.ts';
import { openHeif } from '../libheif.ts';
import { openPicture } from '../open.ts';
import { probePicture } from '../probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-embedded-'));
const portrait = DEVICES.find(({ slug }) => slug === 'looking-glass-portrait') as DeviceProfile;
const engine = createEngine({ threads: 2 });
beforeAll(requireBuilt);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

let count = 0;
function file(bytes: Buffer): string {
  const path = join(folder, `input-${count++}`);
  writeFileSync(path, bytes);
  return path;
}

function convert(input: string, change: Partial<PictureRequest> = {}): Promise<PictureResult> {
  const outDir = mkdtempSync(join(folder, 'out-'));
  return engine.convert({
    kind: 'picture',
    input,
    device: portrait,
    effect: 100,
    formats: ['rgbd'],
    outDir,
    name: 'it',
    ...change,
  });
}

/** Mean absolute difference, 0 … 255. */
function unlike(a: Picture, b: Picture): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  return a.data.reduce((sum, value, i) => sum + Math.abs(value - (b.data[i] as number)), 0) / a.data.length;
}

/** Bright where near, so that colour and depth of a result can be compared. */
const near = (u: number, v: number) => 0.1 + 0.8 * Math.exp(-14 * ((u - 0.4) ** 2 + (v - 0.35) ** 2));

describe('a photo with depth of its own', () => {
  const upright = greyPicture(plane(600, 800, near));
  const map = greyPicture(plane(150, 200, (u, v) => 1 - near(u, v)));

  test.each([3, 6, 8])('held as orientation %i gives colour and depth upright, once [V17]', async (orientation) => {
    const jpeg = await encoder(storedAs(upright, orientation)).withMetadata({ orientation }).jpeg().toBuffer();
    const input = file(gdepthPhoto(jpeg, await encoder(storedAs(map, orientation)).png().toBuffer()));
    const result = await convert(input);
    expect(result.depthSource).toBe('embedded');
    const rgbd = result.files[0]?.path as string;
    expect((await sharp(rgbd).metadata()).orientation ?? 1).toBe(1);
    // Colour left, depth right. The scene has equal brightness and nearness.
    const { data, width, height } = await decoded(rgbd);
    const half = width / 2;
    for (const [u, v] of [
      [0.4, 0.35],
      [0.4, 0.8],
      [0.85, 0.35],
      [0.1, 0.1],
    ] as const) {
      const at = (Math.floor(v * height) * width + Math.floor(u * half)) * 3;
      const stretched = ((data[at] as number) / 255 - 0.1) / 0.8;
      expect(Math.abs((data[at + half * 3] as number) / 255 - stretched), `${u}, ${v}`).toBeLessThan(0.1);
    }
  });

  test('is made again from the stored depth, which keeps its source', async () => {
    const input = file(gdepthPhoto(await encoder(upright).jpeg().toBuffer(), await encoder(map).png().toBuffer()));
    const first = await convert(input);
    const depth = { path: first.depthFile as string, source: 'embedded' } as const;
    const again = await convert(input, { depth });
    expect(again.depthSource).toBe('embedded');
    const [one, other] = [first, again].map(({ files }) => readFileSync(files[0]?.path as string));
    expect(one?.equals(other as Buffer)).toBe(true);
  });

  test('a depth that a member brings wins over it', async () => {
    const input = file(gdepthPhoto(await encoder(upright).jpeg().toBuffer(), await encoder(map).png().toBuffer()));
    const path = file(
      await encoder(greyPicture(plane(150, 200, (_, v) => v)))
        .png()
        .toBuffer(),
    );
    const result = await convert(input, { depth: { path, source: 'member' } });
    expect(result.depthSource).toBe('member');
    const { data, width, height } = await readDepth(result.depthFile as string, 'member');
    expect((data[Math.floor(height * 0.9) * width + 5] as number) - (data[5] as number)).toBeGreaterThan(0.7);
  });

  test('is estimated like any other when its map is damaged', { timeout: 60_000 }, async () => {
    const damaged = (await encoder(map).png().toBuffer()).subarray(0, 400);
    const result = await convert(file(gdepthPhoto(await encoder(upright).jpeg().toBuffer(), damaged)));
    expect(result.depthSource).toBe('basic');
  });
});

describe('a picture of both eyes', () => {
  const scene = stereoScene(420, 400, -4, 14);
  const together = encoder(beside(scene.left, scene.right));

  test('as a stereo JPEG has the size of the left eye and shows only that', async () => {
    const crossed = encoder(beside(scene.right, scene.left));
    const input = file(stereoJpegFile(await crossed.jpeg({ quality: 95 }).toBuffer(), 0));
    expect(await probePicture(input)).toEqual({ type: 'image/jpeg', width: 420, height: 400 });
    const crop = { x: 60, y: 40, width: 270, height: 360 };
    const cut = await (await openPicture(input)).cut(crop);
    const left = await decoded(
      file(
        await encoder(scene.left)
          .extract({ left: crop.x, top: crop.y, width: crop.width, height: crop.height })
          .png()
          .toBuffer(),
      ),
    );
    expect(await difference(cut, left)).toBeLessThan(3);
    const result = await convert(input, { crop });
    expect(result).toMatchObject({ depthSource: 'embedded', crop, source: { width: 420, height: 400 } });
  });

  test.each([
    ['the middle of the whole becomes the middle of the left eye', undefined, { x: 60, y: 0, width: 300, height: 400 }],
    ['a crop of the right eye', { x: 450, y: 10, width: 270, height: 360 }, { x: 30, y: 10, width: 270, height: 360 }],
    ['a crop of the left eye', { x: 90, y: 10, width: 270, height: 360 }, { x: 90, y: 10, width: 270, height: 360 }],
  ])('that nothing marks is cut from the left one: %s', async (_, crop, cut) => {
    const input = file(await together.clone().jpeg({ quality: 92 }).toBuffer());
    expect(await probePicture(input)).toMatchObject({ width: 840, height: 400 });
    const result = await convert(input, crop ? { crop } : {});
    expect(result).toMatchObject({ depthSource: 'embedded', crop: cut });
    const { data, width } = await readDepth(result.depthFile as string, 'embedded');
    const at = (x: number, y: number) => {
      const scale = width / cut.width;
      return data[Math.floor((y - cut.y) * scale) * width + Math.floor((x - cut.x) * scale)] as number;
    };
    expect(at(190, 200)).toBeGreaterThan(0.9);
    expect(at(340, 200)).toBeLessThan(0.1);
  });

  test('without effect stays the picture that was chosen', async () => {
    const input = file(await together.clone().jpeg().toBuffer());
    const crop = { x: 300, y: 0, width: 300, height: 400 };
    expect((await convert(input, { effect: 0, crop })).crop).toEqual(crop);
  });

  test('whose depth was estimated as of one view stays what that depth is of', async () => {
    const input = file(await together.clone().jpeg().toBuffer());
    const path = file(
      await encoder(greyPicture(plane(150, 200, (_, v) => v)))
        .png()
        .toBuffer(),
    );
    const crop = { x: 300, y: 0, width: 300, height: 400 };
    expect(await convert(input, { crop, depth: { path, source: 'basic' } })).toMatchObject({ crop, pair: null });
  });
});

describe('a spatial photo of a headset', () => {
  const photo = sharedData('photos/spatial.heic');

  test.skipIf(!photo)('has the depth and the right eye that were photographed [T3]', { timeout: 60_000 }, async () => {
    const input = photo as string;
    const device = DEVICES.find(({ format }) => format === 'sbs') as DeviceProfile;
    const result = await convert(input, { device, formats: ['right'] });
    expect(result).toMatchObject({ depthSource: 'embedded', notes: [], source: { width: 2560, height: 2560 } });

    // The plant in front of the door, the pot in front of the floor behind it.
    const { crop } = result;
    const { data, width } = await readDepth(result.depthFile as string, 'embedded');
    const at = (u: number, v: number) => {
      const scale = width / crop.width;
      return data[Math.floor((v * 2560 - crop.y) * scale) * width + Math.floor((u * 2560 - crop.x) * scale)] as number;
    };
    const [plant, pot, floor, door] = [at(0.53, 0.35), at(0.53, 0.74), at(0.75, 0.5), at(0.35, 0.3)];
    expect(plant).toBeGreaterThan(pot);
    expect(pot).toBeGreaterThan(floor + 0.1);
    expect(floor).toBeGreaterThan(door);

    const right = openHeif(readFileSync(input), 52);
    const { path } = result.files[0] as OutputFile;
    const shown = await decoded(path);
    const scale = shown.width / crop.width;
    expect(scale).toBeLessThanOrEqual(1);
    const photographed = right.decode({ x: 0, y: crop.y, width: 2560, height: crop.height }).samples;
    const whole = await decoded(
      file(
        await encoder({ data: Uint8Array.from(photographed.data), width: 2560, height: crop.height })
          .resize({ width: Math.round(2560 * scale), height: shown.height, fit: 'fill' })
          .png()
          .toBuffer(),
      ),
    );
    // Nothing is drawn: it is a part of the photograph, moved by no more than the photograph reaches beyond the crop.
    let least = 255;
    for (let x = 0; x + shown.width <= whole.width; x++) {
      let sum = 0;
      for (let row = 10; row < shown.height; row += 40)
        for (let i = 0; i < 3 * shown.width; i++)
          sum += Math.abs(
            (shown.data[row * 3 * shown.width + i] as number) - (whole.data[3 * (row * whole.width + x) + i] as number),
          );
      least = Math.min(least, sum / (3 * shown.width * Math.ceil((shown.height - 10) / 40)));
    }
    expect(least).toBeLessThan(4);
  });
});

describe('what this product writes for 3D screens, cameras and viewers', () => {
  const size = { width: 480, height: 360 };
  const scene = standingScene(size.width, size.height);
  const truth = plane(240, 180, (u, v) => scene.disparity(u * size.width, v * size.height) / 40);
  const device: DeviceProfile = {
    slug: 'screen',
    name: 'Screen',
    ratio: [4, 3],
    resolution: size,
    format: 'sbs',
    disparityBudget: 8,
  };
  const formats = ['mpo', 'jps', 'sbs', 'cross', 'hsbs', 'tb', 'htb', 'spatial'] as const;
  const jpeg = (picture: Picture) => encoder(picture).jpeg({ quality: 95 }).toBuffer();
  let made: PictureResult;
  beforeAll(async () => {
    const path = file(await encoder(greyPicture(truth)).png().toBuffer());
    const input = file(await encoder(scene.left).jpeg({ quality: 95 }).toBuffer());
    made = await convert(input, { device, formats, depth: { path, source: 'member' } });
  });

  test.each(formats)('%s is read again as a pair with the same depth [T1][T2]', async (format) => {
    const { path, name } = made.files.find((one) => one.format === format) as OutputFile;
    // By its name, and by looking at it where a name is lost; what is squeezed is not told from what is not without it.
    for (const fileName of format === 'hsbs' || format === 'htb' ? [name] : [name, 'DSC_0001.JPG']) {
      const again = await convert(path, { device, fileName });
      expect(again.depthSource).toBe('embedded');
      const { data, width, height } = await readDepth(again.depthFile as string, 'embedded');
      const wanted = plane(width, height, (u, v) => scene.disparity(u * size.width, v * size.height));
      expect(correlation(data, wanted.data), fileName).toBeGreaterThan(0.9);
    }
  });

  test('a pair with exchanged halves has the depth that it has in order [T1]', async () => {
    const input = file(await encoder(beside(scene.right, scene.left)).jpeg({ quality: 92 }).toBuffer());
    const result = await convert(input, { device });
    expect(result).toMatchObject({ depthSource: 'embedded', pair: 'rightLeft', crop: { x: 480, y: 0, ...size } });
    const { data, width, height } = await readDepth(result.depthFile as string, 'embedded');
    const wanted = plane(width, height, (u, v) => scene.disparity(u * size.width, v * size.height));
    expect(correlation(data, wanted.data)).toBeGreaterThan(0.9);
    // Again with what was stored: the same part of the same eye.
    const again = await convert(input, { device, crop: result.crop, pair: 'rightLeft' });
    expect(again.crop).toEqual(result.crop);
  });

  test.each(['mpo', 'png', 'heic', 'heic of the right eye first'])(
    '%s: both photographed eyes are in every file of a pair [T6]',
    async (kind) => {
      const bytes =
        kind === 'png'
          ? await encoder(beside(scene.left, scene.right)).png().toBuffer()
          : kind === 'mpo'
            ? multiPicture([
                { jpeg: await jpeg(scene.left), type: 0x020002 },
                { jpeg: await jpeg(scene.right), type: 0x020002 },
              ])
            : await spatialPhotoFile(scene.left.data, scene.right.data, size);
      // The group of the eyes tells which is the left one, not what is shown by viewers that know no groups.
      if (kind === 'heic of the right eye first') bytes.writeUInt16BE(2, bytes.indexOf('pitm') + 8);
      const input = file(bytes);
      const result = await convert(input, { device, formats: ['sbs', 'tb', 'anaglyph', 'mpo', 'right'] });
      const pathOf = (format: string) => result.files.find((one) => one.format === format)?.path as string;
      const part = async (path: string, left: number, top: number) =>
        decoded(
          await sharp(path)
            .extract({ left, top, ...size })
            .png()
            .toBuffer(),
        );
      // Nothing but the JPEG differs: what is drawn from depth differs by more than 6.
      expect(unlike(await part(pathOf('sbs'), 0, 0), scene.left)).toBeLessThan(2.5);
      expect(unlike(await part(pathOf('sbs'), size.width, 0), scene.right)).toBeLessThan(2.5);
      expect(unlike(await part(pathOf('tb'), 0, size.height), scene.right)).toBeLessThan(2.5);
      expect(unlike(await decoded(pathOf('right')), scene.right)).toBeLessThan(2.5);
      // The strength is the photographer's.
      expect(result.comfort).toMatchObject({ clamped: false });
      expect(result.comfort?.largestDisparityPercent).toBeGreaterThan(2.5);

      const depth = { path: result.depthFile as string, source: 'embedded' } as const;
      const again = await convert(input, {
        device,
        formats: ['sbs'],
        depth,
        ...(kind === 'png' ? { pair: 'leftRight' } : {}),
      });
      expect(readFileSync(again.files[0]?.path as string).equals(readFileSync(pathOf('sbs')))).toBe(true);
    },
  );

  test('a quilt has behind near things what the right eye saw there, in the colours of the left one [T6]', async () => {
    const darker = await decoded(file(await encoder(scene.right).linear(0.75, 12).png().toBuffer()));
    const input = file(await encoder(beside(scene.left, darker)).png().toBuffer());
    const request = { device, formats: ['quilt'], preview: true, pair: 'leftRight' } as const;
    const result = await convert(input, request);
    const background = await decoded(result.preview?.background as string);
    expect([background.width, background.height]).toEqual([size.width, size.height]);
    // The strip of the wall behind the right edge of the middle thing.
    let [sum, n] = [0, 0];
    for (let y = 80; y < 116; y++) {
      for (let x = 254; x < 262; x++) {
        const at = 3 * (y * size.width + x);
        const seen = 3 * (y * size.width + Math.round(x - scene.disparity(10, y)));
        for (let c = 0; c < 3; c++, n++)
          sum += Math.abs((background.data[at + c] as number) - (scene.right.data[seen + c] as number));
      }
    }
    expect(sum / n).toBeLessThan(2.5);

    const depth = { path: result.depthFile as string, source: 'embedded' } as const;
    const again = await convert(input, { ...request, depth });
    const [one, other] = [result, again].map(({ files }) => readFileSync(files[0]?.path as string));
    expect(one?.equals(other as Buffer)).toBe(true);
  });

  test('a crop of a pair has its subject in the plane of the display, as far as the photograph goes [T6]', async () => {
    const input = file(await encoder(beside(scene.left, scene.right)).png().toBuffer());
    const crop = { x: 60, y: 40, width: 360, height: 270 };
    const result = await convert(input, { device, formats: ['sbs'], crop, convergence: 0 });
    const { path } = result.files[0] as OutputFile;
    // The wall, the farthest of all, has no disparity.
    const strip = { top: 0, width: 200, height: 20 };
    const [left, right] = await Promise.all(
      [20, 380].map(async (at) =>
        decoded(
          await sharp(path)
            .extract({ ...strip, left: at })
            .png()
            .toBuffer(),
        ),
      ),
    );
    expect(unlike(left as Picture, right as Picture)).toBeLessThan(6);
  });

  test('a right eye of which a part is missing is drawn, because grey is no picture', async () => {
    const [left, right] = [await jpeg(scene.left), await jpeg(scene.right)];
    const whole = multiPicture([left, right].map((eye) => ({ jpeg: eye, type: 0x020002 })));
    const input = file(whole.subarray(0, whole.length - Math.round(right.length / 2)));
    const result = await convert(input, { device, formats: ['right'] });
    expect(result).toMatchObject({ depthSource: 'embedded', notes: ['depthIncomplete'] });
    const lowest = (await decoded(result.files[0]?.path as string)).data.subarray(-3 * size.width);
    expect(new Set(lowest).size).toBeGreaterThan(10);
  });

  test('a squeezed pair without a crop is cut where its stored crop cuts it again', async () => {
    const half = encoder(beside(scene.left, scene.right)).resize({ ...size, fit: 'fill' });
    const input = file(await half.png().toBuffer());
    const fileName = 'x_half_sbs.png';
    // The middle three quarters of 480 columns begin at an odd one, which the file does not have.
    const first = await convert(input, { formats: ['sbs'], fileName });
    const again = await convert(input, { formats: ['sbs'], fileName, crop: first.crop, pair: 'leftRight' });
    const [one, other] = [first, again].map(({ files }) => readFileSync(files[0]?.path as string));
    expect(one?.equals(other as Buffer)).toBe(true);
  });

  test('what the member says is not 3D stays one picture', { timeout: 60_000 }, async () => {
    const input = file(await encoder(beside(scene.left, scene.right)).jpeg({ quality: 92 }).toBuffer());
    const result = await convert(input, { device, pair: 'flat' });
    expect(result).toMatchObject({ depthSource: 'basic', pair: null, crop: { x: 240, y: 0, ...size } });
  });
});

test('an ordinary photo is left to the estimator', { timeout: 60_000 }, async () => {
  const result = await convert(file(await encoder(drawScene(600, 800)).jpeg().toBuffer()));
  expect(result.depthSource).toBe('basic');
});
