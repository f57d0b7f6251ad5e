import { expectAccessible } from './support/axe.ts';
import { enterAsMember, logIn } from './support/member.ts';
import { expect, test } from './support/test.ts';

test('a member edits the profile, ends a session elsewhere, deletes the account and keeps it after all [R-1.member.7] [R-2.route-menu.1] [R-2.route-member.8]', async ({
  page,
  browser,
  app,
}) => {
  const member = await enterAsMember(page);
  const elsewhere = await browser.newContext({ baseURL: app.url });
  const other = await elsewhere.newPage();
  await other.goto('/login?lang=en');
  await logIn(other, member);

  await page.goto('/menu/profile');
  await expect(page.getByText('This device')).toBeVisible();
  await expectAccessible(page, 'the profile');
  await page.getByRole('button', { name: /^Log out Chrom/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: /^Log out Chrom/ })).toBeHidden();
  await other.goto('/menu');
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();

  await page.getByRole('link', { name: 'Edit profile' }).click();
  await expect(page).toHaveURL('/member/profile');
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabel('Name').fill('Mei of the Mountains');
  await page.getByRole('button', { name: 'Add a phone number' }).click();
  await page.getByLabel('Phone').fill('0912 345 678');
  await page.getByLabel('Old password').fill('Not-My-Horse-1');
  await page.getByLabel('New password', { exact: true }).fill('Lifted-3-Layers');
  await page.getByLabel('Repeat new password').fill('Lifted-3-Layers');
  await save.click();
  await expect(page.getByLabel('Old password')).toBeFocused();
  await expect(page.getByLabel('Old password')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'the form of the profile');
  await page.getByLabel('Old password').fill(member.password);
  await save.click();
  await expect(page.getByText('Your profile was saved.')).toBeVisible();

  // Going back with unsaved text asks for confirmation, and then leads to the same page as before.
  await page.getByLabel('Name').fill('Somebody else');
  await page.goBack();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/menu/profile');
  await expect(page.getByText('Mei of the Mountains')).toBeVisible();
  await expect(page.getByText('0912 345 678')).toBeVisible();

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  await dialog.getByLabel(/^Type .* to confirm$/).fill(member.email);
  await dialog.getByLabel('Your password').fill('Lifted-3-Layers');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog', { name: 'Your account will be deleted' }).getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL('/index');

  await page.goto('/login');
  await logIn(page, { ...member, password: 'Lifted-3-Layers' });
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeHidden();
});

test('the tutorial explains the orders by their real controls, once [R-1.feature-other.4]', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enterAsMember(page);
  await page.goto('/menu');
  await page.getByRole('button', { name: 'Tutorial' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('dialog', { name: 'From photo to 3D' })).toBeVisible();
  await page.goto('/menu/order');
  const steps = [
    ['Kinds of orders', page.getByRole('tablist', { name: 'Kind of order' })],
    ['When it was', page.getByRole('tablist', { name: 'Period' })],
    ['Your orders', page.getByText('No orders yet').locator('..')],
    ['Payments and receipts', page.getByRole('link', { name: 'Payments' })],
  ] as const;
  for (const [at, [name, control]] of steps.entries()) {
    const guide = page.getByRole('dialog', { name });
    await expect(guide).toBeVisible();
    await expect(control).toHaveClass(/driver-active-element/);
    if (at === 0) await expectAccessible(page, 'the tutorial of the orders');
    await guide.getByRole('button', { name: at === steps.length - 1 ? 'Done' : 'Next' }).click();
  }
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.reload();
  await expect(page.getByText('No orders yet')).toBeVisible();
  // What was not seen yet is still to come, on its own page.
  await page.goto('/player');
  await expect(page.getByRole('dialog', { name: 'From photo to 3D' })).toBeVisible();
  await page.getByRole('button', { name: 'End the tutorial' }).click();
  await page.goto('/menu/order');
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the tutorial begins at home, goes on in the upload dialog, and ends by Escape [R-2.menu-page.10] [R-1.feature-other.4]', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enterAsMember(page);
  await page.goto('/menu');
  await page.getByRole('button', { name: 'Tutorial' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await expect(page).toHaveURL('/player');
  const guide = (name: string) => page.getByRole('dialog', { name });
  await expect(guide('From photo to 3D').getByRole('button', { name: 'Next' })).toBeFocused();
  await expectAccessible(page, 'the tutorial');
  await page.keyboard.press('Enter');
  await expect(guide('Find it again')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(guide('Start here')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Convert' }).click();

  await expect(guide('Choose a photo')).toBeVisible();
  await guide('Choose a photo').getByRole('button', { name: 'Done' }).focus();
  await page.keyboard.press('Escape');
  await expect(guide('Choose a photo')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Choose photo' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Convert' }).click();
  await expect(page.getByRole('button', { name: 'Choose photo' })).toBeVisible();
  await expect(guide('Choose a photo')).toBeHidden();
});
