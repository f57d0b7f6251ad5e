import { enterAsMember, type Member, mailedLink } from './support/member.ts';
import { expect, test } from './support/test.ts';

test('a forgotten password is replaced by the link of a mail, which works once [R-2.login.3] [R-2.route-forget.1] [R-2.route-forget.2] [R-5.reset.1] [A45]', async ({
  page,
}) => {
  const member = await enterAsMember(page);
  // Another browser of the same member, which the new password logs out.
  const other = await page
    .context()
    .browser()
    ?.newContext({ storageState: await page.context().storageState() });
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());

  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forgot your password?' });
  await dialog.getByLabel(/^e-?mail/i).fill(member.email);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(`If ${member.email} has an account`)).toBeVisible();
  await expect(dialog.getByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled();

  const link = await mailedLink(page, member.email, 'forgetPassword');
  await page.goto(link);
  await expect(page.getByText(`For the account ${member.email}`)).toBeVisible();
  // The secret is removed from the URL and survives a reload.
  await expect(page).toHaveURL(/\/forgetPassword$/);
  await page.reload();
  const changed: Member = { email: member.email, password: 'Found-Again-7' };
  await page.getByLabel('New password').fill('Password123');
  await page.getByLabel('Repeat password').fill('Password123');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText(/This password is very common/)).toBeVisible();
  await page.getByLabel('New password').fill(changed.password);
  await page.getByLabel('Repeat password').fill(changed.password);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/login$/);
  const form = page.getByRole('tabpanel', { name: 'Log in' });
  await expect(form.getByLabel(/^e-?mail/i)).toHaveValue(member.email);
  await form.getByLabel('Password', { exact: true }).fill(member.password);
  await page.keyboard.press('Enter');
  await expect(form.getByText('The e-mail or password is incorrect.')).toBeVisible();
  await form.getByLabel('Password', { exact: true }).fill(changed.password);
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/\/login/);

  await page.goto(link);
  await page.getByLabel('New password').fill('Found-Again-8');
  await page.getByLabel('Repeat password').fill('Found-Again-8');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'change failed, permission expired' })).toBeVisible();

  const elsewhere = (await other?.newPage()) ?? page;
  await elsewhere.goto('/menu');
  await expect(elsewhere).toHaveURL(/\/login/);
  await other?.close();
});
