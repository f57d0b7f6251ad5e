import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { signUp } from './support/member.ts';
import { madePhoto, sharedPhoto } from './support/photos.ts';
import { keepScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile, type UploadFile } from './support/upload.ts';

// Every screen of the main job in three languages: axe finds nothing, nothing is wider than the phone, and a picture of
// each is kept in test-results/screens for people to look at.

type State = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;
let member: State;
let result: string;
let file: UploadFile;

test.beforeAll(async ({ browser, app }) => {
  test.setTimeout(240_000);
  file = sharedPhoto('japanese_shop.jpg') ?? { name: 'made.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(5) };
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await signUp(page);
  await page.goto('/player?action=upload');
  await chooseFile(page, file);
  await sendFile(page, /\/menu\/confirmUpload\?media=/);
  await expect(page.getByRole('heading', { name: 'Your picture is ready' })).toBeVisible({ timeout: 120_000 });
  await page.getByRole('button', { name: 'See it in 3D' }).click();
  await expect(page).toHaveURL(/\/result\//);
  result = new URL(page.url()).pathname;
  member = await context.storageState();
  await context.close();
});

interface Screen {
  readonly name: string;
  readonly as: 'visitor' | 'member';
  show(page: Page, language: string): Promise<void>;
}

const heading = (page: Page) => expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
const openDialog = async (page: Page, language: string) => {
  await page.goto(`/player?action=upload&lang=${language}`);
  await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible();
};

const SCREENS: readonly Screen[] = [
  {
    name: 'landing',
    as: 'visitor',
    show: async (page, language) => {
      await page.goto(`/index?lang=${language}`);
      await heading(page);
      await expect(page.locator('canvas').first()).toBeVisible();
    },
  },
  {
    name: 'login',
    as: 'visitor',
    show: async (page, language) => {
      await page.goto(`/login?lang=${language}`);
      await expect(page.getByRole('tabpanel')).toBeVisible();
    },
  },
  {
    name: 'register',
    as: 'visitor',
    show: async (page, language) => {
      await page.goto(`/register?lang=${language}`);
      await expect(page.getByRole('tabpanel')).toBeVisible();
    },
  },
  { name: 'dialog-choose', as: 'member', show: openDialog },
  {
    name: 'dialog-crop',
    as: 'member',
    show: async (page, language) => {
      await openDialog(page, language);
      const dialog = page.getByRole('dialog');
      await dialog
        .locator('input[type="file"]')
        .first()
        .setInputFiles(typeof file === 'string' ? file : { ...file });
      await expect(dialog.getByRole('application')).toBeVisible({ timeout: 60_000 });
      await expect(dialog.locator('#crop-note')).toContainText('×');
    },
  },
  {
    name: 'result',
    as: 'member',
    show: async (page, language) => {
      await page.goto(`${result}?lang=${language}`);
      await heading(page);
      await expect(page.locator('canvas').first()).toBeVisible();
    },
  },
  {
    name: 'content',
    as: 'member',
    show: async (page, language) => {
      await page.goto(`/member/video?lang=${language}`);
      await heading(page);
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    },
  },
];

const SIZES = [
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
] as const;

for (const language of ['en', 'zh', 'ja'] as const) {
  for (const { width, height, colorScheme } of SIZES) {
    for (const screen of SCREENS) {
      test(`${screen.name} in ${language}, ${width} px, ${colorScheme}: accessible and in place`, async ({
        browser,
        app,
      }) => {
        const context = await browser.newContext({
          baseURL: app.url,
          viewport: { width, height },
          colorScheme,
          ...(screen.as === 'member' ? { storageState: member } : {}),
        });
        const page = await context.newPage();
        await screen.show(page, language);
        await page.waitForFunction(() => [...document.images].every((image) => image.complete));
        await keepScreen(page, `${screen.name}-${language}-${width}-${colorScheme}`);
        await expectAccessible(page, `${screen.name} in ${language}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, 'pixels that the page is wider than the window').toBeLessThanOrEqual(0);
        await context.close();
      });
    }
  }
}
