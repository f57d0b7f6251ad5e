import { featurePreset } from '@framelift/contract';
import type { Page } from '@playwright/test';
import { callApi } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, expectWay } from './support/upload.ts';

const footer = (page: Page) => page.getByRole('navigation', { name: 'Quick navigation' });

/** Returns the keyframes of the animation with which the page has entered. */
const entrance = (page: Page) =>
  page.locator('main [data-transition]').evaluate((shown) => {
    const { animationName, animationDuration } = getComputedStyle(shown);
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const found = rules.find((rule) => rule instanceof CSSKeyframesRule && rule.name === animationName);
    return Number.parseFloat(animationDuration) > 0 && found instanceof CSSKeyframesRule
      ? (found[0]?.cssText.replace(/^0%/, 'from') ?? '')
      : '';
  });

test('pages slide and fade in, what is not ready stands back, and nothing of the footer can be reached while a picture is sent [R-4.widget-ready.1] [R-2.footer.10] [R-2.footer.11] [R-2.lang-chooser.7] [X5] [R-2.transition.1] [R-2.transition.2] [R-2.transition.3]', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 360, height: 740 });
  const preset = { now: featurePreset('literal') };
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, message: { ...body.message, features: preset.now } } });
  });
  await page.goto('/mainindex');
  await expect(page.getByRole('heading').first()).toBeVisible();
  expect(await entrance(page)).toMatch(/translateY\(3rem\)/);
  await page.goto('/login');
  await expect(page.getByRole('tabpanel')).toBeVisible();
  expect(await entrance(page)).toMatch(/translateY\(-3rem\)/);
  await enterAsMember(page);
  await page.goto('/player');
  const opacity = (name: string) =>
    footer(page)
      .locator('a, button', { hasText: name })
      .evaluate((item) => Number(getComputedStyle(item).opacity));
  const soon = footer(page).getByRole('button', { name: 'Convert (in development)' });
  await expect(soon).toBeVisible();
  expect(await entrance(page)).toMatch(/^from \{ opacity: 0; \}$/);
  for (const name of ['Albums', 'Store']) expect(await opacity(name)).toBeLessThan(1);
  for (const name of ['Home', 'Menu']) expect(await opacity(name)).toBe(1);
  // It is marked as disabled but still reacts to clicks.
  await soon.click({ force: true });
  const alert = page.getByRole('dialog', { name: 'Under development' });
  await expect(alert).toBeVisible();
  await expect(alert).toBeHidden();

  const chooser = page.getByRole('button', { name: /^Choose language/ });
  const chevron = () => chooser.locator('svg').innerHTML();
  const collapsed = await chevron();
  const widthOf = async () => Math.round((await chooser.boundingBox())?.width ?? 0);
  await expect.poll(widthOf).toBe(65);
  await chooser.click();
  await expect.poll(widthOf).toBe(150);
  expect(await chevron()).not.toBe(collapsed);
  await chooser.click();
  expect(await chevron()).toBe(collapsed);

  preset.now = { ...featurePreset('full'), album: 'on' };
  await page.reload();
  // Holds the upload until `send` is called.
  let send = () => {};
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(/\/files\//, async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  await footer(page).getByRole('button', { name: 'Convert', exact: true }).click();
  await chooseFile(page, { name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(1) });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Upload and convert' }).click();
  await expect(dialog).toHaveAttribute('aria-busy', 'true');
  const reached = await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLElement>('nav[aria-label="Quick navigation"] :is(a, button)')];
    return links.map((link) => {
      const { x, y, width, height } = link.getBoundingClientRect();
      const onTop = document.elementFromPoint(x + width / 2, y + height / 2);
      link.focus();
      return link.contains(onTop) || document.activeElement === link;
    });
  });
  expect(reached.length).toBeGreaterThan(3);
  expect(reached).not.toContain(true);
  await expectWay(page, /\/menu\/confirmUpload\?media=/, send);
  // The notification bell reports the end.
  await expect.poll(async () => (await callApi<unknown[]>(page, 'notifications')).length, { timeout: 60_000 }).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'Notifications (new messages)' }).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await list.getByRole('link', { name: /Your picture is ready.*sea\.jpg/ }).click();
  await expect(page).toHaveURL(/\/result\//);
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
});
