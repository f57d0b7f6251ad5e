import type { Page } from '@playwright/test';
import { enterAsMember } from './support/member.ts';
import { expect, test } from './support/test.ts';

/** Opens each address as one types it, and expects where it leads. */
async function expectToLead(page: Page, paths: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, end] of Object.entries(paths)) {
    await page.goto(path);
    // A page that leads elsewhere has its own address first, until the app knows who is there.
    await expect(page.getByRole('heading').first(), path).toBeVisible();
    await expect(page, path).toHaveURL(end);
  }
}

const toLogin = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, `/login?redirect=${encodeURIComponent(path)}`]));
const toItself = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, path]));

const FIRST = ['/uploadpressure', '/Store', '/addValue', '/subscribe', '/album', '/tradeResult', '/subscribedetail'];
const MENU = ['/menu/order', '/menu/video', '/menu/qrcode', '/menu/frameSetting'];
const MEMBER = ['addValue', 'store', 'video', 'framesetting', 'order', 'qrcode', 'subscribedetail'].map(
  (name) => `/member/${name}`,
);
const FRIEND = '/Member/AddFriend?email=an@example.org';

test('a visitor who types the address of a page for members is asked to log in for it [R-2.route-protected.1] [R-2.route-protected.3] [R-2.route-protected.4] [R-2.route-protected.5] [R-2.route-protected.6] [R-2.route-protected.7] [R-2.route-protected.8] [R-2.route-protected.11]', async ({
  page,
}) => {
  await expectToLead(page, toLogin(FIRST));
});

test('so is one who types that of a page of the menu, of friends or of home [R-2.route-protected.9] [R-2.route-protected.10] [R-2.route-home.1] [R-2.route-member.11]', async ({
  page,
}) => {
  await expectToLead(page, toLogin(['/home', '/addfriend', FRIEND, '/menu', ...MENU, ...MEMBER]));
});

test('the public pages open for a visitor, and the address without a page leads to the landing page [R-1.visitor.1] [R-2.route-public.1] [R-2.route-public.2] [R-2.route-public.4] [R-2.route-public.5] [R-2.route-root.3]', async ({
  page,
}) => {
  await expectToLead(page, { ...toItself(['/plan', '/notify', '/locations', '/about', '/qa']), '/': '/index' });
});

test.describe('a member who types an address', () => {
  let page: Page;
  test.beforeAll(async ({ browser, app }) => {
    page = await browser.newPage({ baseURL: app.url });
    await enterAsMember(page);
  });
  test.afterAll(() => page.close());

  test('is taken from the pages of visitors to the player [R-2.route-root.2] [R-2.route-home.2] [R-2.route-auth.1] [R-2.route-auth.2] [R-2.route-auth.3] [R-2.route-auth.4]', async () => {
    const paths = ['/', '/home', '/mainindex', '/login', '/register', '/registerSuccess'];
    await expectToLead(page, Object.fromEntries(paths.map((path) => [path, '/player'])));
  });

  test('sees that page under /member [R-2.route-member.2] [R-2.route-member.3] [R-2.route-member.4] [R-2.route-member.5] [R-2.route-member.6] [R-2.route-member.7] [R-2.route-member.9] [R-2.route-member.10]', async () => {
    await expectToLead(page, toItself([...MEMBER, FRIEND]));
    await expect(page.getByLabel('Your friend’s e-mail address')).toHaveValue('an@example.org');
  });

  test('sees that page under /menu, and "back" leads to the one before [R-2.route-menu.2] [R-2.route-menu.3] [R-2.route-menu.4] [R-2.route-menu.5] [R-2.route-menu.6] [R-2.route-member.1]', async () => {
    await expectToLead(page, toItself(['/store', ...MENU]));
    await page.goto('/menu/confirmUpload');
    await expect(page.getByText('This upload was not found. Choose a photo to start.')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/menu/frameSetting');
    await expect(page.getByRole('heading', { name: 'My frames' })).toBeVisible();
  });
});
