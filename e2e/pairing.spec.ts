import { expectAccessible } from './support/axe.ts';
import { logIn } from './support/member.ts';
import { expect, test } from './support/test.ts';

test('a member pairs the frame in front of them by its code, unpairs it later, and each side sees it [R-1.product.3][R-1.member.11][A88][A89][A90]', async ({
  page: member,
  browser,
  app,
}) => {
  // The member created on the first start; signing up has its own test.
  const [, email = '', password = ''] = /Member\s+(\S+)\s+password (\S+)/.exec(app.output()) ?? [];
  await member.goto('/login?lang=en');
  await logIn(member, { email, password });
  // A separate browser context: a frame shares nothing with the phone of its owner.
  const screen = await browser.newContext({
    baseURL: app.url,
    locale: 'en-GB',
    viewport: { width: 1024, height: 768 },
  });
  const frame = await screen.newPage();
  const code = frame.getByText(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  await frame.goto('/frame');
  const first = (await code.textContent()) ?? '';

  await member.goto('/menu/qrcode');
  await member.getByLabel('Code on the frame').fill(first.toLowerCase().replace('-', ''));
  await member.getByRole('button', { name: 'Next' }).click();
  await expect(member.getByRole('heading', { name: 'Is this your frame?' })).toBeVisible();
  await expect(member.getByRole('main')).toContainText(first);
  await expect(member.getByRole('main')).toContainText(/Chrome, \w+/);
  await member.getByLabel('Frame name').fill('Kitchen');
  await member.getByRole('button', { name: 'Pair this frame' }).click();
  await expect(member).toHaveURL(/\/menu\/frameSetting/i);

  // The frame polls every five seconds.
  await expect(frame.getByRole('heading', { name: 'Kitchen' })).toBeVisible({ timeout: 45_000 });
  await expect(frame.getByRole('main')).toContainText('Paired with Demo as');
  await expect(frame.getByRole('status')).toHaveText('Connected');
  await expectAccessible(frame, 'a paired frame');

  await member.goto('/menu/frameSetting');
  const row = member.getByRole('listitem').filter({ hasText: 'Kitchen' });
  await expect(row).toContainText('Connected, nothing to show yet');

  // Restarted without a network, the frame still knows its owner.
  await expect.poll(() => frame.evaluate(async () => (await caches.match('/frame')) !== undefined)).toBe(true);
  await screen.setOffline(true);
  await frame.reload();
  await expect(frame.getByRole('status')).toContainText('No connection', { timeout: 45_000 });
  await row.getByRole('button', { name: 'Unpair Kitchen' }).click();
  await member.getByRole('dialog').getByRole('button', { name: 'Unpair' }).click();
  await expect(row).toHaveCount(0);
  await expect(frame.getByRole('heading', { name: 'Kitchen' })).toBeVisible();
  // Back online, it updates by itself.
  await screen.setOffline(false);
  await expect(frame.getByText(/This frame was unpaired/)).toBeVisible({ timeout: 45_000 });
  await expect(code).toBeVisible();
  await expect(code).not.toHaveText(first);
  await screen.close();
});
