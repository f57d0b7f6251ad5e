import { MEDIA_STATUS } from '@framelift/contract';
import { unzipped } from '@framelift/engine/testing/tools';
import type { Page } from '@playwright/test';
import { callApi, memberClient, uploadFlatJpeg, waitForMedia } from './support/api.ts';
import { expectAccessible } from './support/axe.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const NAMES = ['anchor 1.jpg', 'boat 2.jpg', 'crane 10.jpg', 'dock 3.jpg', '燈塔 ＡＢ.jpg'];

const card = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}` });
const viewer = (page: Page) => page.getByRole('dialog', { name: /full screen/ });

test('a member finds, renames, selects, deletes, restores, downloads and looks through pictures [R-2.videos.1] [R-2.videos.2] [R-2.videos.3] [R-2.orders.1] [R-2.orders.2] [R-2.orders.4]', async ({
  page,
  app,
}) => {
  test.setTimeout(300_000);
  const client = await memberClient(app.url, await enterAsMember(page));
  await page.goto('/menu/video');
  // The first picture is still to come: a sample shows what it will look like.
  await expect(page.getByText('Sample', { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: /A sample picture/ })).toBeVisible();
  expect((await callApi<unknown[]>(page, 'videos')).length).toBe(0);

  const ids: string[] = [];
  for (const [n, name] of NAMES.entries()) {
    const id = await uploadFlatJpeg(app.url, client, await madePhoto(n + 60, 240, 320), name);
    await waitForMedia(client, id, ({ status }) => status === MEDIA_STATUS.finished);
    ids.push(id);
  }
  await page.reload();
  await expect(card(page, NAMES[4] ?? '')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('5 items', { exact: true })).toBeVisible();

  await test.step('search, sort and kind are in the URL', async () => {
    const search = page.getByRole('searchbox', { name: 'Search by name' });
    await search.fill('ab');
    await expect(card(page, NAMES[0] ?? '')).toBeHidden();
    await expect(card(page, NAMES[4] ?? '')).toBeVisible();
    await search.fill('nothing like it');
    await expect(page.getByText('Nothing called “nothing like it” was found.')).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click();
    await expect(card(page, NAMES[0] ?? '')).toBeVisible();

    const kind = page.getByRole('combobox', { name: 'Kind' });
    await kind.click();
    await expect(page.getByRole('option')).toHaveText(['All', 'Uploaded', 'On-site shooting', 'Purchased']);
    await page.getByRole('option', { name: 'Purchased' }).click();
    await expect(page.getByText('Nothing of this kind yet.')).toBeVisible();
    await page.goBack();
    await expect(kind).toHaveValue('All');
    await page.getByRole('combobox', { name: 'Sort' }).click();
    await page.getByRole('option', { name: 'By name' }).click();
    await expect(page).toHaveURL(/sort=name/);
    await expect(page.getByRole('main').getByRole('listitem').getByRole('link').first()).toHaveAccessibleName(
      `Open ${NAMES[0]}`,
    );
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('By name');
  });

  await test.step('rename in place', async () => {
    await page.getByRole('button', { name: 'Actions for anchor 1.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByRole('textbox', { name: 'New name of anchor 1.jpg' });
    await expect(field).toHaveValue('anchor 1');
    await field.fill('aquarium');
    await page.keyboard.press('Enter');
    await expect(card(page, 'aquarium.jpg')).toBeVisible();
  });

  await test.step('select by Shift and by keyboard, delete and bring back', async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await card(page, 'aquarium.jpg').click();
    await card(page, 'crane 10.jpg').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected pictures' });
    // By name: aquarium, boat 2, crane 10.
    await expect(bar).toContainText('3 selected');
    await expect(page.getByRole('checkbox', { name: 'Select boat 2.jpg' })).toBeChecked();
    await card(page, 'boat 2.jpg').focus();
    await page.keyboard.press('Space');
    await expect(bar).toContainText('2 selected');
    await expectAccessible(page, 'a selection');
    await page.keyboard.press('ControlOrMeta+a');
    await expect(bar).toContainText('5 selected');
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    await page.getByRole('checkbox', { name: 'Select boat 2.jpg' }).check();
    await page.getByRole('checkbox', { name: 'Select dock 3.jpg' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).hover();
    await expect(card(page, 'boat 2.jpg')).toBeHidden();
    await expect(page.getByText('3 items', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(card(page, 'boat 2.jpg')).toBeVisible();
    await expect(card(page, 'dock 3.jpg')).toBeVisible();
  });

  await test.step('the archive holds one file of each selected picture', async () => {
    await page.getByRole('checkbox', { name: 'Select aquarium.jpg' }).check();
    await page.getByRole('checkbox', { name: 'Select 燈塔 ＡＢ.jpg' }).check();
    const arrives = page.waitForEvent('download', { timeout: 60_000 });
    await page.getByRole('region', { name: 'Selected pictures' }).getByRole('button', { name: 'Download' }).click();
    const download = await arrives;
    expect(download.suggestedFilename()).toMatch(/^framelift-\d{4}-\d\d-\d\d\.zip$/);
    const files = await unzipped(await download.path());
    expect([...files.keys()].sort()).toEqual([
      expect.stringMatching(/^aquarium.*\.(jpe?g|png)$/),
      expect.stringMatching(/^燈塔.*\.(jpe?g|png)$/),
    ]);
    for (const file of files.values()) expect(file.length).toBeGreaterThan(1000);
    await page.keyboard.press('Escape');
  });

  await test.step('full screen, with the next and the previous one by keys and swipes; "back" closes it', async () => {
    await page.getByRole('button', { name: 'Actions for aquarium.jpg' }).click();
    await page.getByRole('menuitem', { name: 'View full screen' }).click();
    await expect(viewer(page)).toHaveAccessibleName('aquarium.jpg, full screen');
    await expectAccessible(page, 'the viewer');
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page)).toHaveAccessibleName('boat 2.jpg, full screen');
    await page.keyboard.press('ArrowLeft');
    await expect(viewer(page).getByRole('button', { name: 'Previous' })).toBeHidden();
    const swipe = (from: number, to: number) =>
      viewer(page)
        .locator('img')
        .first()
        .evaluate(
          (element, [start, end]) => {
            const point = { pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true, clientY: 200 };
            element.dispatchEvent(new PointerEvent('pointerdown', { ...point, clientX: start }));
            element.dispatchEvent(new PointerEvent('pointerup', { ...point, clientX: end }));
          },
          [from, to] as const,
        );
    await swipe(200, 181);
    await expect(viewer(page)).toHaveAccessibleName('aquarium.jpg, full screen');
    await swipe(200, 180);
    await expect(viewer(page)).toHaveAccessibleName('boat 2.jpg, full screen');
    await page.goBack();
    await expect(viewer(page)).toBeHidden();
    await expect(page).toHaveURL(/\/menu\/video/);
  });

  await test.step('a slideshow goes on by itself and can be paused', async () => {
    await page.getByRole('button', { name: 'Slideshow' }).click();
    await viewer(page).getByRole('combobox', { name: 'Time per picture' }).selectOption('3 s');
    await expect(viewer(page)).toHaveAccessibleName('boat 2.jpg, full screen', { timeout: 20_000 });
    await viewer(page).getByRole('button', { name: 'Pause slideshow' }).click();
    await expect(viewer(page).getByRole('button', { name: 'Start slideshow' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(viewer(page)).toBeHidden();
  });

  await test.step('the page of a result leads to its neighbours in the list', async () => {
    await card(page, 'boat 2.jpg').click();
    await expect(page).toHaveURL(new RegExp(`/result/${ids[1]}$`));
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/result/${ids[2]}$`));
    await page.getByRole('link', { name: 'Previous', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/result/${ids[1]}$`));
    await page.getByRole('button', { name: 'Add to album' }).click();
    await page.getByLabel('Album name').fill('Harbour');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 picture was added to Harbour.')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/menu\/video\?sort=name$/);
  });

  await test.step('a list of more than a page has a control for more, and a conversion is labelled while it runs', async () => {
    for (let n = 0; n < 17; n++)
      await uploadFlatJpeg(app.url, client, await madePhoto(n + 80, 64, 86), `zebra ${n}.jpg`);
    // A flat picture is finished at once, so the state of a conversion that runs is set in the answers.
    const running = { status: MEDIA_STATUS.processing, progress: 0, cover: null };
    await page.route('**/api/videos?**', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data[0]) Object.assign(body.data[0], running);
      await route.fulfill({ response, json: body });
    });
    await page.route(/\/api\/media\/[0-9a-f-]+$/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, message: { ...body.message, ...running } } });
    });
    await page.reload();
    await expect(page.getByRole('main').getByText('Converting').first()).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(22);
    await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
  });

  await test.step('its orders are listed by category and days, with a control for more', async () => {
    await page.goto('/menu/order');
    const tabs = (name: string) => page.getByRole('tablist', { name }).getByRole('tab');
    await expect(tabs('Kind of order')).toHaveText(['All', 'Uploads', 'Purchases']);
    await expect(tabs('Period')).toHaveText(['All time', 'Day', 'Week', 'Month', 'Season']);
    const orders = page.getByRole('button', { expanded: false }).filter({ hasText: /\.jpg/ });
    await expect(orders).toHaveCount(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(orders).toHaveCount(22);
    await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
  });
});
