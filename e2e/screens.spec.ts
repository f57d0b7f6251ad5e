import { MEDIA_STATUS } from '@framelift/contract';
import type { BrowserContext, Page } from '@playwright/test';
import { adminAccount, memberClient, serialCode, uploadFilm, uploadJpeg, waitForMedia } from './support/api.ts';
import { expectAccessible, expectContrast } from './support/axe.ts';
import { madeFilm } from './support/films.ts';
import { expectInPlace } from './support/layout.ts';
import { logIn, signUp } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { keepScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { LANGUAGES, type Language, textOf } from './support/texts.ts';

/*
 * Every page in three languages and three widths, and in both themes. axe finds nothing, nothing is wider than the screen or cut
 * off, no control lies over another, nothing jumped while it was loaded, and no other site was asked for anything. A
 * picture of each is kept in test-results/screens for people to look at (with SCREENS=keep).
 */

const WIDTHS = [360, 768, 1440] as const;
const HEIGHTS: Readonly<Record<(typeof WIDTHS)[number], number>> = { 360: 740, 768: 1024, 1440: 900 };
const NARROW = WIDTHS[0];
/** More than the bar at the bottom takes. */
const BAR = 100;
/** Of layout shifts, as browsers count them: up to here Google calls a page good. */
const CALM = 0.1;

type Person = 'visitor' | 'guest' | 'member' | 'admin';
type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const states: Partial<Record<Person, State>> = {};
/** Ids of the member's picture and film. */
let picture: string;
let film: string;
let photo: { name: string; mimeType: string; buffer: Buffer };
let clip: typeof photo;

test.beforeAll(async ({ browser, app }) => {
  test.setTimeout(240_000);
  photo = { name: 'window.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(5) };
  clip = await madeFilm('beach.mp4', { width: 320, height: 240, frames: 25 });
  const enter = async (person: Person, how: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ baseURL: app.url });
    await how(await context.newPage());
    states[person] = await context.storageState();
    await context.close();
  };
  await enter('member', async (page) => {
    const member = await signUp(page);
    const client = await memberClient(app.url, member);
    await client.call('setVIP', { input: { pin_code: await serialCode(app) } });
    picture = await uploadJpeg(app.url, client, photo.buffer, photo.name);
    film = await uploadFilm(app.url, client, clip, '3D projector (half side by side)');
    for (const id of [picture, film]) {
      const { status } = await waitForMedia(client, id, (media) => media.status !== MEDIA_STATUS.processing, 120_000);
      expect(status).toBe(MEDIA_STATUS.finished);
    }
  });
  await enter('admin', async (page) => {
    await page.goto('/login?lang=en');
    await logIn(page, adminAccount(app));
  });
  await enter('guest', async (page) => {
    await page.goto('/login?lang=en');
    await page.getByRole('button', { name: 'Continue as guest' }).click();
    await expect(page).toHaveURL(/guestPage/);
  });
});

interface Screen {
  readonly name: string;
  readonly as?: Person;
  /** Where it lies. */
  readonly path?: () => string;
  /** What is done there before anybody looks. */
  readonly act?: (page: Page, language: Language) => Promise<void>;
  /** A guest's pages are English. */
  readonly languages?: readonly Language[];
}

const press = (area: string, key: string) => (page: Page, language: Language) =>
  page
    .getByRole('button', { name: textOf(language, area, key) })
    .first()
    .click();
const dialogOpen = (page: Page) => expect(page.getByRole('dialog').last()).toBeVisible();

const SCREENS: readonly Screen[] = [
  { name: 'landing', path: () => '/index', act: async (page) => expect(page.locator('canvas').first()).toBeVisible() },
  { name: 'login', path: () => '/login' },
  { name: 'register', path: () => '/register' },
  {
    name: 'policy-dialog',
    path: () => '/register',
    act: async (page, language) => {
      await press('common', 'policy')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'register-success', path: () => '/registerSuccess' },
  { name: 'confirmation', path: () => `/confirmation?code=${'a'.repeat(43)}&email=mei@example.org` },
  { name: 'first-entry', path: () => '/mainindex' },
  { name: 'forget-password', path: () => '/forgetPassword' },
  { name: 'reset-password', path: () => `/forgetPassword?token=${'a'.repeat(43)}&email=mei@example.org` },
  { name: 'plan', path: () => '/plan' },
  { name: 'notify', path: () => '/notify' },
  { name: 'locations', path: () => '/locations' },
  { name: 'about', path: () => '/about' },
  { name: 'qa', path: () => '/qa' },
  { name: 'terms', path: () => '/terms' },
  { name: 'privacy', path: () => '/privacy' },
  { name: 'not-found', path: () => '/nowhere' },
  { name: 'guest', as: 'guest', path: () => '/guestPage', languages: ['en'] },
  {
    name: 'content',
    as: 'member',
    path: () => '/member/video',
    act: async (page) => expect(page.getByRole('main').getByRole('listitem').nth(1)).toBeVisible(),
  },
  { name: 'menu', as: 'member', path: () => '/menu' },
  {
    name: 'serial-dialog',
    as: 'member',
    path: () => '/menu',
    act: async (page, language) => {
      await press('menu', 'serial')(page, language);
      await dialogOpen(page);
    },
  },
  { name: 'menu-profile', as: 'member', path: () => '/menu/profile' },
  { name: 'member-profile', as: 'member', path: () => '/member/profile' },
  { name: 'coming', as: 'member', path: () => '/store' },
  { name: 'add-friend', as: 'member', path: () => '/member/addfriend?email=ken@example.org' },
  {
    name: 'side-menu',
    as: 'member',
    path: () => '/menu/profile',
    act: async (page, language) => {
      await press('shell', 'sideMenu')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'notifications',
    as: 'member',
    path: () => '/menu/profile',
    act: async (page) => {
      await page.getByRole('banner').locator('[aria-haspopup="dialog"]').first().click();
      await dialogOpen(page);
    },
  },
  { name: 'dialog-choose', as: 'member', path: () => '/player?action=upload', act: dialogOpen },
  { name: 'dialog-crop', as: 'member', path: () => '/player?action=upload', act: (page) => chooseIn(page, photo, 0) },
  { name: 'film-crop', as: 'member', path: () => '/player?action=upload', act: (page) => chooseIn(page, clip, -1) },
  {
    name: 'film-strength',
    as: 'member',
    path: () => '/player?action=upload',
    act: async (page, language) => {
      await chooseIn(page, clip, -1);
      await press('upload', 'film.next')(page, language);
      await expect(page.getByRole('dialog').locator('video')).toBeVisible();
    },
  },
  { name: 'uploaded', as: 'member', path: () => `/menu/confirmUpload?media=${picture}` },
  {
    name: 'result',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page) => expect(page.locator('canvas').first()).toBeVisible(),
  },
  {
    name: 'result-formats',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('result', 'download.other')(page, language);
      await dialogOpen(page);
    },
  },
  {
    name: 'result-crop',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('edit', 'crop.open')(page, language);
      await expect(page.getByRole('application')).toBeVisible();
    },
  },
  {
    name: 'result-painter',
    as: 'member',
    path: () => `/result/${picture}`,
    act: async (page, language) => {
      await press('edit', 'depth.open')(page, language);
      await expect(page.getByRole('heading', { name: textOf(language, 'edit', 'depth.title') })).toBeVisible();
      await expect(page.locator('canvas').first()).toBeVisible();
    },
  },
  { name: 'result-film', as: 'member', path: () => `/result/${film}` },
  { name: 'albums', as: 'member', path: () => '/album' },
  { name: 'result-gone', as: 'member', path: () => '/result/00000000-0000-4000-8000-000000000000' },
  { name: 'admin', as: 'admin', path: () => '/admin' },
  { name: 'admin-users', as: 'admin', path: () => '/admin/users' },
  { name: 'admin-codes', as: 'admin', path: () => '/admin/pin-codes' },
  { name: 'admin-settings', as: 'admin', path: () => '/admin/settings' },
  { name: 'admin-log', as: 'admin', path: () => '/admin/log' },
];

for (const { name, as = 'visitor', path = () => '/', act, languages = LANGUAGES } of SCREENS) {
  test(`${name}: accessible and in place in every language, theme and width`, async ({ browser, app }) => {
    const state = states[as];
    const context = await browser.newContext({
      baseURL: app.url,
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: HEIGHTS[1440] },
      ...(state ? { storageState: state } : {}),
    });
    await context.addInitScript(countShifts);
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^(https?|wss?):$/.test(protocol) && origin !== app.url) foreign.push(request.url());
    });
    for (const language of languages) {
      const address = path();
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await act?.(page, language);
      await settled(page);
      expect.soft(await page.evaluate('window.shifted'), `layout shifts of ${name} in ${language}`).toBeLessThan(CALM);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHTS[width] });
        const what = `${name}-${language}-${width}`;
        await keepScreen(page, `${what}-dark`);
        await expectInPlace(page, what);
        if (width === NARROW) {
          // At full height, so that no bar at the edge covers a control: what lies under one is scrolled to.
          // What is as high as the window grows with it, up to a limit of its own.
          let shown: number = HEIGHTS[width];
          for (let needed = shown + 1; needed > shown; ) {
            shown = Math.max(shown, await page.evaluate(() => document.documentElement.scrollHeight)) + BAR;
            await page.setViewportSize({ width, height: shown });
            needed = await page.evaluate(() => document.documentElement.scrollHeight);
          }
          await expectAccessible(page, what);
        }
        // Colours are the same in every language.
        if (language !== languages[0]) continue;
        await turn(page, 'light');
        await keepScreen(page, `${what}-light`);
        if (width === NARROW) await expectContrast(page, `${what}, light`);
        await turn(page, 'dark');
      }
    }
    expect(foreign, 'requests to other sites').toEqual([]);
    await context.close();
  });
}

/** In the open upload dialog: hands a file to the chooser at this place, and waits for the crop to be measured. */
async function chooseIn(page: Page, file: typeof photo, place: 0 | -1): Promise<void> {
  const dialog = page.getByRole('dialog');
  const choosers = dialog.locator('input[type="file"]');
  await (place === 0 ? choosers.first() : choosers.last()).setInputFiles({ ...file });
  await expect(dialog.getByRole('application')).toBeVisible({ timeout: 60_000 });
  await expect(dialog.locator('#crop-note')).toContainText('×');
}

/** The page hears of the other theme a moment after the browser is told: until it is drawn, the two are mixed. */
async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await drawn(page);
}

/** Nothing is loading any more, and the page has been drawn as it is. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('.mantine-Skeleton-root') === null &&
      [...document.images].every((image) => image.complete),
  );
  await drawn(page);
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
}

/** Runs in the page: adds up how far what was already shown was pushed about. */
function countShifts(): void {
  const sums = window as unknown as { shifted: number };
  sums.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) sums.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}
