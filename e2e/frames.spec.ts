import { createClient } from '@framelift/contract';
import type { Page } from '@playwright/test';
import { memberClient, uploadFlatJpeg } from './support/api.ts';
import { expectAccessible } from './support/axe.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { pressToSort } from './support/sorting.ts';
import { expect, test } from './support/test.ts';
import { chooseFile } from './support/upload.ts';

/**
 * Starts to note the order of the rows each time that they change while none is lifted.
 *
 * @returns the orders that were seen, as the first letters of the rows, when called.
 */
async function watchOrder(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const orders = new Set<string>();
    const rows = () => [...document.querySelectorAll<HTMLElement>('[data-item]')];
    new MutationObserver(() => {
      if (rows().some(({ dataset }) => 'dragging' in dataset)) return;
      orders.add(
        rows()
          .map((row) => row.textContent.charAt(0))
          .join(''),
      );
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    return orders;
  });
  return () => seen.evaluate((orders) => [...orders]);
}

/** Presses the screen until the row under it is lifted, and drags it over another one, as a finger does. */
async function dragByTouch(page: Page, from: string, to: string): Promise<void> {
  const touch = await page.context().newCDPSession(page);
  const middle = async (item: string) => {
    const row = page.locator('[data-item]').filter({ hasText: item });
    // Waits until it neither moves nor is covered: a finger does not press where a row was a moment ago.
    await row.hover({ trial: true });
    const box = await row.boundingBox();
    if (!box) throw new Error(`${item} is not on the page`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [start, end] = [await middle(from), await middle(to)];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] });
  await expect(page.locator('[data-dragging]')).toContainText(from);
  for (const part of [0.25, 0.5, 0.75, 1, 1.05]) {
    const y = start.y + (end.y - start.y) * part;
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: start.x, y }] });
  }
  await expect(page.getByText(new RegExp(`^${from} is over place`))).toBeAttached();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a member without a frame converts, is led from a picture to pairing, and sees when it was shown; what the frame plays is ordered by finger and by keys, removed and brought back [R-1.product.3] [R-1.member.11] [R-1.feature-other.5] [R-2.qr.1] [R-9.qr.1]', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  const client = await memberClient(app.url, await enterAsMember(page));
  // No frame is needed to convert: only where there is no type of frame at all, the dialog says so and closes.
  const types = '**/api/getDeviceType';
  await page.route(types, (route) => route.fulfill({ json: { success: true, message: [] } }));
  await page.goto('/player?action=upload');
  await expect(page.getByText('No type of frame is available yet. Please contact the operator.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute(types);
  await page.goto('/player?action=upload');
  await chooseFile(page, { name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(1) });
  await page.goto('/player');
  const pictures: string[] = [];
  for (const [index, name] of ['sea.jpg', 'hill.jpg', 'town.jpg'].entries()) {
    pictures.push(await uploadFlatJpeg(app.url, client, await madePhoto(index + 1), name));
  }

  await page.goto(`/result/${pictures[0]}`);
  await page.getByRole('button', { name: 'Show on frame' }).click();
  const dialog = page.getByRole('dialog', { name: 'Show on frame' });
  await expect(dialog).toContainText('You have no frame yet.');
  await dialog.getByRole('link', { name: 'Pair a frame' }).click();
  await expect(page).toHaveURL(/\/menu\/qrcode/i);

  // On a screen of usual size the code is as large as specified.
  const screen = await browser.newPage({ baseURL: app.url, viewport: { width: 1920, height: 1080 } });
  await screen.goto('/frame');
  const qr = await screen.locator('.qr svg, .qr canvas').boundingBox();
  expect([qr?.width, qr?.height].map((side) => Math.round(side ?? 0))).toEqual([350, 350]);
  await screen.close();

  // Another player: a program that speaks the frame's side of the API.
  let token: string | undefined;
  const frame = createClient({ base: `${app.url}/api`, token: () => token, language: () => 'en' });
  const size = { width: 1920, height: 1080, pixelRatio: 1 };
  const codes = await frame.call('startFrame', { input: { kind: 'Firefox, Linux', screen: size } });
  await page.getByLabel('Code on the frame').fill(codes.user_code);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Frame name').fill('Kitchen');
  await page.getByRole('button', { name: 'Pair this frame' }).click();
  // What was chosen before is on the frame without another step.
  await expect(dialog).toContainText('Kitchen is offline. It appears as soon as the frame is connected.');
  token = (await frame.call('pollFrame', { input: { device_code: codes.device_code } })).access_token;
  const playing = async () => {
    const { version, items } = await frame.call('framePlaylist');
    return { version, items, names: items.map(({ name }) => name) };
  };
  await expect.poll(async () => (await playing()).names).toEqual(['sea.jpg']);
  const report = { version: '7.8.9', screen: size };
  await frame.call('frameHeartbeat', { input: { ...report, playlist: null } });
  await expect(dialog).toContainText('Kitchen is downloading it.');
  const { version, items } = await playing();
  const item = items[0]?.id ?? '';
  await frame.call('frameHeartbeat', { input: { ...report, playlist: version } });
  await expect(dialog).toContainText('It is on Kitchen and appears when its turn comes.');
  const showing = { item, since: new Date().toISOString() };
  await frame.call('frameHeartbeat', { input: { ...report, playlist: version, showing, shown: [item] } });
  await expect(dialog).toContainText(/Shown on Kitchen at \d/);
  await expectAccessible(page, 'the receipt of a frame');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Kitchen', level: 1 })).toBeVisible();
  await expect(page.getByText('Up to date')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Showing now' })).toContainText('sea.jpg');

  await page.getByRole('button', { name: 'Add pictures' }).click();
  const adding = page.getByRole('dialog', { name: 'Add to Kitchen' });
  await adding.getByRole('checkbox', { name: 'hill.jpg' }).click();
  await adding.getByRole('checkbox', { name: 'town.jpg' }).click();
  await adding.getByRole('button', { name: 'Add 2' }).click();
  const rows = page.locator('[data-item]');
  await expect(rows).toHaveText([/sea/, /hill/, /town/]);
  await expect(page.getByText('Downloading')).toBeVisible();

  const handle = page.getByRole('button', { name: 'Move town.jpg' });
  await handle.focus();
  await pressToSort(page, 'Space', 'town.jpg lifted, place 3 of 3.');
  await pressToSort(page, 'ArrowUp', 'town.jpg is over place 2 of 3.');
  await pressToSort(page, 'ArrowUp', 'town.jpg is over place 1 of 3.');
  const orders = await watchOrder(page);
  await page.keyboard.press('Space');
  await expect(rows).toHaveText([/town/, /sea/, /hill/]);
  await expect(handle).toBeFocused();
  await expect.poll(async () => (await playing()).names).toEqual(['town.jpg', 'sea.jpg', 'hill.jpg']);
  // What was dropped is never drawn at its old place again.
  expect(await orders()).toEqual(['tsh']);
  await dragByTouch(page, 'town.jpg', 'sea.jpg');
  await expect.poll(async () => (await playing()).names).toEqual(['sea.jpg', 'town.jpg', 'hill.jpg']);
  await expect(rows).toHaveText([/sea/, /town/, /hill/]);

  await page.getByRole('button', { name: 'Actions for hill.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the frame' }).click();
  await expect(rows).toHaveText([/sea/, /town/]);
  await expect.poll(async () => (await playing()).names).toEqual(['sea.jpg', 'town.jpg']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveText([/sea/, /town/, /hill/]);
  await expect.poll(async () => (await playing()).names).toEqual(['sea.jpg', 'town.jpg', 'hill.jpg']);

  await page.getByRole('tab', { name: 'Settings' }).click();
  const mode = page.getByRole('option', { name: /^Red-cyan/ });
  // The list closes when what it belongs to scrolls away.
  await expect(async () => {
    if (!(await mode.isVisible())) await page.getByRole('combobox', { name: 'How depth is shown' }).click();
    await mode.click({ timeout: 3000 });
  }).toPass();
  await expect(page.getByText('Saved')).toBeVisible();
  await expect.poll(async () => (await frame.call('framePlaylist')).options.mode).toBe('anaglyph');
  await expect(page.getByText('7.8.9')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'How depth is shown' })).toHaveValue('Red-cyan');
  await page.getByRole('button', { name: 'Unpair Kitchen' }).click();
  await page.getByRole('dialog', { name: 'Unpair Kitchen?' }).getByRole('button', { name: 'Unpair' }).click();
  await expect(page.getByRole('heading', { name: 'No frames yet' })).toBeVisible();
});
