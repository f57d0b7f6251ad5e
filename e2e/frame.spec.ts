import { MEDIA_STATUS } from '@framelift/contract';
import type { Locator, Page, ViewportSize } from '@playwright/test';
import { memberClient, uploadFlatJpeg, uploadJpeg, waitForMedia } from './support/api.ts';
import { expectAccessible } from './support/axe.ts';
import { expectInPlace } from './support/layout.ts';
import { madePhoto } from './support/photos.ts';
import { keepScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const LANGUAGES = [
  { locale: 'en-GB', htmlLang: 'en', title: 'Pair this screen', viewport: { width: 1920, height: 1080 } },
  { locale: 'zh-TW', htmlLang: 'zh-Hant-TW', title: '配對這個螢幕', viewport: { width: 768, height: 1024 } },
  { locale: 'ja-JP', htmlLang: 'ja', title: 'この画面をペアリング', viewport: { width: 360, height: 640 } },
] as const;

for (const { locale, htmlLang, title, viewport } of LANGUAGES) {
  test.describe(() => {
    test.use({ locale, viewport });

    test(`a screen of ${viewport.width} × ${viewport.height} that speaks ${locale} shows how it is paired, all of it, with nothing from elsewhere [A89]`, async ({
      page,
    }) => {
      const asked = new Set<string>();
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      await page.goto('/frame');
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByText(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)).toBeInViewport({
        ratio: 1,
      });
      await expect(page.getByRole('timer')).toBeInViewport({ ratio: 1 });
      await expect(page.locator('html')).toHaveAttribute('lang', htmlLang);
      await expectInPlace(page, `the frame's page in ${locale}`);
      await expectAccessible(page, `the frame's page in ${locale}`);
      expect(asked.size).toBe(1);
      await keepScreen(page, `frame-${locale}`);
    });
  });
}

/** Screens of display frames: a Looking Glass upright, a monitor upright, a television. */
const DISPLAYS = [
  { width: 1536, height: 2048 },
  { width: 1440, height: 2560 },
  { width: 3840, height: 2160 },
] as const;

/** Screens on which there is hardly room for what a frame says: a phone upright and lying, and a square one. */
const TIGHT = [
  { width: 360, height: 640 },
  { width: 640, height: 360 },
  { width: 1000, height: 1000 },
] as const;

test('whatever a frame says is whole, and large enough for three metres, on displays of 1536 × 2048, 1440 × 2560 and 3840 × 2160 [A89]', async ({
  browser,
  app,
}) => {
  test.setTimeout(360_000);
  const [, email = '', password = ''] = /Member\s+(\S+)\s+password (\S+)/.exec(app.output()) ?? [];
  const member = await memberClient(app.url, { email, password });
  const picture = await uploadFlatJpeg(app.url, member, await madePhoto(5, 1200, 1600), 'harbour.jpg');
  const context = await browser.newContext({ baseURL: app.url, locale: 'ja-JP', viewport: DISPLAYS[0] });
  const frame = await context.newPage();
  await frame.goto('/frame');
  const code = await frame.getByText(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/).textContent();
  await expectLegible(frame, 'code');
  await expectLegible(frame, 'code', { on: TIGHT });
  await expectCentred(frame.locator('.pairing'));

  const name = 'リビングの大きな窓のそばのフレーム';
  const { id } = await member.call('addDevice', { input: { deviceId: code ?? '', name } });
  await expect(frame.getByText('表示する写真はまだありません。')).toBeVisible({ timeout: 45_000 });
  await expectLegible(frame, 'empty');
  await expectLegible(frame, 'empty', { on: TIGHT });
  await frame.getByRole('button', { name: 'ペアリングを解除' }).click();
  await expect(frame.getByRole('group')).toBeVisible();
  await expectLegible(frame, 'question');
  await expectLegible(frame, 'question', { on: TIGHT });
  await frame.getByRole('button', { name: 'このままにする' }).click();
  await context.setOffline(true);
  await expect(frame.getByRole('status').first()).toContainText('ネットワーク');
  await expectLegible(frame, 'offline');
  await context.setOffline(false);

  const setOptions = (input: object) => member.call('setFrameOptions', { params: { id }, input });
  await setOptions({ mode: 'flat', clock: true });
  await waitForMedia(member, picture, ({ status }) => status === MEDIA_STATUS.finished);
  await member.call('showOnFrame', { input: { frames: [id], media_ids: [picture], album_ids: [] } });
  await expect(frame.locator('.player[data-scene="playing"]')).toBeVisible({ timeout: 60_000 });
  await expect(frame.locator('.player-clock')).toBeVisible();
  await expectLegible(frame, 'playing');
  await frame.locator('.player').click();
  await expect(frame.getByRole('toolbar')).toBeVisible();
  await expectLegible(frame, 'controls', { before: () => frame.keyboard.press('ArrowUp') });
  await setOptions({ sleep: { from: '00:00', to: '23:59' } });
  await expect(frame.locator('.player[data-scene="asleep"]')).toBeVisible({ timeout: 45_000 });
  await expectLegible(frame, 'asleep');
  await context.close();
});

test('a frame that can draw none of its pictures, and a browser too old for it, say so as legibly [A89][W28]', async ({
  browser,
  app,
}) => {
  test.setTimeout(300_000);
  const [, email = '', password = ''] = /Member\s+(\S+)\s+password (\S+)/.exec(app.output()) ?? [];
  const member = await memberClient(app.url, { email, password });
  const picture = await uploadFlatJpeg(app.url, member, await madePhoto(6, 600, 800), 'garden.jpg');
  const context = await browser.newContext({ baseURL: app.url, locale: 'en-GB', viewport: DISPLAYS[0] });
  const frame = await context.newPage();
  await frame.addInitScript(() => {
    globalThis.createImageBitmap = () => Promise.reject(new Error('This browser decodes nothing'));
  });
  await frame.goto('/frame');
  const code = await frame.getByText(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/).textContent();
  const { id } = await member.call('addDevice', { input: { deviceId: code ?? '', name: 'Hall' } });
  await waitForMedia(member, picture, ({ status }) => status === MEDIA_STATUS.finished);
  await member.call('showOnFrame', { input: { frames: [id], media_ids: [picture], album_ids: [] } });
  await expect(frame.getByText('This screen cannot show any of these pictures. It keeps trying.')).toBeVisible({
    timeout: 60_000,
  });
  await expectLegible(frame, 'broken');
  await context.close();

  const old = await browser.newContext({ baseURL: app.url, viewport: DISPLAYS[0] });
  const page = await old.newPage();
  // Its script does not run.
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/frame');
  await expect(page.getByText('Nothing appears?')).toBeVisible();
  await expectLegible(page, 'too-old');
  await old.close();
});

test('a browser of 2020, which decodes pictures without any options, plays them flat, smaller, and from depth [W28]', async ({
  browser,
  app,
}) => {
  test.setTimeout(300_000);
  const [, email = '', password = ''] = /Member\s+(\S+)\s+password (\S+)/.exec(app.output()) ?? [];
  const member = await memberClient(app.url, { email, password });
  const pictures = [
    await uploadFlatJpeg(app.url, member, await madePhoto(8, 1500, 2000), 'large.jpg'),
    await uploadJpeg(app.url, member, await madePhoto(9, 300, 400), 'deep.jpg'),
  ];
  for (const id of pictures) await waitForMedia(member, id, ({ status }) => status === MEDIA_STATUS.finished, 120_000);
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'en-GB',
    viewport: { width: 600, height: 800 },
  });
  const frame = await context.newPage();
  await frame.addInitScript(() => {
    const decode = globalThis.createImageBitmap;
    globalThis.createImageBitmap = async (...given: unknown[]) => {
      if (given.length > 1) throw new TypeError('1 is not a valid argument count for any overload.');
      return decode(given[0] as Blob);
    };
  });
  await frame.goto('/frame');
  const code = await frame.getByText(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/).textContent();
  const { id } = await member.call('addDevice', { input: { deviceId: code ?? '', name: 'Attic' } });
  await member.call('setFrameOptions', { params: { id }, input: { intervalSeconds: 5, mode: 'parallax' } });
  await member.call('showOnFrame', { input: { frames: [id], media_ids: pictures, album_ids: [] } });
  for (const name of ['large.jpg', 'deep.jpg'])
    await expect(frame.locator('.player-title')).toHaveText(name, { timeout: 60_000 });
  expect((await member.call('getFrame', { params: { id } })).problems).toEqual([]);
  await context.close();
});

async function expectCentred(element: Locator): Promise<void> {
  const box = await element.boundingBox();
  const height = element.page().viewportSize()?.height ?? 0;
  expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - height / 2)).toBeLessThan(2);
}

/** At each size of a display: all texts are within the screen, and at least a forty-fifth of its shorter side high. */
async function expectLegible(
  page: Page,
  what: string,
  { on = DISPLAYS, before }: { on?: readonly ViewportSize[]; before?: () => Promise<void> } = {},
): Promise<void> {
  for (const display of on) {
    await page.setViewportSize(display);
    await before?.();
    const size = `${display.width}x${display.height}`;
    await keepScreen(page, `frame-${what}-${size}`);
    const faults = () => page.evaluate(findIllegible);
    await expect.poll(faults, { message: `${what} at ${size}` }).toEqual([]);
  }
}

/** Runs in the page. */
function findIllegible(): string[] {
  const faults: string[] = [];
  const { innerWidth: width, innerHeight: height } = window;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const said = texts.currentNode.nodeValue?.trim();
    if (!said || !element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > width || bottom > height) faults.push(`outside of the screen: ${said}`);
    const font = Number.parseFloat(getComputedStyle(element).fontSize);
    if (font < Math.min(width, height) / 45) faults.push(`${font} px: ${said}`);
  }
  if (document.documentElement.scrollHeight > height) faults.push('higher than the screen');
  return faults;
}
