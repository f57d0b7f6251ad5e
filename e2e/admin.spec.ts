import { readFile } from 'node:fs/promises';
import { adminAccount } from './support/api.ts';
import { logIn, signUp } from './support/member.ts';
import { expect, test } from './support/test.ts';

test('an administrator finds a member, locks them out with a reason, and lets them in again; the log tells it [R-6.roles.4]', async ({
  app,
  page,
  browser,
}) => {
  const member = await signUp(page);
  const office = await (await browser.newContext({ baseURL: app.url, locale: 'en-US' })).newPage();
  await office.goto('/login?lang=en&redirect=/admin/users');
  await logIn(office, adminAccount(app));
  await expect(office).toHaveTitle('Members – Framelift');
  await office.getByRole('searchbox').fill(member.email);
  await office.keyboard.press('Enter');
  await expect(office).toHaveURL(/\/admin\/users\?q=/);

  const download = office.waitForEvent('download');
  await office.getByRole('link', { name: 'Download CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.trim().split('\r\n')).toHaveLength(2);
  expect(csv).toContain(member.email);

  await office.getByRole('row', { name: member.email }).getByRole('link').click();
  await office.getByRole('button', { name: 'Restrict' }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByLabel('Reason, for the log').fill('spam');
  await dialog.getByRole('button', { name: 'Restrict' }).click();
  await expect(office.getByRole('row', { name: /Reason: spam/ })).toBeVisible();

  // The member is logged out immediately, and told why at the next login.
  await page.goto('/menu');
  await expect(page).toHaveURL(/\/login/);
  const form = page.getByRole('tabpanel', { name: 'Log in' });
  await form.getByLabel(/^e-?mail/i).fill(member.email);
  await form.getByLabel('Password', { exact: true }).fill(member.password);
  await form.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('main').getByText('This account has been restricted.')).toBeVisible();

  await office.getByRole('button', { name: 'Lift the restriction' }).click();
  await expect(office.getByText('Mei Lin can log in again.')).toBeVisible();
  await logIn(page, member);
  await office.context().close();

  // For everybody else the page does not exist.
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
