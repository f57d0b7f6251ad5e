import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEVICES, parseCalibration } from '@framelift/engine/formats';
import { lensPhase, lensRow, lensTable } from '@framelift/engine/geometry';
import type { Display, Footage, Look, Packing, ParallaxOf } from '@framelift/engine/webgl';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { build } from 'vite';

/*
 * What a display frame draws equals the files that the engine makes for the same display: the engine's own command line
 * writes the files, the shaders draw in a browser, and pixels are compared.
 */

declare const webgl: typeof import('@framelift/engine/webgl');
interface Shown {
  /** A picture, whose views are packed, or drawn from its depth. */
  readonly file: string;
  readonly packing: Packing;
  readonly depth?: string;
  readonly look: Look;
  readonly canvas: { readonly width: number; readonly height: number };
}

const ENGINE = fileURLToPath(new URL('../engine/', import.meta.url));
const DEVICE = 'looking-glass-portrait';
const BUDGET = DEVICES.find(({ slug }) => slug === DEVICE)?.disparityBudget;
/** Largest mean difference, of 255. */
const ALIKE = 3;

const PORTRAIT = { pitch: 52, slope: -7, center: 0.5, DPI: 324, screenW: 1536, screenH: 2048, invView: 1 };
const REAL = {
  ...PORTRAIT,
  serial: 'LKG-PORT-19930',
  pitch: 52.58429360652222,
  slope: -7.179160974003201,
  center: 0.46257855394500685,
};
const GO = { ...PORTRAIT, pitch: 80.7, slope: -6.3, center: -0.3, DPI: 491, screenW: 1440, screenH: 2560 };

let script: string;
let folder: string;
test.beforeAll(async () => {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: join(ENGINE, 'src/webgl/index.ts'), formats: ['iife'], name: 'webgl', fileName: 'webgl' },
    },
  });
  const [{ output }] = made as unknown as [{ output: [{ code: string }] }];
  script = output[0].code;
  folder = await mkdtemp(join(tmpdir(), 'framelift-shaders-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test.beforeEach(async ({ page }) => {
  await page.addScriptTag({ content: `${script}; globalThis.webgl = webgl;` });
});

/** Draws in the browser. @returns RGB bytes from the top left */
async function drawn(page: Page, { file, packing, depth, look, canvas }: Shown): Promise<Buffer> {
  const encoded = async (path: string) => (await readFile(path)).toString('base64');
  const png = await page.evaluate(
    async ([picture, packing, depth, look, { width, height }, budget]) => {
      const blobOf = async (bytes: string) => (await fetch(`data:application/octet-stream;base64,${bytes}`)).blob();
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = height;
      const display = webgl.createDisplay(canvas) as Display;
      const colour = await blobOf(picture);
      let footage: Footage;
      const parallax: ParallaxOf = (scene) =>
        webgl.parallaxOf(look.mode === 'native' ? 'quilt' : 'sideBySide', 100, scene.size, scene.convergence(), budget);
      if (depth === null) {
        const pixels = await createImageBitmap(colour, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
        footage = display.open(pixels, packing);
      } else {
        const map = await blobOf(depth);
        const parts = { colour, depth: map, background: colour, backgroundDepth: map };
        footage = display.openDepth(await webgl.partsOf(parts));
        if (packing.kind === 'quilt')
          footage = display.addQuilt(footage, packing, { width: 420, height: 560 }, parallax);
      }
      display.draw({ footage, fit: 'fit', position: 0, parallax }, look);
      const url = canvas.toDataURL('image/png');
      footage.dispose();
      display.dispose();
      return url;
    },
    [await encoded(file), packing, depth === undefined ? null : await encoded(depth), look, canvas, BUDGET] as const,
  );
  return sharp(Buffer.from(png.slice(png.indexOf(',') + 1), 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer();
}

test.describe('a panel with lenses', () => {
  for (const [name, values, columns, views, places] of [
    [
      'the template of a Portrait',
      PORTRAIT,
      8,
      48,
      [
        [0, 0, 20, 18, 15],
        [100, 200, 3, 1, 46],
        [768, 1024, 31, 28, 26],
        [1535, 2047, 0, 45, 43],
      ],
    ],
    [
      'a real Portrait',
      REAL,
      8,
      48,
      [
        [0, 0, 18, 16, 13],
        [100, 200, 38, 35, 33],
        [768, 1024, 41, 39, 36],
        [1535, 2047, 23, 20, 18],
      ],
    ],
    [
      'the template of a Go',
      GO,
      11,
      66,
      [
        [0, 0, 41, 38, 34],
        [720, 1280, 48, 45, 41],
      ],
    ],
    [
      'a panel with cells, flipped',
      { ...PORTRAIT, flipSubp: 1, invView: 0, CellPatternMode: 3, subpixelCells: cells(4) },
      8,
      48,
      [],
    ],
  ] as const) {
    test(`shows behind each sub-pixel of ${name} the view of the formula`, async ({ page }) => {
      const calibration = parseCalibration(JSON.stringify(values));
      const { width, height } = calibration.screen;
      /** Step of brightness from view to view. */
      const step = Math.floor(255 / (views - 1));
      const [tileWidth, tileHeight, rows] = [8, 8, views / columns];
      const pixels = Buffer.alloc(3 * views * tileWidth * tileHeight);
      for (let y = 0; y < rows * tileHeight; y++)
        for (let x = 0; x < columns * tileWidth; x++) {
          const view = Math.floor(x / tileWidth) + (rows - 1 - Math.floor(y / tileHeight)) * columns;
          pixels.fill(view * step, 3 * (y * columns * tileWidth + x), 3 * (y * columns * tileWidth + x + 1));
        }
      const file = join(folder, `codes-${views}.png`);
      await sharp(pixels, { raw: { width: columns * tileWidth, height: rows * tileHeight, channels: 3 } })
        .png()
        .toFile(file);
      const shown = await drawn(page, {
        file,
        packing: { kind: 'quilt', columns, rows, aspect: width / height },
        look: { mode: 'native', calibration },
        canvas: { width, height },
      });
      const codesAt = (x: number, y: number) => [...shown.subarray(3 * ((height - 1 - y) * width + x)).subarray(0, 3)];
      // The middle of a view's share shows that view alone.
      const viewsAt = (x: number, y: number) =>
        codesAt(x, y).map((code) => Math.min(views - 1, Math.floor(code / step + 0.5)));
      for (const [x, y, ...expected] of places) expect([x, y, ...viewsAt(x, y)]).toEqual([x, y, ...expected]);

      const table = lensTable(calibration);
      let largest = 0;
      for (let y = 0; y < height; y++) {
        const { columns: phases, offset } = lensRow(table, y);
        const line = 3 * (height - 1 - y) * width;
        for (let i = 0; i < 3 * width; i++) {
          const place = lensPhase((phases[i] as number) + offset, table.invView) * views - 0.5;
          const wanted = step * Math.min(views - 1, Math.max(0, place));
          const difference = Math.abs((shown[line + i] as number) - wanted);
          // At a lens's edge the first and the last view meet: the last digit of the phase decides.
          if (difference < 100) largest = Math.max(largest, difference);
        }
      }
      expect(largest).toBeLessThan(1.5);
    });
  }
});

function cells(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    ROffsetX: -(i + 1) / 10,
    ROffsetY: -0.31,
    GOffsetX: -(i + 1) / 10,
    GOffsetY: 0.28,
    BOffsetX: (i + 1) / 10,
    BOffsetY: i / 8,
  }));
}

test('[U2] the outline of a near thing is smooth in the live preview, without stairs', async ({ page }) => {
  const [width, height] = [480, 640];
  const pictureOf = (value: (away: number) => number) => {
    const data = Buffer.from(
      Array.from({ length: width * height }, (_, i) =>
        value(Math.hypot((i % width) + 0.5 - width / 2, Math.floor(i / width) + 0.5 - height / 2)),
      ),
    );
    return sharp(data, { raw: { width, height, channels: 1 } })
      .toColourspace('srgb')
      .png()
      .toBuffer();
  };
  // The depth covers the mixed pixels of the outline, and is rounded towards it as real depth is.
  const colour = await pictureOf((away) => 20 + 230 * Math.min(1, Math.max(0, 120.5 - away)));
  const depth = await pictureOf((away) => (away < 122 ? 235 - 40 * (away / 122) ** 40 : 10));
  const ground = await pictureOf(() => 20);
  const far = await pictureOf(() => 10);
  const [left, right] = await page.evaluate(
    async (files) => {
      const [colour, depth, background, backgroundDepth] = await Promise.all(
        files.map(async (file) => (await fetch(`data:image/png;base64,${file}`)).blob()),
      );
      const canvas = Object.assign(document.createElement('canvas'), { width: 420, height: 560 });
      const parts = { colour, depth, background, backgroundDepth } as Parameters<typeof webgl.partsOf>[0];
      const renderer = webgl.createDepthRenderer(canvas, await webgl.partsOf(parts));
      return [-1, 1].map((position) => {
        renderer?.draw({ mode: 'quilt', position, strength: 100 });
        return canvas.toDataURL('image/png');
      });
    },
    [colour, depth, ground, far].map((file) => file.toString('base64')),
  );
  for (const url of [left, right] as string[]) {
    const { data } = await sharp(Buffer.from(url.slice('data:image/png;base64,'.length), 'base64'))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const step of [1, -1]) {
      /** Where a row crosses the middle between the ground and the disc, in pixels, seen from this side. */
      const outline = (y: number) => {
        let x = step > 0 ? 0 : 419;
        const at = (column: number) => data[y * 420 + column] as number;
        while (at(x) < 135) x += step;
        return x - (step * (at(x) - 135)) / (at(x) - at(x - step));
      };
      let sum = 0;
      for (let y = 190; y < 370; y++) sum += (outline(y - 1) - 2 * outline(y) + outline(y + 1)) ** 2;
      // The circle itself bends by 0.01 of a pixel from row to row; stairs of a pixel of the depth map by 0.5.
      expect(Math.sqrt(sum / 180)).toBeLessThan(0.3);
    }
  }
});

test('what the shaders make of a pair or a quilt is what the engine writes for the same display', async ({ page }) => {
  test.setTimeout(240_000);
  await writePicture();
  await writeFile(join(folder, 'visual.json'), JSON.stringify(REAL));
  await promisify(execFile)(
    process.execPath,
    [
      join(ENGINE, 'run.mjs'),
      'engine/src/cli.ts',
      'picture.png',
      '--depth',
      'depth.png',
      '--calibration',
      'visual.json',
      '--device',
      DEVICE,
      '--formats',
      'quilt,native,sbs,hsbs,anaglyph',
      '--out',
      'out',
    ],
    { cwd: folder },
  );
  const names = await readdir(join(folder, 'out'));
  const fileOf = (ending: RegExp) => join(folder, 'out', names.find((name) => ending.test(name)) as string);
  const pair = { file: fileOf(/LRF_Full_SBS/), packing: { kind: 'sideBySide', half: false } } as const;
  const quilt = { file: fileOf(/_qs8x6/), packing: { kind: 'quilt', columns: 8, rows: 6, aspect: 0.75 } } as const;
  const picture = { file: join(folder, 'picture.png'), depth: join(folder, 'depth.png') } as const;
  const calibration = parseCalibration(JSON.stringify(REAL));
  for (const [made, ending, mode] of [
    [quilt, /native/, 'native'],
    [pair, /redcyan/, 'anaglyph'],
    [pair, /_LR[.]/, 'hsbs'],
    [pair, /LRF_Full_SBS/, 'sbs'],
    [quilt, /_qs8x6/, 'quilt'],
    // Drawn from depth: compared where nothing opens behind the box.
    [{ ...picture, packing: { kind: 'whole' } }, /redcyan/, 'anaglyph'],
    [{ ...picture, packing: quilt.packing }, /native/, 'native'],
  ] as const) {
    const { data, info } = await sharp(fileOf(ending)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const shown = await drawn(page, { ...made, look: { mode, calibration }, canvas: info });
    let [sum, count] = [0, 0];
    for (let i = 0; i < data.length; i++) {
      const pixel = Math.floor(i / 3);
      const [u, v] = [(pixel % info.width) / info.width, Math.floor(pixel / info.width) / info.height];
      if ('depth' in made && isBesideBox(u, v)) continue;
      sum += Math.abs((data[i] as number) - (shown[i] as number));
      count++;
    }
    expect(count).toBeGreaterThan(data.length / 2);
    expect(sum / count, mode).toBeLessThan(ALIKE);
  }
});

const SIZE = { width: 900, height: 1200 };
const BOX = { left: 260, top: 350, width: 400, height: 500 };

/** True for a place, 0 … 1 from the top left, where the box covers or uncovers the wall in some view. */
function isBesideBox(u: number, v: number): boolean {
  const [x, y] = [u * SIZE.width, v * SIZE.height];
  const near = (a: number, b: number) => Math.abs(a - b) < 0.07 * SIZE.width;
  const isAtSide = near(x, BOX.left) || near(x, BOX.left + BOX.width);
  return isAtSide && y > BOX.top - 10 && y < BOX.top + BOX.height + 10;
}

/** Writes soft colour blobs on a box before a wall, and their depth. */
async function writePicture(): Promise<void> {
  const { width, height } = SIZE;
  let state = 11;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const blobs = (base: readonly number[], size: { width: number; height: number }) => {
    const [columns, rows] = [Math.round(size.width / 30), Math.round(size.height / 30)];
    const data = Buffer.from(
      Array.from({ length: columns * rows * 3 }, (_, i) => (base[i % 3] ?? 0) + (noise() - 0.5) * 100),
    );
    return sharp(data, { raw: { width: columns, height: rows, channels: 3 } })
      .resize({ ...size, fit: 'fill', kernel: 'cubic' })
      .png()
      .toBuffer();
  };
  const { left, top, ...box } = BOX;
  const place = { left, top };
  const plain = (size: { width: number; height: number }, grey: string) =>
    sharp({ create: { ...size, channels: 3, background: grey } }).png();
  await sharp(await blobs([110, 140, 180], { width, height }))
    .composite([{ input: await blobs([190, 120, 90], box), ...place }])
    .png()
    .toFile(join(folder, 'picture.png'));
  await sharp(await plain({ width, height }, '#000000').toBuffer())
    .composite([{ input: await plain(box, '#ffffff').toBuffer(), ...place }])
    .png()
    .toFile(join(folder, 'depth.png'));
}
