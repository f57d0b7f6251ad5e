import type { Page } from '@playwright/test';
import { adminClient } from './support/api.ts';
import { signUp } from './support/member.ts';
import { type RunningServer, startServer } from './support/server.ts';
import { test as base, expect } from './support/test.ts';

/** Largest difference in seconds between the moments that two angles show. */
const IN_SYNC = 0.2;

/** The cameras of the demonstration are drawn on the first start, on what the other tests leave of the CPU. */
const DRAWN = { timeout: 240_000, intervals: [5000] };

const test = base.extend<{ live: RunningServer }>({
  // A server of its own: the other journeys are those of a site without broadcasts.
  live: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this very pattern
    async ({}, use) => {
      const server = await startServer({ LIVE_DEMO: 'on' });
      await use(server);
      await server.remove();
    },
    { timeout: 150_000 },
  ],
  baseURL: ({ live }, use) => use(live.url),
});

/** Returns by how many seconds each small angle is ahead of the one on the stage. */
const driftsOn = (page: Page) =>
  page.evaluate(() => {
    type Dated = HTMLVideoElement & { getStartDate?(): Date };
    const dateOf = (video: Dated) => (video.getStartDate?.().getTime() ?? Number.NaN) / 1000 + video.currentTime;
    const stage = document.querySelector<Dated>('video[data-place="stage"]');
    const small = [...document.querySelectorAll<Dated>('video[data-place="tile"]')];
    return stage ? small.map((video) => dateOf(video) - dateOf(stage)) : [];
  });

test('a member finds a broadcast on the start page and in the calendar, tells the year of birth once, and sees its cameras at the same moment [R-1.feature-live.1] [R-2.live.3]', async ({
  page,
  live,
}) => {
  test.setTimeout(420_000);
  await signUp(page);
  const operator = await adminClient(live);
  const { data } = await operator.call('managedLiveEvents', { input: { state: 'live' } });
  const event = data.find(({ is_free_view }) => is_free_view);
  if (!event) throw new Error('There is no event');
  const [first] = event.angles;
  for (const { source } of event.angles) {
    const check = () => operator.call('checkLiveSource', { input: { source } });
    await expect.poll(async () => (await check()).trouble, DRAWN).toBeNull();
  }

  await test.step('the start page and its calendar lead to it', async () => {
    await page.goto('/home');
    await expect(page.getByRole('heading', { name: 'Live games' })).toBeVisible();
    const calendar = page.getByRole('region', { name: 'Event calendar' });
    const month = (offset: number) => {
      const [year = 0, now = 0] = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Taipei' })
        .format()
        .split('-')
        .map(Number);
      return new Intl.DateTimeFormat('en', { timeZone: 'UTC', year: 'numeric', month: 'long' }).format(
        Date.UTC(year, now - 1 + offset, 1),
      );
    };
    await expect(calendar.getByRole('grid', { name: month(0) })).toBeVisible();
    await calendar.getByRole('button', { name: 'Next month' }).click();
    await expect(calendar.getByRole('grid', { name: month(1) })).toBeVisible();
    await calendar.getByRole('button', { name: 'Previous month' }).click();
    await expect(calendar.getByRole('gridcell', { selected: true }).getByRole('button')).toHaveAccessibleName(/event/);
    const title = page.getByText(event.title.en, { exact: true });
    await expect(calendar.getByRole('link').filter({ has: title })).toBeVisible();
    await page.getByRole('link', { name: `Watch live: ${event.title.en}`, exact: true }).click();
    await expect(page).toHaveURL(/\/live\//);
  });

  await test.step('the year of birth is asked once', async () => {
    await page.getByLabel('Year of birth').fill('1990');
    await page.getByRole('button', { name: 'Confirm' }).click();
  });

  const player = page.getByRole('region', { name: `Broadcast: ${event.title.en}` });
  await test.step('all cameras play, and show the same moment', async () => {
    // A machine that is busy looks like a slow line.
    const anyway = page.getByRole('button', { name: 'Continue' });
    await expect(player.or(anyway)).toBeVisible({ timeout: 60_000 });
    if (await anyway.isVisible()) await anyway.click();
    await expect(player).toBeVisible();
    await expect(player.getByRole('button', { name: first?.name.en ?? 'none' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect
      .poll(async () => (await driftsOn(page)).map((drift) => Math.abs(drift) < IN_SYNC), { timeout: 120_000 })
      .toEqual(event.angles.slice(1).map(() => true));
  });
});
