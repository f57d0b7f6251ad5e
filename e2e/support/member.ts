import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

export interface Member {
  readonly email: string;
  readonly password: string;
}

/** Signs up through the screens in English: form, mail in the local mailbox, its link, the button there, login. */
export async function signUp(page: Page): Promise<Member> {
  const member = { email: `${randomUUID()}@example.org`, password: 'Lifted-2-Depth' };
  await page.goto('/register?lang=en');
  const form = page.getByRole('tabpanel', { name: 'Register' });
  await form.getByLabel('Name').fill('Mei Lin');
  await form.getByLabel(/^e-?mail/i).fill(member.email);
  await form.getByLabel('Password', { exact: true }).fill(member.password);
  await form.getByLabel('Repeat password').fill(member.password);
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Create account' }).click();
  // The proof of work takes what the machine has left.
  await expect(page).toHaveURL(/\/registerSuccess/, { timeout: 60_000 });

  await page.goto(await mailedLink(page, member.email, 'confirmation'));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page).toHaveURL(/\/login/);
  await logIn(page, member);
  return member;
}

/** Logs in on the login page, wherever its language choice stands at English. */
export async function logIn(page: Page, { email, password }: Member): Promise<void> {
  const form = page.getByRole('tabpanel', { name: 'Log in' });
  await form.getByLabel(/^e-?mail/i).fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Log in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** The link to `path` in the newest mail to this address that holds one, as the page of the local mailbox shows it. */
export async function mailedLink(page: Page, email: string, path: 'confirmation' | 'forgetPassword'): Promise<string> {
  const mailbox = await page.context().newPage();
  await mailbox.goto('/sandbox/mailbox');
  // The mail is sent by a job; the page looks again by itself.
  const mail = mailbox.getByRole('article').filter({ hasText: email });
  const link = mail.getByRole('link', { name: new RegExp(`/${path}\\?`) }).first();
  await expect(link).toBeVisible({ timeout: 30_000 });
  const href = await link.getAttribute('href');
  await mailbox.close();
  if (!href) throw new Error('The mail holds no link');
  return href;
}
