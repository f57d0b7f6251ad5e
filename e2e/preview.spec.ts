import type { MediaDetail } from '@framelift/contract';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { callApi } from './support/api.ts';
import { pictureAt } from './support/preview.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile } from './support/upload.ts';

/*
 * Preview = result: the same picture at the same size, rendered by the shader and read from the server's file, must be
 * equal except near depth edges, where occluded areas are filled in.
 */

const [COLUMNS, ROWS] = [8, 6];
/** Size of a tile of the quilt; the preview is resized to exactly this size. */
const [WIDTH, HEIGHT] = [420, 560];
/** Largest mean difference, of 255. */
const ALIKE = 3;
/**
 * Depth difference (of 255) between next-but-one pixels that counts as an edge, where content is revealed or occluded.
 */
const EDGE = 6;

test('the live preview shows what the files of the server show: views of a quilt and the red-cyan picture, at any strength and convergence; the pointer moves it under reduced motion too [V60] [U19]', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.addInitScript(() => {
    // Keeps the drawing buffer readable after it was displayed.
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: object) {
      return original.call(this, kind, { ...options, preserveDrawingBuffer: true });
    } as typeof original;
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  await chooseFile(page, { name: 'pattern.png', mimeType: 'image/png', buffer: await patternedPicture() });
  await sendFile(page, /\/guestPage\?media=/);
  const id = new URL(page.url()).searchParams.get('media') as string;
  await shown(page);

  await test.step('by pointer', async () => {
    const [left, right] = [await pictureAt(preview(page), 0.05), await pictureAt(preview(page), 0.95)];
    expect(left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length).toBeGreaterThan(
      1,
    );
  });
  await test.step('at full strength', async () => {
    await compareQuilt(page, id, [0, 17, 47]);
    await compareAnaglyph(page, id);
  });
  const { device_type_id } = await media(page, id);
  const effects = await callApi<{ id: number; effect: string }[]>(
    page,
    `effect_params?device_type_id=${device_type_id}&media_type=1`,
  );
  await test.step('at less strength, with nearly everything before the frame', async () => {
    const less = effects.find(({ effect }) => effect === '40%');
    await callApi(page, `media/${id}/change`, { effect_param_id: less?.id, convergence: 0.1 });
    await expect.poll(async () => (await media(page, id)).status, { timeout: 60_000 }).toBe(1);
    await page.reload();
    await shown(page);
    await compareQuilt(page, id, [0, 40]);
  });
});

/** Returns smooth colour blobs on a box in front of a wall: any shift by a pixel is measurable. */
async function patternedPicture(): Promise<Buffer> {
  const [width, height] = [600, 800];
  let state = 11;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const blobs = async (base: readonly number[], strength: number, coarse: number) => {
    const [columns, rows] = [Math.round(width / coarse), Math.round(height / coarse)];
    const data = Buffer.from(
      Array.from({ length: columns * rows * 3 }, (_, i) => (base[i % 3] ?? 0) + (noise() - 0.5) * strength),
    );
    return sharp(data, { raw: { width: columns, height: rows, channels: 3 } })
      .resize(width, height, { kernel: 'cubic', fit: 'fill' })
      .raw()
      .toBuffer();
  };
  const wall = await blobs([150, 175, 205], 80, 14);
  const ground = await blobs([110, 110, 80], 80, 10);
  const box = await blobs([200, 80, 70], 100, 9);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inBox = x > width * 0.3 && x < width * 0.72 && y > height * 0.4 && y < height * 0.9;
      const from = inBox ? box : y > height * 0.62 ? ground : wall;
      from.copy(wall, 3 * (y * width + x), 3 * (y * width + x), 3 * (y * width + x) + 3);
    }
  }
  return sharp(wall, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const shown = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible({ timeout: 120_000 });
  await expect(preview(page).locator('canvas')).toBeVisible();
};
const preview = (page: Page) => page.getByRole('img', { name: /in 3D/ });

const media = (page: Page, id: string) => callApi<MediaDetail>(page, `media/${id}`);

async function file(page: Page, id: string, format: string): Promise<Buffer> {
  const [link] = await callApi<{ url: string }[]>(page, 'getMediaLink', { id, format });
  return (await page.request.get(link?.url ?? '')).body();
}

/** Returns the RGB pixels of a picture, or of a part of it, at the common size. */
async function pixels(bytes: Buffer, part?: { left: number; top: number }): Promise<Buffer> {
  const picture = sharp(bytes).removeAlpha();
  const cut = part ? picture.extract({ ...part, width: WIDTH, height: HEIGHT }) : picture;
  return cut.resize(WIDTH, HEIGHT, { fit: 'fill' }).raw().toBuffer();
}

async function look(page: Page, mode: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'View' }).getByText(mode).click();
  await preview(page).evaluate(
    (canvas, [width, height]) => {
      const frame = canvas.parentElement as HTMLElement;
      Object.assign(frame.style, { width: `${width}px`, height: `${height}px`, flex: 'none' });
    },
    [WIDTH, HEIGHT] as const,
  );
}

/** Returns the pixels of the canvas when it no longer changes. */
async function canvasPixels(page: Page): Promise<Buffer> {
  let last = '';
  await expect
    .poll(
      async () => {
        const now = await preview(page)
          .locator('canvas')
          .evaluate((canvas: HTMLCanvasElement) => `${canvas.width}x${canvas.height} ${canvas.toDataURL()}`);
        const same = now === last && now.startsWith(`${WIDTH}x${HEIGHT} `);
        last = now;
        return same;
      },
      { intervals: [200], timeout: 20_000 },
    )
    .toBe(true);
  return pixels(Buffer.from(last.slice(last.indexOf(',') + 1), 'base64'));
}

/** Marks the pixels within `reach` of a depth edge. */
async function nearEdges(page: Page, id: string, reach: number): Promise<Uint8Array> {
  const address = (await media(page, id)).preview?.depth ?? '';
  const depth = await sharp(await (await page.request.get(address)).body())
    .resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'nearest' })
    .greyscale()
    .raw()
    .toBuffer();
  const marked = new Uint8Array(WIDTH * HEIGHT);
  const at = (x: number, y: number) => depth[Math.min(HEIGHT - 1, y) * WIDTH + Math.min(WIDTH - 1, x)] ?? 0;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const jump = Math.max(Math.abs(at(x + 2, y) - at(x, y)), Math.abs(at(x, y + 2) - at(x, y)));
      if (jump <= EDGE) continue;
      for (let row = Math.max(0, y - 3); row <= Math.min(HEIGHT - 1, y + 5); row++)
        marked.fill(1, row * WIDTH + Math.max(0, x - reach), row * WIDTH + Math.min(WIDTH, x + reach + 3));
    }
  }
  const share = marked.reduce((sum, value) => sum + value, 0) / marked.length;
  expect(share, 'share of the picture near depth edges').toBeLessThan(0.6);
  return marked;
}

/** Returns the mean difference of the pixels that are not near an edge, of 255. */
function difference(a: Buffer, b: Buffer, marked: Uint8Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < marked.length; i++) {
    if (marked[i]) continue;
    for (let c = 0; c < 3; c++) sum += Math.abs((a[3 * i + c] ?? 0) - (b[3 * i + c] ?? 0));
    count += 3;
  }
  return sum / count;
}

async function compareQuilt(page: Page, id: string, views: readonly number[]): Promise<void> {
  const quilt = await file(page, id, 'quilt');
  const marked = await nearEdges(page, id, 22);
  await look(page, 'All views');
  await preview(page).focus();
  await page.keyboard.press('Home');
  let at = 0;
  let first: Buffer | undefined;
  for (const view of views) {
    for (; at < view; at++) await page.keyboard.press('ArrowRight');
    const inFile = await pixels(quilt, {
      left: (view % COLUMNS) * WIDTH,
      top: (ROWS - 1 - Math.floor(view / COLUMNS)) * HEIGHT,
    });
    const onScreen = await canvasPixels(page);
    expect(difference(onScreen, inFile, marked), `view ${view} on the screen and in the file`).toBeLessThan(ALIKE);
    first ??= inFile;
    // Checks that the comparison can fail: another view differs.
    if (view !== views[0]) expect(difference(onScreen, first, marked)).toBeGreaterThan(ALIKE);
  }
}

async function compareAnaglyph(page: Page, id: string): Promise<void> {
  const marked = await nearEdges(page, id, 10);
  const inFile = await pixels(await file(page, id, 'anaglyph'));
  await look(page, 'Red-cyan');
  const onScreen = await canvasPixels(page);
  expect(difference(onScreen, inFile, marked), 'the red-cyan picture on the screen and in the file').toBeLessThan(
    ALIKE,
  );
}
