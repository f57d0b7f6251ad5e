import { htmlLangOf } from '@framelift/contract';
import type { Page } from '@playwright/test';
import { enterAsMember } from './support/member.ts';
import { expect, test } from './support/test.ts';
import { LANGUAGE_CODES, textOf } from './support/texts.ts';

const TITLE = textOf('en', 'landing', 'title');

for (const language of LANGUAGE_CODES) {
  const lang = htmlLangOf(language);
  const text = (key: string) => textOf(language, 'landing', key);

  test.describe(`without JavaScript, in ${language}`, () => {
    test.use({ locale: lang, javaScriptEnabled: false });

    test(`the landing page says in ${language} what it is and leads to the login [R-2.route-index.2]`, async ({
      page,
    }) => {
      const answer = await page.goto('/index');
      const html = (await answer?.text()) ?? '';
      const noScript = textOf(language, 'common', 'noScript');
      for (const words of [text('title'), text('lead'), text('start'), noScript]) expect(html).toContain(words);
      await expect(page.locator('html')).toHaveAttribute('lang', lang);
      await expect(page.getByRole('heading', { level: 1, name: text('title') })).toBeVisible();
      await expect(page.getByText(text('lead'))).toBeVisible();
      await expect(page.getByRole('button', { name: text('start') }).first()).toBeVisible();
      await expect(page.locator(`noscript [lang="${lang}"]`)).toBeVisible();
      await page.getByRole('link', { name: textOf(language, 'shell', 'side.login'), exact: true }).click();
      await expect(page).toHaveURL(/\/login$/);
    });
  });
}

/** Holds requests back until the returned function is called. */
async function hold(page: Page, requests: string): Promise<() => void> {
  let come = () => {};
  const held = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(requests, async (route) => {
    await held;
    await route.continue();
  });
  return come;
}

/** Where the parts of the first screen are. */
const places = (page: Page) =>
  page.evaluate(() =>
    ['header', 'h1', 'h1 + p', 'h1 ~ button', 'main [role="img"]'].map((part) => {
      const { x, y, width, height } = document.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
      return { part, x, y, width, height };
    }),
  );

/** Returns how far the page has shifted since the last call. */
const shiftSoFar = (page: Page) =>
  page.evaluate(() => {
    const { seen } = window as unknown as { seen: { shift: number } };
    const { shift } = seen;
    seen.shift = 0;
    return shift;
  });

for (const colorScheme of ['dark', 'light'] as const)
  for (const width of [360, 768, 1440])
    test(`the app takes the painted landing page over without moving it: ${width} px, ${colorScheme}`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'no-preference' });
      await page.setViewportSize({ width, height: 800 });
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.addInitScript(() => {
        const seen = { shift: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const letScriptsCome = await hold(page, '**/*.js');
      await page.goto('/', { waitUntil: 'commit' });
      const title = page.getByRole('heading', { level: 1, name: TITLE });
      await expect(title).toBeVisible();
      const painted = await title.elementHandle();
      // The font may come after the first paint, and its letters are not as wide as those before.
      await page.evaluate(() => document.fonts.ready.then(() => {}));
      expect(await shiftSoFar(page)).toBeLessThan(0.02);
      const before = await places(page);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);

      letScriptsCome();
      // The picture moves once the app has taken it over.
      await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(5);
      await expect(page).toHaveURL(/\/index$/);
      await expect
        .poll(() => page.evaluate(() => document.querySelectorAll('link[rel="stylesheet"]').length))
        .toBeGreaterThan(0);
      expect(await painted?.evaluate((shown) => shown.isConnected), 'React keeps what is painted').toBe(true);
      expect(await places(page)).toEqual(before);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(ground);
      // What comes into view below may still move what is below it.
      expect(await shiftSoFar(page)).toBeLessThan(0.02);
      expect(problems).toEqual([]);
      await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    });

test('what is pressed before the app has come happens once it has', async ({ page }) => {
  const letScriptsCome = await hold(page, '**/*.js');
  await page.goto('/index?lang=en', { waitUntil: 'commit' });
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  letScriptsCome();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Choose photo' })).toBeVisible();
});

test('a member who opens the site never sees the landing page of visitors', async ({ page }) => {
  await enterAsMember(page);
  await page.addInitScript((title) => {
    const watch = () => {
      const heading = [...document.querySelectorAll('h1')].find(({ textContent }) => textContent === title);
      if (heading?.checkVisibility({ visibilityProperty: true })) sessionStorage.setItem('flashed', location.pathname);
      requestAnimationFrame(watch);
    };
    watch();
  }, TITLE);
  const flashed = () => page.evaluate(() => sessionStorage.getItem('flashed'));
  await page.goto('/');
  await expect(page).toHaveURL(/\/player$/);
  await expect(
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Menu' }),
  ).toBeVisible();
  expect(await flashed()).toBeNull();
});

test('whose session has ended without their knowing sees the landing page once that is known, and not before', async ({
  page,
}) => {
  await page.goto('/login?lang=en');
  await page.evaluate(() => localStorage.setItem('session', 'member'));
  const answer = await hold(page, '**/api/user');
  const asked = page.waitForRequest('**/api/user');
  await page.goto('/');
  await asked;
  const title = page.getByRole('heading', { level: 1, name: TITLE });
  await expect(title).toBeHidden();
  answer();
  await expect(title).toBeVisible();
});
