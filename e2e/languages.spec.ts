import { featurePreset } from '@framelift/contract';
import type { Page } from '@playwright/test';
import { expectContrast } from './support/axe.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile } from './support/upload.ts';

const HTML_LANG = { zh: 'zh-Hant-TW', en: 'en', ja: 'ja' } as const;
const DAYS_30 = 30 * 24 * 60 * 60;

const REFUSALS = { en: 'Log in', zh: '登入', ja: 'ログイン' } as const;

/** Logs in wrongly, and expects the server's sentence on the page, in the language of the page. */
async function expectRefusal(page: Page, language: keyof typeof REFUSALS): Promise<void> {
  const button = REFUSALS[language];
  const form = page.getByRole('tabpanel', { name: button });
  await form.locator('input[name="email"]').fill('nobody@example.org');
  await form.locator('input[name="password"]').fill('Wrong-Password-1');
  const answer = page.waitForResponse(/\/api\/login$/);
  await form.getByRole('button', { name: button, exact: true }).click();
  const { code, message } = (await (await answer).json()) as { code: string; message: string };
  expect(code).toBe('loginFailed');
  await expect(form.getByText(message)).toBeVisible();
  const script = { en: /^[\p{Script=Latin}\p{P}\s\d]+$/u, zh: /\p{Script=Han}/u, ja: /\p{Script=Hiragana}/u };
  expect(message).toMatch(script[language]);
}

const FIRST_VISITS = [
  { locale: 'zh-TW', language: 'zh' },
  { locale: 'ja-JP', language: 'ja' },
  { locale: 'en-GB', language: 'en' },
  { locale: 'fr-FR', language: 'zh' },
] as const;

for (const { locale, language } of FIRST_VISITS) {
  test.describe(`in a browser that speaks ${locale}`, () => {
    test.use({ locale });

    test(`the first visit speaks ${language}, and so does the server's first answer [R-2.header.8]`, async ({
      page,
    }) => {
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('lang', HTML_LANG[language]);
      await expect(page.getByRole('tab', { name: REFUSALS[language] })).toBeVisible();
      await expectRefusal(page, language);
    });
  });
}

test.describe('in a browser that speaks ja-JP', () => {
  test.use({ locale: 'ja-JP' });

  test('the preset literal speaks Chinese at once [R-2.header.8]', async ({ page }) => {
    await page.route('**/api/config', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { message: object };
      await route.fulfill({ json: { ...body, message: { ...body.message, features: featurePreset('literal') } } });
    });
    await page.goto('/index');
    await expect(page.locator('html')).toHaveAttribute('lang', HTML_LANG.zh);
  });
});

test('a choice stays for 30 days, and the address wins [R-4.lang-change.1] [R-2.query.4]', async ({
  page,
  context,
}) => {
  const html = page.locator('html');
  await page.goto('/index');
  await expect(html).toHaveAttribute('lang', HTML_LANG.en);

  const chooser = page.getByRole('navigation').locator('[aria-haspopup="menu"]');
  await chooser.click();
  await page.getByRole('menuitemradio', { name: '日本語' }).click();
  await expect(html).toHaveAttribute('lang', HTML_LANG.ja);
  const cookie = (await context.cookies()).find(({ name }) => name === 'lang');
  expect(cookie?.value).toBe('ja');
  expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - DAYS_30)).toBeLessThan(60);

  await page.reload();
  await expect(html).toHaveAttribute('lang', HTML_LANG.ja);
  await page.goto('/index?lang=en');
  await expect(html).toHaveAttribute('lang', HTML_LANG.en);
});

for (const language of ['en', 'zh', 'ja'] as const) {
  test(`a refusal of the server is told in the language of the page: ${language} [R-4.lang-change.2]`, async ({
    page,
  }) => {
    await page.goto(`/login?lang=${language}`);
    await expectRefusal(page, language);
  });
}

test('the list of frames is found by typing, and what is highlighted in it can be read [U10]', async ({ page }) => {
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  await chooseFile(page, { name: 'shop.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(10) });
  const field = page.getByRole('dialog').getByLabel('For which frame?');
  await field.click();
  for (const name of ['This phone or the web', 'Looking Glass Portrait', 'Plain 3:4 frame'])
    await expect(page.getByRole('option', { name })).toBeVisible();
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[data-combobox-selected]')).toBeVisible();
    await expectContrast(page, `the list of frames, ${scheme}`);
  }
  await field.fill('cyan');
  await expect(page.getByRole('option')).toHaveText(['Red-cyan glasses']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('Red-cyan glasses');
  await page.reload();
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  await chooseFile(page, { name: 'shop.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(10) });
  await expect(field).toHaveValue('Red-cyan glasses');
  await field.click();
  await expect(page.getByRole('option').first()).toHaveText('Red-cyan glasses');
});

const TERMS = [
  'The account is personal.',
  'Shared or abused accounts may be restricted.',
  'Subscriptions renew monthly only.',
  'Payments are not refundable.',
  'A failed payment suspends the membership until it is paid.',
  'Monday to Friday, 10:00–18:00 (Taiwan time, GMT+8).',
];

test('the terms say what a member agrees to [R-1.terms.3] [R-1.terms.4] [R-1.terms.5] [R-1.terms.6] [R-1.terms.7] [R-1.terms.9] [R-1.terms.10]', async ({
  page,
}) => {
  await page.goto('/terms?lang=en');
  for (const sentence of TERMS) await expect(page.getByText(sentence)).toBeVisible();
  await expect(page.getByText('Last updated: April 2025')).toBeVisible();
  for (const language of ['zh', 'ja']) {
    await page.goto(`/terms?lang=${language}`);
    const service = page.locator('#service');
    await expect(service).toContainText('10:00–18:00');
    await expect(page.locator('#payment li')).toHaveCount(3);
    await expect(page.locator('#membership li')).toHaveCount(3);
    await expect(page.getByText(/2025 ?年 ?4 ?月/)).toBeVisible();
  }
});
