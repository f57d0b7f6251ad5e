import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { keepScreen } from './support/screens.ts';
import { type RunningServer, startServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

// Shared UI components on the component gallery: tests of what only a real browser can show.

// The requests of a worker cannot be answered by a test.
test.use({ serviceWorkers: 'block' });

let dev: RunningServer;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  dev = await startServer({ ENVIRONMENT: 'dev' });
});
test.afterAll(() => dev.remove());

async function openGallery(page: Page, language = 'en') {
  await page.goto(`${dev.url}/dev/ui?lang=${language}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-exhibit]')).toHaveCount(11);
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

test('the gallery is not there in production, and its code is not fetched', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto('/dev/ui?lang=en');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-exhibit]')).toHaveCount(0);
  expect(fetched.filter((path) => /Gallery|\/dev-/i.test(path))).toEqual([]);
});

test('every part stands in both themes and three languages on a phone: nothing sticks out, axe finds nothing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [language, colorScheme] of [
    ['en', 'dark'],
    ['zh', 'light'],
    ['ja', 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await openGallery(page, language);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await expectAccessible(page, `the gallery in ${language}, ${colorScheme}`);
    await keepScreen(page, `gallery-${language}-${colorScheme}`);
  }
});

test('an SVG becomes part of the page, harmless and in the colour of the text [R-2.image-widget.4] [R-2.image-widget.2]', async ({
  page,
}) => {
  await page.route(/\/cube-[^/]*\.svg$/, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="window.hit = 1">
        <title>tip</title><script>window.hit = 1</script><style>body { display: none }</style>
        <a href="javascript:void 0"><text>press</text></a>
        <foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="window.hit = 1"/></foreignObject>
        <image href="https://elsewhere.example/pixel.png"/><use href="#other"/>
        <path id="cube" class="page" style="fill: red" fill="#123456" onclick="window.hit = 1" d="M0 0h8v8z"/></svg>`,
    }),
  );
  await openGallery(page);
  const widget = page.locator('[data-exhibit="images"] [data-state]').first();
  const path = widget.locator('svg path');
  await expect(path).toHaveCount(1);
  expect(
    await widget.locator('svg').evaluate((svg) => [...svg.querySelectorAll('*')].map((one) => one.tagName)),
  ).toEqual(['path']);
  const [attributes, fill, colour] = await path.evaluate((one) => [
    one.getAttributeNames().sort(),
    getComputedStyle(one).fill,
    getComputedStyle(one).color,
  ]);
  expect(attributes).toEqual(['d', 'fill']);
  expect(fill).toBe(colour);
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();

  await widget.hover();
  await expect(widget).toHaveAttribute('data-state', 'hover');
  await page.mouse.move(0, 0);
  await expect(widget).toHaveAttribute('data-state', 'normal');
});

test('the success note burns fireworks within the content security policy, and goes [R-2.success-note.1] [R-2.success-note.2]', async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await openGallery(page);
  await press(page, 'Celebrate');
  const note = page.getByRole('alert').filter({ hasText: 'You are a VIP now' });
  await expect(note).toBeVisible();
  const sparks = () =>
    page.locator('canvas').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const pixels = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      return pixels.some((value) => value > 0);
    });
  await expect.poll(sparks).toBe(true);
  await expect(note).toBeHidden();
  await expect(page.locator('canvas')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('"back" closes the top one of stacked dialogs, also after a reload, and then leaves [R-4.modal.1] [R-4.modal.2]', async ({
  page,
}) => {
  await page.goto(`${dev.url}/index?lang=en`);
  await openGallery(page);
  await press(page, 'Open a dialog');
  await press(page, 'Open another');
  const dialog = (level: number) => page.getByRole('dialog', { name: `Dialog ${level}` });
  await expect(dialog(2)).toBeVisible();
  await page.goBack();
  await expect(dialog(2)).toBeHidden();
  await expect(dialog(1)).toBeVisible();
  // A reload closes the dialog but keeps its history entry.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(dialog(1)).toHaveCount(0);
  await press(page, 'Open a dialog');
  await expect(dialog(1)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(1)).toBeHidden();
  await expect(page).toHaveURL(/\/dev\/ui/);
});

test('what the operator announces lies over the page until it is closed for good [R-2.announcement.1] [R-4.announcement.2]', async ({
  page,
}) => {
  await openGallery(page);
  await press(page, 'Announce something');
  const overlay = page.getByRole('dialog', { name: 'Announcement' });
  await expect(overlay).toContainText('New frames have arrived.');
  await expectAccessible(page, 'the announcement');
  await overlay.getByRole('checkbox', { name: 'Never show again' }).check();
  await overlay.getByRole('button', { name: 'Close' }).last().click();
  await expect(overlay).toBeHidden();
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'isKnown');
  expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax', value: expect.stringMatching(/^[0-9a-f-]{36}$/) });
});
