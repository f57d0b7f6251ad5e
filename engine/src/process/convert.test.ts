import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FORMAT_NAMES, type Format } from '@framelift/contract/formats';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { withLetters } from '../testing/lettering.ts';
import { PANEL } from '../testing/panel.ts';
import { decoded, difference, draw, drawScene, encoder, phoneJpeg, storedAs } from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import type { PictureRequest, PictureResult } from '../types.ts';
import type { CallHooks } from './calls.ts';
import { readDepth, writeDepth } from './depth-file.ts';
import { createEngine } from './engine.ts';
import { throughStaging } from './staging.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-convert-'));
const portrait = DEVICES.find(({ slug }) => slug === 'looking-glass-portrait') as (typeof DEVICES)[number];
const engine = createEngine({ threads: 2 });
/** A stored depth map for `scene`, so that tests of other steps skip the estimate. */
const sceneDepth = { path: join(folder, 'scene-depth.png'), source: 'member' } as const;
beforeAll(async () => {
  requireBuilt();
  const data = Float32Array.from({ length: 90 * 120 }, (_, i) => {
    const [x, y] = [i % 90, Math.floor(i / 90)];
    return Math.abs(x / 90 - 0.4) < 0.16 && y > 36 && y < 102 ? 0.9 : (0.8 * y) / 120;
  });
  await writeDepth({ data, width: 90, height: 120, source: 'member' }, sceneDepth.path);
});
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

function request(input: string, change: Partial<PictureRequest> = {}): PictureRequest {
  return {
    kind: 'picture',
    input,
    device: portrait,
    effect: 100,
    outDir: mkdtempSync(join(folder, 'out-')),
    name: 'shop',
    ...change,
  };
}

function convert(wanted: PictureRequest, hooks?: CallHooks): Promise<PictureResult> {
  return throughStaging(wanted, (staged) => engine.convert(staged, hooks));
}

function pathOf(result: PictureResult, format: Format): string {
  const found = result.files.find((one) => one.format === format);
  if (!found) throw new Error(`no ${format} among the results`);
  return found.path;
}

/** Returns the brightness of the views of a quilt, view 0 first. */
async function viewsOf(path: string): Promise<Buffer[]> {
  const grid = portrait.quilt as NonNullable<typeof portrait.quilt>;
  const width = Math.floor(grid.width / grid.columns);
  const height = Math.floor(grid.height / grid.rows);
  const whole = await sharp(path).greyscale().raw().toBuffer({ resolveWithObject: true });
  expect([whole.info.width, whole.info.height]).toEqual([grid.width, grid.height]);
  return Array.from({ length: grid.columns * grid.rows }, (_, view) => {
    const left = (view % grid.columns) * width;
    const top = (grid.rows - 1 - Math.floor(view / grid.columns)) * height;
    const tile = Buffer.alloc(width * height);
    for (let y = 0; y < height; y++)
      whole.data.copy(tile, y * width, (top + y) * grid.width + left, (top + y) * grid.width + left + width);
    return tile;
  });
}

/**
 * Returns by how many pixels the marked part of `from` is further right in `to`: the shift with the least difference.
 */
function shiftOf(from: Buffer, to: Buffer, width: number, marked: (x: number, y: number) => boolean): number {
  const height = from.length / width;
  const reach = 40;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let dx = -reach; dx <= reach; dx++) {
    let sum = 0;
    for (let y = 0; y < height; y += 2)
      for (let x = reach; x < width - reach; x++)
        if (marked(x, y)) sum += Math.abs((from[y * width + x] as number) - (to[y * width + x + dx] as number));
    if (sum < least) [least, best] = [sum, dx];
  }
  return best;
}

const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const scene = drawScene(900, 1200);
const scenePhoto = async () => file(await phoneJpeg(scene, 1));

describe('the 12-megapixel photo', () => {
  const photo = sharedData('photos/japanese_shop.jpg');

  test.skipIf(photo === null)(
    'becomes a quilt of 48 different views in order, near things moving left [V60][V31]',
    async () => {
      const result = await convert(request(photo as string, { formats: ['quilt'], preview: true }));
      expect(result.files).toMatchObject([
        { format: 'quilt', name: 'shop_qs8x6a0.75.jpg', type: 'image/jpeg', width: 3360, height: 3360 },
      ]);
      expect(result.source).toEqual({ width: 4217, height: 2817 });
      expect(result.crop).toEqual({ x: 1052, y: 0, width: 2113, height: 2817 });
      expect(result.depthSource).toBe('basic');
      expect(result.peakRssMb).toBeLessThan(1500);

      const views = await viewsOf(pathOf(result, 'quilt'));
      expect(new Set(views.map((view) => createHash('sha256').update(view).digest('hex'))).size).toBe(48);

      const depth = await readDepth(result.depthFile as string, 'basic');
      const near = (x: number, y: number) => {
        const u = Math.floor((x / 420) * depth.width);
        const v = Math.floor((y / 560) * depth.height);
        return (depth.data[v * depth.width + u] as number) > 0.8;
      };
      const middle = views[24] as Buffer;
      const shifts = [0, 12, 24, 36, 47].map((view) => shiftOf(middle, views[view] as Buffer, 420, near));
      expect(shifts).toEqual([...shifts].sort((a, b) => b - a));
      expect((shifts[0] as number) - (shifts[4] as number)).toBeGreaterThan(5);
    },
  );
});

describe('a near square on a far ground', () => {
  test('lies further right in the first view than in the last, by the sweep that was asked for', async () => {
    const [width, height] = [900, 1200];
    const inSquare = (x: number, y: number) => x >= 350 && x < 550 && y >= 500 && y < 700;
    const input = file(
      await encoder(draw(width, height, (x, y) => (inSquare(x, y) ? [250, 250, 250] : [20, 20, 20])))
        .png()
        .toBuffer(),
    );
    const path = join(folder, 'square-depth.png');
    const data = Float32Array.from({ length: width * height }, (_, i) =>
      inSquare(i % width, Math.floor(i / width)) ? 1 : 0,
    );
    await writeDepth({ data, width, height, source: 'member' }, path);
    const result = await convert(request(input, { depth: { path, source: 'member' } }));
    expect(result.depthSource).toBe('member');
    const views = await viewsOf(pathOf(result, 'quilt'));
    const place = (view: Buffer) => {
      const row = view.subarray(280 * 420, 281 * 420);
      const bright = [...row.keys()].filter((x) => (row[x] as number) > 128);
      return ((bright[0] as number) + (bright.at(-1) as number)) / 2;
    };
    const places = views.map(place);
    expect(places).toEqual([...places].sort((a, b) => b - a));
    expect((places[0] as number) - (places[47] as number)).toBeGreaterThan(8);
  });
});

describe('what is made', () => {
  test('every format, each with a file that opens at its size [V45]', async () => {
    const result = await convert(
      request(await scenePhoto(), { formats: FORMAT_NAMES, depth: sceneDepth, calibration: PANEL }),
    );
    expect(result.files.map(({ format }) => format).sort()).toEqual([...FORMAT_NAMES].sort());
    for (const { format, path, width, height, bytes } of result.files) {
      expect(readFileSync(path).length).toBe(bytes);
      // sharp reads neither videos nor HEVC.
      if (format === 'wiggle_mp4' || format === 'spatial') continue;
      const metadata = await sharp(path).metadata();
      expect([metadata.width, metadata.pageHeight ?? metadata.height]).toEqual([width, height]);
    }
  });

  test("the device's own format when none is named", async () => {
    const result = await convert(request(await scenePhoto()));
    expect(result.files.map(({ format }) => format)).toEqual(['quilt']);
    expect(result.comfort?.largestDisparityPercent).toBeGreaterThan(0);
  });

  test('effect 0 makes only the flat picture, without a depth', async () => {
    const wanted = request(await scenePhoto(), { effect: 0, formats: ['quilt', 'sbs'] });
    const result = await convert(wanted);
    expect(readdirSync(wanted.outDir)).toEqual(['shop_flat.jpg']);
    expect(result).toMatchObject({ depthFile: null, depthSource: null, comfort: null, preview: null });
    expect(result.times.depth).toBeUndefined();
  });

  test('a preview on request, for the browser and for lists, with an effect and without', async () => {
    for (const effect of [0, 60]) {
      const result = await convert(
        request(await scenePhoto(), { effect, formats: ['flat'], preview: true, depth: sceneDepth }),
      );
      const sizes = await Promise.all(Object.values(result.preview ?? {}).map((path) => sharp(path).metadata()));
      expect(sizes).toHaveLength(5);
      expect((await sharp(result.preview?.cover).metadata()).width).toBe(500);
    }
  });

  test('the same request twice gives the same bytes, and so does a re-export from the stored depth', async () => {
    const input = await scenePhoto();
    const formats = ['quilt', 'anaglyph', 'rgbd'] as const;
    const first = await convert(request(input, { formats }));
    const second = await convert(request(input, { formats }));
    const third = await convert(
      request(input, { formats, depth: { path: first.depthFile as string, source: 'basic' } }),
    );
    for (const format of formats) {
      expect(hash(pathOf(second, format)), format).toBe(hash(pathOf(first, format)));
      expect(hash(pathOf(third, format)), format).toBe(hash(pathOf(first, format)));
    }
    expect(hash(second.depthFile as string)).toBe(hash(first.depthFile as string));
    expect(hash(third.depthFile as string)).toBe(hash(first.depthFile as string));
  });

  test('neither the GPS position nor any other EXIF reaches an output, nor a second turn [A25]', async () => {
    const wanted = request(file(await phoneJpeg(storedAs(scene, 6), 6)), {
      formats: FORMAT_NAMES,
      preview: true,
      depth: sceneDepth,
      calibration: PANEL,
    });
    expect((await sharp(wanted.input).metadata()).exif?.includes('Testphone')).toBe(true);
    const result = await convert(wanted);
    expect(result.source).toEqual({ width: 900, height: 1200 });
    for (const name of readdirSync(wanted.outDir)) {
      const path = join(wanted.outDir, name);
      expect(readFileSync(path).includes('Testphone')).toBe(false);
      if (name.endsWith('.mp4')) continue;
      const { exif, xmp, orientation = 1 } = await sharp(path).metadata();
      expect([name, xmp, orientation]).toEqual([name, undefined, 1]);
      // 3D camera files have their own EXIF, with the size and little else.
      expect([name, (exif?.length ?? 0) < (name.endsWith('.mpo') ? 200 : 1)]).toEqual([name, true]);
    }
    const flat = await decoded(pathOf(result, 'flat'));
    const upright = await decoded(pathOf(await convert(request(await scenePhoto(), { effect: 0 })), 'flat'));
    expect(await difference(flat, upright)).toBeLessThan(2);
  });

  test('a panorama of 9000 px is converted in bounded memory, sharp up to 4096 px [V27][V31]', async () => {
    const wide = draw(9000, 1500, (x, y) => [x & 255, y & 255, (x >> 5) & 255]);
    const input = file(await encoder(wide).jpeg().toBuffer());
    const crop = { x: 0, y: 0, width: 9000, height: 1500 };
    const path = join(folder, 'wide-depth.png');
    const data = Float32Array.from({ length: 60 * 10 }, (_, i) => i / 600);
    await writeDepth({ data, width: 60, height: 10, source: 'member' }, path);
    const result = await convert(request(input, { formats: ['sbs'], crop, depth: { path, source: 'member' } }));
    expect(result.files[0]).toMatchObject({ width: 2 * 4096, height: 683 });
    expect(result.crop).toEqual(crop);
    expect(result.peakRssMb).toBeLessThan(1500);
  });
});

describe('depth that someone brings along', () => {
  const depth8 = draw(300, 400, (_, y) => [
    Math.floor((y / 400) * 255),
    Math.floor((y / 400) * 255),
    Math.floor((y / 400) * 255),
  ]);
  test.each([
    ['8-bit grey', () => encoder(depth8).toColourspace('b-w').png().toBuffer()],
    ['16-bit grey', () => encoder(depth8).toColourspace('grey16').png().toBuffer()],
    ['16-bit RGB', () => encoder(depth8).toColourspace('rgb16').png().toBuffer()],
    ['palette', () => encoder(depth8).png({ palette: true }).toBuffer()],
    ['JPEG', () => encoder(depth8).jpeg({ quality: 100 }).toBuffer()],
  ])('%s is read as the same depth [V28][V38]', async (_, make) => {
    const read = await readDepth(file(await make()), 'member');
    expect([read.width, read.height]).toEqual([300, 400]);
    for (const y of [0, 100, 200, 399])
      expect(Math.abs((read.data[y * 300 + 150] as number) - y / 400)).toBeLessThan(0.012);
  });

  test('one of another shape is refused', async () => {
    const path = file(
      await encoder(draw(400, 300, () => [128, 128, 128]))
        .png()
        .toBuffer(),
    );
    const converting = convert(request(await scenePhoto(), { depth: { path, source: 'member' } }));
    await expect(converting).rejects.toMatchObject({ code: 'conversionFailed', message: /400 x 300/ });
  });

  test('a flat one is no division by zero', async () => {
    const path = file(
      await encoder(draw(300, 400, () => [128, 128, 128]))
        .png()
        .toBuffer(),
    );
    const converting = convert(request(await scenePhoto(), { formats: ['rgbd'], depth: { path, source: 'member' } }));
    await expect(converting).resolves.toMatchObject({ depthSource: 'member' });
  });
});

describe('refused', () => {
  const crop = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
  test.each([
    ['a crop outside the picture', 'cropOutsidePicture', crop(700, 0, 300, 400)],
    ['a crop with a negative corner', 'cropOutsidePicture', crop(-1, 0, 300, 400)],
    ['a crop with fractions', 'cropOutsidePicture', crop(0.5, 0, 300, 400)],
    ['a crop under 64 px', 'cropTooSmall', crop(0, 0, 63, 84)],
  ])('%s', async (_, code, rect) => {
    const wanted = request(await scenePhoto(), { crop: rect });
    await expect(convert(wanted)).rejects.toMatchObject({ name: 'EngineError', code });
    expect(readdirSync(wanted.outDir)).toEqual([]);
  });

  test('a crop so thin that under 256 px are left when it is scaled down', async () => {
    const input = file(
      await encoder(draw(9000, 300, () => [1, 2, 3]))
        .jpeg()
        .toBuffer(),
    );
    await expect(convert(request(input, { crop: crop(0, 0, 9000, 300) }))).rejects.toMatchObject({
      code: 'cropTooSmall',
    });
  });

  test('a picture too small for its device, while one of 64 px is enlarged, with a note [V30][T20]', async () => {
    const grey = async (width: number, height: number) =>
      file(await encoder(drawScene(width, height)).toColourspace('b-w').jpeg().toBuffer());
    await expect(convert(request(await grey(63, 90)))).rejects.toMatchObject({ code: 'pictureTooSmall' });
    for (const [width, height, notes] of [
      [64, 86, ['pictureSmall']],
      [249, 324, ['pictureSmall']],
      [256, 342, []],
    ] as const) {
      const converting = convert(request(await grey(width, height), { depth: sceneDepth }));
      await expect(converting).resolves.toMatchObject({ notes });
    }
  });

  test.each([-1, 101, Number.NaN])('effect %s', async (effect) => {
    await expect(convert(request(await scenePhoto(), { effect }))).rejects.toMatchObject({ code: 'conversionFailed' });
  });
});

test('[T15] a subtitle stands straight in the plane of the frame, while what is around it moves', async () => {
  const { picture, ...box } = withLetters(drawScene(900, 1200), 'THE MAN IN A HAT', 0.03);
  const input = file(await encoder(picture).jpeg({ quality: 92 }).toBuffer());
  const [width, scale] = [420, 420 / 900];
  const inLetters = (x: number, y: number) =>
    x > box.left * scale &&
    x < (box.left + box.width) * scale &&
    y > box.top * scale &&
    y < (box.top + box.height) * scale;
  const travelOf = async (source: 'basic' | 'member') => {
    const views = await viewsOf(pathOf(await convert(request(input, { depth: { ...sceneDepth, source } })), 'quilt'));
    return shiftOf(views[0] as Buffer, views[47] as Buffer, width, inLetters);
  };
  expect(await travelOf('basic')).toBe(0);
  // Depth that a member drew is kept as it is.
  expect(Math.abs(await travelOf('member'))).toBeGreaterThan(3);
});

describe('[T17] foot and top move alike', () => {
  /**
   * Returns by how many pixels each part, in shares of width and height, moves from the first view to the last. They are wide enough to
   * hold it in the first view.
   */
  const travels = async (input: string, parts: readonly (readonly [number, number, number, number])[]) => {
    const views = await viewsOf(pathOf(await convert(request(input)), 'quilt'));
    const [width, height] = [420, 560];
    return parts.map(([left, right, top, bottom]) => {
      const inside = (x: number, y: number) =>
        x >= left * width && x < right * width && y >= top * height && y < bottom * height;
      return shiftOf(views[0] as Buffer, views[47] as Buffer, width, inside);
    });
  };

  test('of posts and of people on a lawn', async () => {
    const [width, height, horizon] = [900, 1200, 560];
    const grain = (x: number, y: number) => ((x * 7919 + y * 104729) % 31) - 15;
    const posts = [
      [120, 150, 300, 1050],
      [745, 765, 420, 880],
    ] as const;
    const person = (x: number, y: number): [number, number, number] | null => {
      if (Math.hypot((x - 450) / 38, (y - 470) / 48) < 1) return [215, 165, 135];
      if (Math.abs(x - 450) < 20 && y > 490 && y < 530) return [215, 165, 135];
      if (Math.abs(x - 450) < 75 && y > 520 && y < 760) return [190 + grain(x, y), 40, 45];
      if (Math.abs(Math.abs(x - 450) - 36) < 28 && y >= 760 && y < 1010) return [40, 50, 110 + grain(x, y)];
      return null;
    };
    const lawn = draw(width, height, (x, y) => {
      if (posts.some(([left, right, top, foot]) => x >= left && x < right && y >= top && y < foot)) {
        return [95 + grain(x, y), 70 + grain(x, y), 50 + grain(x, y)];
      }
      const body = person(x, y);
      if (body) return body;
      if (y < horizon) return [140 + y / 12, 170 + y / 16, 225];
      return [80 + (y - horizon) / 12 + grain(x, y), 115 + (y - horizon) / 12 + grain(x, y), 50];
    });
    const input = file(await encoder(lawn).jpeg({ quality: 92 }).toBuffer());
    const part = (left: number, right: number, top: number, bottom: number) =>
      [left / width, right / width, top / height, bottom / height] as const;
    const [high, low, far, near, head, feet] = await travels(input, [
      part(105, 165, 310, 420),
      part(105, 165, 930, 1040),
      part(730, 780, 430, 500),
      part(730, 780, 800, 870),
      part(400, 500, 430, 560),
      part(380, 520, 860, 1000),
    ]);
    expect(Math.abs((high as number) - (low as number)), 'near post').toBeLessThanOrEqual(1);
    expect(Math.abs((far as number) - (near as number)), 'far post').toBeLessThanOrEqual(1);
    expect(Math.abs((head as number) - (feet as number)), 'person').toBeLessThanOrEqual(1);
  });
});

test('a cancel is heard at every step, and nothing is left', async () => {
  const input = await scenePhoto();
  for (const step of ['open', 'crop', 'depth', 'layers', 'views', 'pack', 'check'] as const) {
    const cancel = new AbortController();
    const wanted = request(input, step === 'depth' ? {} : { depth: sceneDepth });
    const converting = convert(wanted, {
      signal: cancel.signal,
      onProgress: (progress) => {
        if (progress.step === step) cancel.abort();
      },
    });
    await expect(converting, step).rejects.toMatchObject({ code: 'conversionCancelled' });
    expect(readdirSync(wanted.outDir)).toEqual([]);
  }
});

test('names are made safe, and stay inside the folder', async () => {
  const wanted = request(await scenePhoto(), { effect: 0, name: '../../etc/小白菜' });
  const result = await convert(wanted);
  expect(readdirSync(wanted.outDir)).toEqual([basename(pathOf(result, 'flat'))]);
});
