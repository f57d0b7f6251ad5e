import { readFile } from 'node:fs/promises';
import { adminAccount } from './support/api.ts';
import { enterAsMember, logIn } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { pressToSort } from './support/sorting.ts';
import { expect, test } from './support/test.ts';

test('an administrator finds a member, locks them out with a reason, and lets them in again; the log tells it [R-6.roles.4]', async ({
  app,
  page,
  browser,
}) => {
  const member = await enterAsMember(page);
  const office = await (await browser.newContext({ baseURL: app.url, locale: 'en-US' })).newPage();
  await office.goto('/login?lang=en&redirect=/admin/users');
  await logIn(office, adminAccount(app));
  await expect(office).toHaveTitle('Members – Framelift');
  await office.getByRole('searchbox').fill(member.email);
  await office.keyboard.press('Enter');
  await expect(office).toHaveURL(/\/admin\/users\?q=/);

  const download = office.waitForEvent('download', { timeout: 60_000 });
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

test('what an administrator announces lies over every page, and maintenance closes the site for all but administrators [R-1.feature-other.6] [R-1.feature-other.7]', async ({
  app,
  page,
  browser,
}) => {
  const office = await (await browser.newContext({ baseURL: app.url, locale: 'en-US' })).newPage();
  await office.goto('/login?lang=en&redirect=/admin/settings');
  await logIn(office, adminAccount(app));
  const announcement = office.getByRole('region', { name: 'Announcement' });
  for (const [language, text] of [
    ['繁體中文', '星期一維護。'],
    ['English', 'Closed on Monday.'],
    ['日本語', '月曜日は休みです。'],
  ] as const)
    await announcement.getByLabel(language).fill(text);
  await announcement.getByRole('button', { name: 'Publish' }).click();
  await expect(office.getByText('The announcement is saved.')).toBeVisible();
  await page.goto('/index?lang=en');
  await expect(page.getByRole('dialog')).toContainText('Closed on Monday.');
  // The administrator sees it too.
  const shown = office.getByRole('dialog', { name: 'Announcement' });
  await shown.getByRole('button', { name: 'Close' }).last().click();
  await expect(shown).toBeHidden();
  await announcement.getByRole('button', { name: 'Take down' }).click();
  await expect(office.getByText('The announcement was taken down.')).toBeVisible();

  const maintenance = office.getByRole('region', { name: 'Maintenance' });
  await maintenance.getByLabel('From').fill('2026-01-01T09:00');
  await maintenance.getByLabel('To').fill('2099-01-01T10:00');
  await maintenance.getByRole('button', { name: 'Turn on' }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
  await expect(office.getByText('Maintenance is on.')).toBeVisible();
  await page.goto('/index');
  await expect(page).toHaveURL('/maintenance');
  await expect(page.getByRole('heading', { name: 'Framelift is under maintenance' })).toBeVisible();
  await office.reload();
  await maintenance.getByRole('button', { name: 'Turn off' }).click();
  await expect(office.getByText('Maintenance is off.')).toBeVisible();
  await page.goto('/index');
  await expect(page).toHaveURL('/index');
  await office.context().close();
});

test('what an administrator sends reaches the open page of a member, in the panel and the list as well, until it is withdrawn [R-2.notifications.2] [R-2.notifications.4] [R-2.notify-panel.3] [R-2.notify-panel.6]', async ({
  app,
  page,
  browser,
}) => {
  const member = await enterAsMember(page);
  await page.goto('/menu');
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications');

  const office = await (await browser.newContext({ baseURL: app.url, locale: 'en-US' })).newPage();
  await office.goto('/login?lang=en&redirect=/admin/notifications');
  await logIn(office, adminAccount(app));
  await office.getByRole('button', { name: 'Send notification' }).click();
  const form = office.getByRole('dialog', { name: 'Send notification' });
  await form.getByLabel('To', { exact: true }).selectOption('One member');
  await form.getByLabel('E-mail address of the member').fill(member.email);
  const english = form.getByRole('group', { name: 'English' });
  await english.getByLabel('Title').fill('The lamp is repaired');
  await english.getByLabel('Text').fill('Your frame shines again.');
  await form.getByLabel('Page to open').fill('/plan');
  await form.getByRole('button', { name: 'Send notification' }).click();
  await expect(office.getByText('Sent to 1 member.')).toBeVisible();

  // Nothing is reloaded.
  await expect(bell).toHaveAccessibleName('Notifications (new messages)');
  const entry = page.getByRole('main').getByRole('button', { name: 'Notifications' });
  await expect(entry).toContainText('1 new notification');
  await entry.click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await expect(panel.getByRole('button', { name: /Framelift.*The lamp is repaired.*(just now|minute)/ })).toBeVisible();
  await expect(panel.locator('[data-unread]')).toHaveCount(1);
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toBeHidden();
  await expect(bell).toHaveAccessibleName('Notifications');

  await bell.click();
  const message = page.getByRole('dialog').getByRole('listitem');
  await expect(message).toContainText('Your frame shines again.');
  await page.getByRole('dialog').getByRole('link', { name: 'All notifications' }).click();
  await expect(page).toHaveURL('/notify');
  const row = page.getByRole('main').getByRole('link', { name: /The lamp is repaired/ });
  await expect(row.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)).toBeVisible();

  await office.getByRole('button', { name: 'Withdraw: The lamp is repaired' }).click();
  await expect(row).toBeHidden();
  await office.getByRole('button', { name: 'Show again: The lamp is repaired' }).click();
  await row.click();
  await expect(page).toHaveURL('/plan');
  await office.context().close();
});

test('an administrator sends pictures taken on site to a member, who finds them among the orders [R-3.order.3]', async ({
  app,
  page,
  browser,
}) => {
  const member = await enterAsMember(page);
  const office = await (await browser.newContext({ baseURL: app.url, locale: 'en-US' })).newPage();
  await office.goto('/login?lang=en&redirect=/admin/orders');
  await logIn(office, adminAccount(app));
  await office.getByRole('button', { name: 'New on-site order' }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByLabel('Member’s e-mail').fill(member.email);
  await dialog.getByLabel('Name').fill('Team photo');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText(`(${member.email})`)).toBeVisible();
  await dialog.getByLabel('3D strength').selectOption('0%');
  const photo = { mimeType: 'image/jpeg', buffer: await madePhoto(3) };
  await dialog.locator('input[type="file"]').setInputFiles([
    { ...photo, name: 'first.jpg' },
    { ...photo, name: 'second.jpg', buffer: await madePhoto(4) },
  ]);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(office.getByText('2 files are with Mei Lin.')).toBeVisible();
  await expect(office.getByRole('row', { name: /Team photo.*2 converted/ })).toBeVisible();
  await office.context().close();

  await page.goto('/menu/order?lang=en');
  await page.getByRole('button', { name: /^Team photo/ }).click();
  await expect(page.getByText('On-site shooting').first()).toBeVisible();
});

test('what an operator writes is read at once: terms in Chinese, a question in its place, a location; and a visitor is told that guests are switched off [R-2.route-public.3] [R-2.faq.1]', async ({
  app,
  page,
  browser,
}) => {
  const office = await (await browser.newContext({ baseURL: app.url, locale: 'en-US' })).newPage();
  await office.goto('/login?lang=en&redirect=/admin/legal');
  await logIn(office, adminAccount(app));
  await office.getByRole('tab', { name: /繁體中文/ }).click();
  const terms = office.getByLabel('Text', { exact: true });
  await expect(terms).toHaveValue(/^## 會員資格/);
  await terms.fill('## 新的規定\n\n請**善待**相框。<script>alert(1)</script>');
  // On a screen of this width, beside the fields.
  await expect(office.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('善待');
  await office.getByRole('button', { name: 'Publish' }).click();
  await expect(office.getByText('The text is published.')).toBeVisible();
  await expect(office.getByRole('row', { name: /Version 1 .*In force/ })).toBeVisible();
  await page.goto('/terms?lang=zh');
  await expect(page.getByRole('article')).toContainText('請善待相框。<script>alert(1)</script>');
  await expect(page.getByRole('heading', { level: 2, name: '新的規定' })).toBeVisible();

  await office.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Questions' }).click();
  await office.getByRole('link', { name: 'New question' }).click();
  await office.getByLabel('Question', { exact: true }).fill('Can I visit you?');
  await office.getByLabel('Answer', { exact: true }).fill('Yes, see [where](/locations).');
  await office.getByRole('button', { name: 'Save' }).click();
  await expect(office.getByText('Can I visit you? is saved.')).toBeVisible();
  // To the top, by keys alone.
  const rows = office.getByRole('main').getByRole('listitem');
  await office.getByRole('button', { name: 'Move Can I visit you?' }).focus();
  // Each step by its own words: a key that comes before the row has moved counts from where it was.
  for (const [key, told] of [
    ['Space', 'lifted, place 3'],
    ['ArrowUp', 'is over place 2'],
    ['ArrowUp', 'is over place 1'],
  ] as const) {
    await pressToSort(office, key, `Can I visit you? ${told} of 3.`);
  }
  await office.keyboard.press('Space');
  await expect(office.getByText('Can I visit you? is moved.')).toBeVisible();
  await expect(rows.first()).toContainText('Can I visit you?');
  await page.goto('/qa?lang=en');
  const first = page.getByRole('main').getByRole('heading', { level: 2 }).first();
  await expect(first).toHaveText('Can I visit you?');
  await first.getByRole('button').click();
  await page.getByRole('main').getByRole('link', { name: 'where' }).click();
  await expect(page).toHaveURL(/\/locations/);

  await office.goto('/admin/locations/new?lang=en');
  await office.getByLabel('Name', { exact: true }).fill('Pier 2');
  await office.getByLabel('Address', { exact: true }).fill('2 Harbour Road');
  await office.getByRole('button', { name: 'Save' }).click();
  await expect(office.getByText('Pier 2 is saved.')).toBeVisible();
  await page.goto('/locations?lang=en');
  const place = page.getByRole('article', { name: 'Pier 2' });
  await expect(place).toContainText('2 Harbour Road');
  await expect(place.getByRole('link', { name: 'Open in maps: Pier 2' })).toBeVisible();

  await office.goto('/admin/settings?lang=en');
  await office.getByLabel('Guests', { exact: true }).selectOption('Off');
  await expect(office.getByText('Guests: Off')).toBeVisible();
  await page.goto('/login?lang=en');
  await expect(page.getByText('Trying Framelift as a guest is not possible at the moment.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue as guest' })).toBeDisabled();
  await office.getByLabel('Guests', { exact: true }).selectOption('On');
  await expect(office.getByText('Guests: On')).toBeVisible();
  await office.context().close();
});
