import type { LiveSession } from '@framelift/contract';
import type { Page, Response } from '@playwright/test';
import { adminClient } from './support/api.ts';
import { enterAsMember, logIn } from './support/member.ts';
import { type RunningServer, startServer } from './support/server.ts';
import { test as base, expect } from './support/test.ts';

/** Largest difference in seconds between the moments that two angles show. */
const IN_SYNC = 0.2;

/** The cameras of the demonstration are drawn on the first start, on what the other tests leave of the CPU. */
const DRAWN = { timeout: 300_000, intervals: [5000, 10_000, 20_000] };

/** A call from an address in Japan. */
const ABROAD = { 'x-forwarded-for': '133.1.1.1' };

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

const HLS_SCRIPT: unknown = expect.stringMatching(/hls.*[.]js$/);

/** Returns the paths that a page asks for from now on. */
function scriptsOf(page: Page): readonly string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

/** A change of the watched angle, as the page shows it. */
interface Switch {
  readonly to: string | undefined;
  /** Seconds of the programme between the picture that went and the one that came, both read at that moment. */
  readonly apart: number;
  /** The new one had a picture when it came. */
  readonly hasPicture: boolean;
}

/** Runs in the page: notes every change of the watched angle, in the same turn in which it is drawn. */
function noteSwitches(): void {
  type Dated = HTMLVideoElement & { getStartDate(): Date };
  const switches: Switch[] = [];
  Object.assign(window, { switches });
  const onStage = () => document.querySelector<Dated>('video[data-place="stage"]');
  const dateOf = (video: Dated) => video.getStartDate().getTime() / 1000 + video.currentTime;
  let last = onStage();
  const look = () => {
    const video = onStage();
    if (!video || !last || video === last) return;
    const hasPicture = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
    switches.push({ to: video.dataset['angle'], apart: dateOf(video) - dateOf(last), hasPicture });
    last = video;
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['data-place'],
  });
}

/** Returns the links to a playlist and to a segment that a new session was given, which both serve this page. */
async function linksOf(page: Page, begun: Response): Promise<string[]> {
  const { message } = (await begun.json()) as { readonly message: LiveSession };
  const playlist = message.angles[0]?.manifest ?? '';
  const segment = /^\/api\/live\/.*$/m.exec(await (await page.request.get(playlist)).text())?.[0] ?? '';
  expect((await page.request.get(segment)).status()).toBe(200);
  return [playlist, segment];
}

/** Returns why a link is refused to the login of this page; undefined if it is not. */
async function refusalOf(page: Page, link: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const answer = await page.request.get(link, { headers });
  return answer.ok() ? undefined : ((await answer.json()) as { readonly code: string }).code;
}

/** Returns by how many seconds each small angle is ahead of the one on the stage. */
const driftsOn = (page: Page) =>
  page.evaluate(() => {
    type Dated = HTMLVideoElement & { getStartDate?(): Date };
    const dateOf = (video: Dated) => (video.getStartDate?.().getTime() ?? Number.NaN) / 1000 + video.currentTime;
    const stage = document.querySelector<Dated>('video[data-place="stage"]');
    const small = [...document.querySelectorAll<Dated>('video[data-place="tile"]')];
    return stage ? small.map((video) => dateOf(video) - dateOf(stage)) : [];
  });

test('a member finds a broadcast on the start page and in the calendar, watches it from several cameras that stay together, until another login takes over; its links serve nobody else [A44] [R-1.feature-live.1] [R-2.live.3]', async ({
  page,
  live,
  browser,
}) => {
  test.setTimeout(600_000);
  // The moving scene of a start page without pictures would leave two busy cores nothing for the videos.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const account = await enterAsMember(page);
  const scripts = scriptsOf(page);
  const operator = await adminClient(live);
  const { data } = await operator.call('managedLiveEvents', { input: { state: 'live' } });
  const event = data.find(({ is_free_view }) => is_free_view);
  if (!event) throw new Error('There is no event');
  const [first, second] = event.angles;
  for (const { source } of event.angles) {
    const check = () => operator.call('checkLiveSource', { input: { source } });
    await expect.poll(async () => (await check()).trouble, DRAWN).toBeNull();
  }

  await test.step('the start page and its calendar lead to it', async () => {
    await page.goto('/home');
    await expect(page.getByRole('heading', { name: 'Live games' })).toBeVisible({ timeout: 60_000 });
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
    // The first day of the broadcast, which was yesterday if midnight has passed since the server was started.
    await calendar.getByRole('gridcell').getByRole('button', { name: /event/ }).first().click();
    const title = page.getByText(event.title.en, { exact: true });
    await expect(calendar.getByRole('link').filter({ has: title })).toBeVisible();
    await page.getByRole('link', { name: `Watch live: ${event.title.en}`, exact: true }).click();
    await expect(page).toHaveURL(/\/live\//);
  });

  await test.step('the year of birth is asked once', async () => {
    await page.getByLabel('Year of birth').fill('1990');
    await page.getByRole('button', { name: 'Confirm' }).click();
  });

  let links: string[] = [];
  const player = page.getByRole('region', { name: `Broadcast: ${event.title.en}` });
  const camera = (angle: typeof first) => player.getByRole('button', { name: angle?.name.en ?? 'none' });
  await test.step('all cameras play, and show the same moment', async () => {
    // A machine that is busy looks like a slow line.
    const anyway = page.getByRole('button', { name: 'Continue' });
    await expect(player.or(anyway)).toBeVisible({ timeout: 60_000 });
    if (await anyway.isVisible()) await anyway.click();
    await expect(player).toBeVisible();
    await expect(camera(first)).toHaveAttribute('aria-pressed', 'true');
    // With Media Source Extensions never by the browser itself, whatever it says that it may play.
    await expect(player.locator('video[data-place="stage"]')).toHaveAttribute('src', /^blob:/);
    expect(scripts).toContainEqual(HLS_SCRIPT);
    await expect
      .poll(async () => (await driftsOn(page)).map((drift) => Math.abs(drift) < IN_SYNC), { timeout: 120_000 })
      .toEqual(event.angles.slice(1).map(() => true));
  });

  await test.step('a switch leaves out nothing, repeats nothing, and is never black', async () => {
    await page.evaluate(noteSwitches);
    await camera(second).click();
    await expect(camera(second)).toHaveAttribute('aria-pressed', 'true');
    await player.getByRole('button', { name: 'Show all cameras' }).click();
    await expect(player.locator('video')).toHaveCount(1);
    // Opened for this, and not seen before its picture is there.
    await page.keyboard.press('1');
    await expect(camera(first)).toHaveAttribute('aria-pressed', 'true');
    await expect(player.locator('video')).toHaveCount(1);
    const switches = await page.evaluate(() => (window as unknown as { switches: Switch[] }).switches);
    expect(switches.map(({ to, hasPicture }) => [to, hasPicture])).toEqual([
      [second?.id, true],
      [first?.id, true],
    ]);
    for (const { apart } of switches) expect(Math.abs(apart)).toBeLessThan(IN_SYNC);
  });

  await test.step('the keys of a player work', async () => {
    await page.keyboard.press('m');
    await expect(player.getByRole('button', { name: 'Sound on' })).toBeVisible();
    await page.keyboard.press('f');
    await expect(player.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
    await page.keyboard.press('f');
    await expect(player.getByRole('button', { name: 'Full screen' })).toBeVisible();
  });

  await test.step('another login takes over, and this one says so and takes it back', async () => {
    const elsewhere = await browser.newContext({ baseURL: live.url });
    const other = await elsewhere.newPage();
    await other.emulateMedia({ reducedMotion: 'reduce' });
    await other.goto('/login?lang=en');
    await logIn(other, account);
    await other.goto(`/live/${event.id}`);
    const movedFrom = (one: Page) => one.getByText('Playback has moved to another screen');
    await expect(movedFrom(page)).toBeVisible({ timeout: 60_000 });
    await expect(player).toBeHidden();
    const begun = page.waitForResponse('**/api/watchLive');
    await page.getByRole('button', { name: 'Watch here' }).click();
    await expect(player).toBeVisible({ timeout: 60_000 });
    await expect(movedFrom(other)).toBeVisible({ timeout: 60_000 });
    await elsewhere.close();
    links = await linksOf(page, await begun);
  });

  await test.step('its links serve nobody abroad', async () => {
    for (const link of links) expect(await refusalOf(page, link, ABROAD)).toBe('liveAbroad');
  });

  await test.step('who is too young is told so, and the links of another member do not help', async () => {
    const context = await browser.newContext({ baseURL: live.url, locale: 'en-US' });
    const young = await context.newPage();
    await young.emulateMedia({ reducedMotion: 'reduce' });
    await enterAsMember(young);
    await young.goto(`/live/${event.id}`);
    await young.getByLabel('Year of birth').fill(String(new Date().getFullYear() - 17));
    await young.getByRole('button', { name: 'Confirm' }).click();
    await expect(young.getByText('Live viewing is for people aged 18 or older.')).toBeVisible();
    for (const link of links) expect(await refusalOf(young, link)).toBe('liveLinkInvalid');
    await context.close();
  });

  await test.step('without Media Source Extensions, as on iPhones, one camera plays by the browser itself', async () => {
    const context = await browser.newContext({ baseURL: live.url, locale: 'en-US' });
    await context.addInitScript(() => {
      for (const name of ['MediaSource', 'ManagedMediaSource']) Reflect.deleteProperty(window, name);
      HTMLMediaElement.prototype.canPlayType = () => 'maybe';
    });
    const phone = await context.newPage();
    await phone.emulateMedia({ reducedMotion: 'reduce' });
    await enterAsMember(phone);
    const scripts = scriptsOf(phone);
    await phone.goto(`/live/${event.id}`);
    await phone.getByLabel('Year of birth').fill('1990');
    const begun = phone.waitForResponse('**/api/watchLive');
    await phone.getByRole('button', { name: 'Confirm' }).click();
    const anyway = phone.getByRole('button', { name: 'Continue' });
    const video = phone.locator('video[data-place]');
    await expect(video.first().or(anyway)).toBeVisible({ timeout: 60_000 });
    if (await anyway.isVisible()) await anyway.click();
    const { message } = (await (await begun).json()) as { readonly message: LiveSession };
    await expect(video).toHaveCount(1);
    await expect(video).toHaveAttribute('src', message.angles[0]?.manifest ?? '');
    expect(scripts).not.toContainEqual(HLS_SCRIPT);
    await context.close();
  });

  await test.step('the links of a browser that is gone without a word end with its heartbeats', async () => {
    await page.close();
    for (const link of links)
      await expect.poll(() => refusalOf(page, link), { timeout: 60_000 }).toBe('liveLinkExpired');
  });
});
