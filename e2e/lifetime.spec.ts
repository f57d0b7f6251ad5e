import type { Page } from '@playwright/test';
import { enterAsMember, logIn } from './support/member.ts';
import { expect, test } from './support/test.ts';

/*
 * The app through time and in browsers of their own will: a new version while a tab is open, no connection, the
 * browser's translation, and storage that is denied.
 */

/** Makes the server look upgraded: it knows only the scripts of a version that this tab does not have. */
async function upgrade(page: Page): Promise<() => Promise<void>> {
  const old = (await page.locator('script[type="module"]').getAttribute('src')) ?? '';
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.route('**/', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(old, '/assets/index-next.js') });
  });
  return () => page.unrouteAll({ behavior: 'ignoreErrors' });
}

test.describe(() => {
  // Requests that a worker answers cannot be replaced here; install.spec.ts proves the same with the worker.
  test.use({ serviceWorkers: 'block' });

  test('a tab that stays open over an upgrade takes the new version by itself where nothing is lost, and says so elsewhere [W17]', async ({
    page,
  }) => {
    await page.goto('/login?lang=en');
    const email = page.getByRole('tabpanel').getByLabel(/^e-?mail/i);
    await expect(email).toBeVisible();
    await email.fill('mei@example.org');
    const finish = await upgrade(page);
    await page.getByRole('button', { name: 'Side menu' }).click();
    await expect(page.getByText('There is a new version of Framelift.')).toBeVisible();
    await expect(email).toHaveValue('mei@example.org');

    await email.fill('');
    await page.evaluate(() => Object.assign(window, { old: true }));
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.waitForFunction(() => !('old' in window));
    await finish();
    await page.goto('/login?lang=en');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(page.getByRole('dialog', { name: 'Forgot your password?' })).toBeVisible();
  });
});

test('without a connection a page says so, and goes on by itself when it is back [U12]', async ({ page, context }) => {
  await enterAsMember(page);
  await page.goto('/menu?lang=en');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(page.getByText('This page did not load')).toBeHidden();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeHidden();
});

test('the translation of the browser takes no page down, and what is typed stays [W18]', async ({ page }) => {
  await page.goto('/register?lang=en');
  const form = page.getByRole('tabpanel', { name: 'Register' });
  const password = form.getByLabel('Password', { exact: true });
  await form.getByLabel(/^e-?mail/i).fill('mei@example.org');
  await translate(page);
  for (const letter of 'Lifted-3-Layers') {
    await password.press(letter);
    await translate(page);
  }
  await password.fill('short');
  await translate(page);
  await form.getByRole('checkbox').check();
  await translate(page);
  await page.getByRole('tab').first().click();
  await page.getByRole('tab').last().click();
  await expect(password).toHaveValue('short');
  await expect(form.getByLabel(/^e-?mail/i)).toHaveValue('mei@example.org');
  await expect(page.getByText('This page did not load')).toBeHidden();
});

/** Wraps every text of the page, as the translator of Chromium does. */
const translate = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('script, style, font')) continue;
      const font = document.createElement('font');
      text.replaceWith(font);
      font.append(text);
    }
  });

test('a browser that denies storage shows all pages, and a login leads to the page that was asked for [W27]', async ({
  page,
}) => {
  const member = await enterAsMember(page);
  await page.context().clearCookies();
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  });
  await page.goto(`/login?lang=en&redirect=${encodeURIComponent('/menu/order')}`);
  await logIn(page, member);
  await expect(page).toHaveURL('/menu/order');
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  for (const [path, heading] of [
    ['/index', /./],
    ['/register', /./],
    ['/qa', /./],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
  }
});

for (const path of ['/frame', '/index']) {
  test(`a browser that is too old to run ${path} is told which ones can [W28]`, async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(path);
    await expect(page.getByText(/^Nothing (appears|happens)\? This page needs Chrome/)).toBeVisible();
    await expect(page.getByText('Safari 1').last()).toBeVisible();
  });
}
