import { createHash, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

export interface Member {
  readonly email: string;
  readonly password: string;
}

const PASSWORD = 'Lifted-2-Depth';
const newAddress = () => `${randomUUID()}@example.org`;

/** Signs up in the English UI: form, email in the local mailbox, its link, confirmation button, which logs in. */
export async function signUp(page: Page): Promise<Member> {
  await page.goto('/register?lang=en');
  const member = await sendRegistration(page);
  await page.goto(await mailedLink(page, member.email, 'confirmation'));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page).toHaveURL(/\/player/);
  return member;
}

/**
 * Makes a member over the API, with the calls of the form and of the mailed link, and opens their start page in English.
 * For tests that are not about signing up: the pages of `signUp` take 5 s more of CPU time.
 */
export async function enterAsMember(page: Page): Promise<Member> {
  const member = { email: newAddress(), password: PASSWORD };
  const { request } = page.context();
  const call = async (path: string, data?: object) => {
    const headers = { 'accept-language': 'en', 'x-forwarded-for': addressOf(member) };
    const answer = await request.fetch(`/api/${path}`, { headers, ...(data && { method: 'POST', data }) });
    expect(answer.ok(), `${path} answers ${answer.status()}`).toBe(true);
    return (await answer.json()).message;
  };
  const challenge = await call('captchaChallenge?purpose=register');
  const proof = { challenge, solution: await solveChallenge({ challenge, deriveKey }) };
  await call('register', {
    ...member,
    name: 'Mei Lin',
    password_confirmation: PASSWORD,
    isChecked: true,
    recaptcha: Buffer.from(JSON.stringify(proof)).toString('base64'),
  });
  const code = await mailedCode(page, member.email);
  expect(await call('confirmEmail', { email: member.email, code })).toHaveProperty('user');
  // The app notes beside the cookie that there is a session.
  await page.goto('/healthz');
  await page.evaluate(() => localStorage.setItem('session', 'member'));
  await page.goto('/player?lang=en');
  await expect(page).toHaveURL(/\/player/);
  return member;
}

/** Reads the code of the confirmation link in the local mailbox; a job sends the email. */
async function mailedCode(page: Page, email: string): Promise<string> {
  let code = '';
  const look = async () => {
    const mailbox = await (await page.context().request.get('/sandbox/mailbox')).text();
    code = new RegExp(`/confirmation\\?code=([\\w-]+)&[^"]*=${encodeURIComponent(email)}`).exec(mailbox)?.[1] ?? '';
    return code;
  };
  await expect.poll(look, { intervals: [50], timeout: 30_000 }).not.toBe('');
  return code;
}

/**
 * Fills in the registration form, which must be shown in English, and waits until the email is on its way and the
 * message about it has closed by itself: what comes next must not meet it.
 */
export async function register(page: Page): Promise<Member> {
  const member = await sendRegistration(page);
  const told = page.getByRole('dialog');
  await expect(told).toBeVisible();
  await expect(told).toBeHidden();
  return member;
}

async function sendRegistration(page: Page): Promise<Member> {
  const member = { email: newAddress(), password: PASSWORD };
  const form = page.getByRole('tabpanel', { name: 'Register' });
  await form.getByLabel('Name').fill('Mei Lin');
  await form.getByLabel(/^e-?mail/i).fill(member.email);
  await form.getByLabel('Password', { exact: true }).fill(member.password);
  await form.getByLabel('Repeat password').fill(member.password);
  await form.getByRole('checkbox').check();
  // All journeys together register more members than one address may in an hour.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': addressOf(member) });
  await form.getByRole('button', { name: 'Create account' }).click();
  // The proof of work gets only the remaining CPU time.
  await expect(page).toHaveURL(/\/registerSuccess/, { timeout: 60_000 });
  await page.setExtraHTTPHeaders({});
  return member;
}

/** Returns an address of a home network. */
function addressOf({ email }: Member): string {
  const [a, b, c] = createHash('sha256').update(email).digest();
  return `10.${a}.${b}.${c}`;
}

/** Logs in on the login page, which must be in English. */
export async function logIn(page: Page, { email, password }: Member): Promise<void> {
  const form = page.getByRole('tabpanel', { name: 'Log in' });
  await form.getByLabel(/^e-?mail/i).fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Log in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** Returns the link to `path` in the newest email to this address that contains one, as shown in the local mailbox. */
export async function mailedLink(page: Page, email: string, path: 'confirmation' | 'forgetPassword'): Promise<string> {
  const mailbox = await page.context().newPage();
  const mail = mailbox.getByRole('article').filter({ hasText: email });
  const link = mail.getByRole('link', { name: new RegExp(`/${path}\\?`) }).first();
  // A job sends the email, usually while the mailbox opens. The page reloads by itself, but only every few seconds.
  await expect(async () => {
    await mailbox.goto('/sandbox/mailbox');
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  const href = await link.getAttribute('href');
  await mailbox.close();
  if (!href) throw new Error('The mail holds no link');
  return href;
}
