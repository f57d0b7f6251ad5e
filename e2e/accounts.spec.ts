import type { Locator, Page } from '@playwright/test';
import { enterAsMember, logIn, mailedLink, register } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, expectWay, shownCrop } from './support/upload.ts';

const uploadDialog = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Choose photo' });
const toast = (page: Page) => page.getByRole('region', { name: 'Messages' });
const loginForm = (page: Page) => page.getByRole('tabpanel', { name: 'Log in' });

/** Asserts that the shown messages cover none of these parts of the page, once it has slid in. */
async function coversNone(page: Page, parts: readonly Locator[]): Promise<void> {
  const message = toast(page).locator('[data-kind]').first();
  await expect(message).toHaveAttribute('data-state', 'shown');
  const above = await message.boundingBox();
  expect(above).not.toBe(null);
  for (const part of parts) {
    await expect
      .poll(async () => (await part.boundingBox())?.y ?? 0, { message: `${part} lies below` })
      .toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  }
}

test('whoever comes to convert a photo gets there through registration and the mailed link, without a second password; messages cover nothing on the way [U14] [U8] [R-2.query.2] [R-4.session.5]', async ({
  page,
  browser,
  app,
}) => {
  test.setTimeout(180_000);
  for (const [width, height] of [
    [1440, 900],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    // A link asks for the login first; who comes from the landing page chooses first, see many-photos.spec.ts.
    await page.goto('/?action=upload&lang=en');
    await expect(page).toHaveURL(/\/login/);
    await expect(toast(page).getByText(/log in/i)).toBeVisible();
    const form = loginForm(page);
    const parts = [
      page.getByRole('tab', { name: 'Log in' }),
      page.getByRole('tab', { name: 'Register' }),
      form.getByLabel(/^e-?mail/i),
      form.getByLabel('Password', { exact: true }),
      form.getByRole('button', { name: 'Log in' }),
    ];
    await coversNone(page, parts);

    await form.getByLabel(/^e-?mail/i).fill('nobody@example.org');
    await form.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7');
    await page.keyboard.press('Enter');
    const password = form.getByLabel('Password', { exact: true });
    await expect(password).toHaveAttribute('aria-invalid', 'true');
    await coversNone(page, parts);
    // The field says it for longer than the message.
    await expect(toast(page).locator('[data-kind="error"]')).toHaveCount(0);
    await expect(password).toHaveAccessibleDescription(/password/);
    await password.fill('Wrong-Horse-8');
    await expect(password).not.toHaveAttribute('aria-invalid', 'true');
  }

  await page.getByRole('tab', { name: 'Register' }).click();
  await page
    .getByRole('tabpanel', { name: 'Register' })
    .getByLabel(/^e-?mail/i)
    .fill('');
  const member = await register(page);
  const link = await mailedLink(page, member.email, 'confirmation');

  // A program that forwards or opens the link in another browser: it confirms nothing by itself, and starts no session.
  const elsewhere = await browser.newContext({ baseURL: app.url, locale: 'en' });
  const other = await elsewhere.newPage();
  await other.goto(`${link}&lang=en`);
  await expect(other.getByRole('button', { name: 'Confirm this address' })).toBeVisible();
  expect((await elsewhere.cookies()).map(({ name }) => name)).not.toContain('token');

  // The link opens in another tab of the browser that registered.
  const tab = await page.context().newPage();
  await tab.setViewportSize({ width: 360, height: 740 });
  await tab.goto(link);
  await tab.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(uploadDialog(tab)).toBeVisible();
  // The first tab follows.
  await expect(uploadDialog(page)).toBeVisible();
  await page.close();

  // Used again, the link logs nobody in, in either browser.
  await other.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(other).toHaveURL(/\/login$/);
  await expect(loginForm(other).getByRole('status')).toContainText('confirmed');
  await expect(loginForm(other).getByLabel(/^e-?mail/i)).toHaveValue(member.email);
  await elsewhere.close();
});

test('a link confirmed in another browser logs nobody in there, and the one that registered gets to the wanted page by its login [U14]', async ({
  page,
  browser,
  app,
}) => {
  test.setTimeout(120_000);
  await page.goto('/menu?lang=en');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByRole('tab', { name: 'Register' }).click();
  const member = await register(page);
  const elsewhere = await browser.newContext({ baseURL: app.url, locale: 'en' });
  const other = await elsewhere.newPage();
  await other.goto(`${await mailedLink(page, member.email, 'confirmation')}&lang=en`);
  await other.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(loginForm(other).getByRole('status')).toContainText('confirmed');
  await elsewhere.close();

  // A new tab, as after the browser was closed.
  const tab = await page.context().newPage();
  await page.close();
  await tab.goto('/login');
  await logIn(tab, member);
  await expect(tab).toHaveURL(/\/menu$/);
});

test('a visitor who opens an upload link is asked to log in, and then finds the upload dialog [X2] [R-5.upload-link.1] [R-2.query.11] [R-2.query.8]', async ({
  page,
}) => {
  const member = await enterAsMember(page);
  for (const link of ['/?action=upload', '/?showCropper=1', '/menu?action=upload', '/plan?showCropper=true']) {
    await page.context().clearCookies({ name: 'token' });
    await page.evaluate(() => localStorage.removeItem('session'));
    await page.goto(link);
    await expect(page).toHaveURL(/\/login/);
    await expect(
      toast(page)
        .or(loginForm(page))
        .getByText(/log in/i)
        .first(),
    ).toBeVisible();
    await expect(uploadDialog(page)).toHaveCount(0);
    await logIn(page, member);
    await expect(uploadDialog(page)).toBeVisible();
    // Used once: a reload opens nothing.
    expect(new URL(page.url()).search).toBe('');
  }
});

test('nobody leaves a running upload by accident: the browser asks, and so does the page; afterwards nothing does [X3] [A6] [R-6.roles.3] [R-3.client-state.3]', async ({
  page,
}) => {
  test.setTimeout(180_000);
  let send = () => {};
  await page.route(/\/files\//, async (route) => {
    if (route.request().method() === 'PUT') {
      await new Promise<void>((resolve) => {
        send = resolve;
      });
    }
    await route.continue();
  });
  const seen: ('asked' | 'loaded')[] = [];
  page.on('load', () => seen.push('loaded'));
  page.on('dialog', (question) => {
    if (question.type() === 'beforeunload') seen.push('asked');
    // The answer is to stay.
    void question.dismiss();
  });
  /** Reloads the page and returns whether the browser asked first. */
  const asksBeforeReload = async () => {
    seen.length = 0;
    await page.evaluate(() => void setTimeout(() => location.reload()));
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    return seen[0] === 'asked';
  };
  const uploadAndTryToLeave = async (next: RegExp) => {
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Choose photo' })).toBeVisible();
    await chooseFile(page, { name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(1) });
    // The cropper has the shape of the frame.
    const frame = dialog.getByLabel('For which frame?');
    await expect(frame).toHaveValue('Looking Glass Portrait');
    expect(await shownCrop(page)).toBeCloseTo(3 / 4, 2);
    await dialog.getByRole('button', { name: 'Upload and convert' }).click();
    await expect(dialog).toHaveAttribute('aria-busy', 'true');
    expect(await asksBeforeReload()).toBe(true);
    await page.goBack();
    await expect(page.getByRole('dialog', { name: 'Stop the upload?' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Stop the upload?' })).toBeHidden();
    await expect(dialog).toHaveAttribute('aria-busy', 'true');
    await expectWay(page, next, send);
    expect(await asksBeforeReload()).toBe(false);
  };
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page).toHaveURL(/\/guestPage/);
  await page.goto('/guestPage?action=upload');
  await uploadAndTryToLeave(/\/guestPage\?media=/);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).not.toHaveURL(/\/guestPage/);
  await enterAsMember(page);
  await page.goto('/menu?action=upload');
  await uploadAndTryToLeave(/\/menu\/confirmUpload\?media=/);

  // The menu is shown until it is closed, by "back" as well.
  await page.goto('/about');
  await page.getByRole('button', { name: 'Side menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Side menu' });
  await expect(menu).toBeVisible();
  await page.goBack();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(/\/about$/);
});

test('the page of unconfirmed members is theirs alone, and theirs is no other [X4] [R-2.route-protected.2]', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await page.goto('/confirmation?lang=en');
  await expect(page).toHaveURL(/\/login\?redirect=%2Fconfirmation/);
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page).toHaveURL(/\/guestPage/);
  await page.goto('/confirmation');
  await expect(page).toHaveURL(/\/guestPage/);
  await page.getByRole('button', { name: 'Log out' }).click();

  await page.goto('/register?lang=en');
  const member = await register(page);
  await page.goto('/login');
  await logIn(page, member);
  for (const path of ['/menu', '/player', '/index', '/plan', '/confirmation']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/confirmation$/);
    await expect(page.getByText(`We have sent a link to ${member.email}.`)).toBeVisible();
  }
  await page.goto(await mailedLink(page, member.email, 'confirmation'));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page).toHaveURL(/\/player/);
  await page.goto('/confirmation');
  await expect(page).toHaveURL(/\/player/);
});
