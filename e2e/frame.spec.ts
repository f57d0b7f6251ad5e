import { expectAccessible } from './support/axe.ts';
import { expectInPlace } from './support/layout.ts';
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
