import { expectAccessible } from './support/axe.ts';
import { keepScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NOTICES = [
  { locale: 'en-GB', htmlLang: 'en', text: /possible in a coming version/ },
  { locale: 'zh-TW', htmlLang: 'zh-Hant-TW', text: /未來的版本/ },
  { locale: 'ja-JP', htmlLang: 'ja', text: /今後のバージョン/ },
] as const;

for (const { locale, htmlLang, text } of NOTICES) {
  test.describe(() => {
    test.use({ locale });

    test(`a screen that speaks ${locale} is told that it can be paired later`, async ({ page }) => {
      const foreign: string[] = [];
      page.on('request', (request) => foreign.push(new URL(request.url()).origin));
      await page.goto('/frame');
      await expect(page.getByRole('main')).toContainText(text);
      await expect(page.locator('html')).toHaveAttribute('lang', htmlLang);
      await expectAccessible(page, `the frame's page in ${locale}`);
      expect(new Set(foreign).size).toBe(1);
      await keepScreen(page, `frame-${locale}`);
    });
  });
}
