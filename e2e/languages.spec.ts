import { expect, test } from './support/test.ts';

const HTML_LANG = { zh: 'zh-Hant-TW', en: 'en', ja: 'ja' } as const;
const DAYS_30 = 30 * 24 * 60 * 60;

test('the first visit speaks Chinese, a choice stays for 30 days, the address wins [R-2.header.8] [R-4.lang-change.1] [R-2.query.4]', async ({
  page,
  context,
}) => {
  const html = page.locator('html');
  await page.goto('/index');
  await expect(html).toHaveAttribute('lang', HTML_LANG.zh);

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

const REFUSALS = { en: 'Log in', zh: '登入', ja: 'ログイン' } as const;

for (const [language, button] of Object.entries(REFUSALS)) {
  test(`a refusal of the server is told in the language of the page: ${language} [R-4.lang-change.2]`, async ({
    page,
  }) => {
    await page.goto(`/login?lang=${language}`);
    const form = page.getByRole('tabpanel', { name: button });
    await form.locator('input[name="email"]').fill('nobody@example.org');
    await form.locator('input[name="password"]').fill('Wrong-Password-1');
    const answer = page.waitForResponse(/\/api\/login$/);
    await form.getByRole('button', { name: button, exact: true }).click();
    const { code, message } = (await (await answer).json()) as { code: string; message: string };
    expect(code).toBe('loginFailed');
    await expect(page.getByText(message)).toBeVisible();
    const script = { en: /^[\p{Script=Latin}\p{P}\s\d]+$/u, zh: /\p{Script=Han}/u, ja: /\p{Script=Hiragana}/u };
    expect(message).toMatch(script[language as keyof typeof script]);
  });
}
