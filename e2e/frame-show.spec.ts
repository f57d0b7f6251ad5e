import type { Client } from '@framelift/contract';
import type { BrowserContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { memberClient, serialCode, uploadFlatJpeg, uploadVideo, waitForMedia } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { keepScreen } from './support/screens.ts';
import type { RunningServer } from './support/server.ts';
import { expect, test } from './support/test.ts';
import { madeVideo } from './support/videos.ts';

/** Colours of the pictures: what a screen shows is seen by its middle. */
const COLOURS = { red: '#c83232', green: '#32a050', blue: '#3250c8', yellow: '#d2c828', violet: '#8c32c8' } as const;
type Colour = keyof typeof COLOURS;
const DEVICE = '3D projector (half side by side)';

/** A member with pictures and a video, and a frame of theirs in a browser of its own. */
interface Show {
  readonly member: Client;
  readonly media: Readonly<Record<Exclude<Colour, 'violet'> | 'video', string>>;
  readonly frameId: string;
  readonly context: BrowserContext;
  readonly frame: Page;
}

let show: Show;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser, app }) => {
  test.setTimeout(180_000);
  const member = await demoMember(app);
  const colour = async (name: Colour) => uploadFlatJpeg(app.url, member, await plain(COLOURS[name]), `${name}.jpg`);
  const [red, green, blue, yellow] = [
    await colour('red'),
    await colour('green'),
    await colour('blue'),
    await colour('yellow'),
  ];
  const video = await uploadVideo(
    app.url,
    member,
    await madeVideo('film.mp4', { width: 160, height: 120, frames: 25 }),
    DEVICE,
  );
  const media = { red, green, blue, yellow, video };
  for (const id of Object.values(media)) await waitForMedia(member, id, ({ status }) => status === 1, 120_000);

  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'en-GB',
    viewport: { width: 600, height: 800 },
  });
  await context.addInitScript(countResources);
  const frame = await context.newPage();
  await frame.goto('/frame');
  const code = await frame.getByText(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/).textContent();
  const { id: frameId } = await member.call('addDevice', { input: { deviceId: code ?? '', name: 'Shelf' } });
  await member.call('setFrameOptions', { params: { id: frameId }, input: { intervalSeconds: 5, transition: 'fade' } });
  await expect(frame.getByText('There is nothing to show yet.')).toBeVisible({ timeout: 45_000 });
  await keepScreen(frame, 'frame-empty');
  show = { member, media, frameId, context, frame };
});
test.afterAll(() => show?.context.close());

test('a frame plays a picture, an album and a video of its owner, goes on without a network over a restart, and drops what is removed within ten seconds [R-1.product.3][A89][A90][A91]', async () => {
  test.setTimeout(240_000);
  const { member, media, frameId, context, frame } = show;
  const album = await member.call('albumCreate', { input: { name: 'Garden' } });
  await member.call('editToAlbum', { input: { id: album.id, editType: 'add', media_ids: [media.green] } });
  await member.call('showOnFrame', {
    input: { frames: [frameId], media_ids: [media.red, media.video], album_ids: [album.id] },
  });

  await test.step('everything is seen on it, and its owner is told', async () => {
    await expectToSee(frame, ['red', 'green', 'video']);
    await expect
      .poll(async () => (await member.call('getFrame', { params: { id: frameId } })).state, { timeout: 90_000 })
      .toBe('upToDate');
    await expect
      .poll(async () => (await items(member, frameId)).every(({ shown_at }) => shown_at !== null), { timeout: 90_000 })
      .toBe(true);
  });

  await test.step('a touch shows the controls, which hide by themselves', async () => {
    await frame.locator('.player').click();
    await expect(frame.getByRole('toolbar', { name: 'Controls' })).toBeVisible();
    await keepScreen(frame, 'frame-controls');
    await frame.getByRole('button', { name: 'Pause' }).click();
    await frame.getByRole('button', { name: 'Play' }).click();
    await expect(frame.getByRole('toolbar', { name: 'Controls' })).toBeHidden();
  });

  await test.step('what is added to the album comes by itself', async () => {
    await member.call('editToAlbum', { input: { id: album.id, editType: 'add', media_ids: [media.blue] } });
    await expectToSee(frame, ['blue']);
  });

  await test.step('without a network the show goes on, also after a restart', async () => {
    await expect.poll(() => frame.evaluate(async () => (await caches.match('/frame')) !== undefined)).toBe(true);
    await context.setOffline(true);
    await frame.reload();
    await expectToSee(frame, ['red', 'green', 'blue', 'video']);
  });

  await test.step('with the network back it catches up without a reload', async () => {
    const first = (await items(member, frameId)).find(({ media_id }) => media_id === media.red);
    await member.call('removeFrameItems', { params: { id: frameId }, input: { items: [first?.id ?? ''] } });
    const pages = await frame.evaluate(() => performance.timeOrigin);
    await expectToSee(frame, ['red']);
    await context.setOffline(false);
    await expect.poll(() => kept(frame), { timeout: 10_000 }).not.toContain(media.red);
    await expect.poll(() => seen(frame), { timeout: 10_000 }).not.toBe('red');
    expect(await frame.evaluate(() => performance.timeOrigin)).toBe(pages);
  });
});

test("a friend's picture appears on the frame while its owner allows it, and goes within ten seconds when not", async ({
  page,
  app,
}) => {
  test.setTimeout(240_000);
  const { member, frameId, frame } = show;
  const account = await enterAsMember(page);
  const friend = await memberClient(app.url, account);
  const violet = await uploadFlatJpeg(app.url, friend, await plain(COLOURS.violet), 'violet.jpg');
  await waitForMedia(friend, violet, ({ status }) => status === 1, 120_000);
  await friend.call('addFriend', { input: { email: (await member.call('user')).email } });
  await member.call('addFriend', { input: { email: account.email } });
  const friends = async () => (await member.call('friends', { input: {} })).data;
  await expect.poll(async () => (await friends()).length).toBe(1);
  const [friendship] = await friends();
  const allow = (allowed: boolean) =>
    member.call('setFrameSender', { params: { id: frameId }, input: { friend: friendship?.id ?? '', allowed } });

  await allow(true);
  await friend.call('showOnFrame', { input: { frames: [frameId], media_ids: [violet], album_ids: [] } });
  await expectToSee(frame, ['violet']);
  const [sent] = (await items(member, frameId)).filter(({ media_id }) => media_id === violet);
  expect(sent?.sender).toBe((await friend.call('user')).name);
  await allow(false);
  await expect.poll(() => kept(frame), { timeout: 10_000 }).not.toContain(violet);
  await expect.poll(() => seen(frame), { timeout: 10_000 }).not.toBe('violet');
});

test('a thousand items leave memory as it was: heap, objects of the GPU, decoded pictures and files in memory', async () => {
  test.setTimeout(480_000);
  const { member, media, frameId, frame } = show;
  // A small screen: what each item takes and gives back is the same, and there is less to draw.
  await frame.setViewportSize({ width: 150, height: 200 });
  await member.call('setFrameOptions', {
    params: { id: frameId },
    input: { intervalSeconds: 86_400, transition: 'none' },
  });
  await member.call('showOnFrame', { input: { frames: [frameId], media_ids: [media.yellow], album_ids: [] } });
  await expect.poll(() => kept(frame)).toContain(media.yellow);
  await expect
    .poll(() => frame.evaluate(async () => (await (await caches.open('framelift.show')).keys()).length))
    .toBe(5);

  const session = await frame.context().newCDPSession(frame);
  await session.send('HeapProfiler.enable');
  const measure = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { heap: usedSize, ...(await frame.evaluate(() => ({ ...resources() }))) };
  };
  // The browser compiles what runs often, which counts as heap: measured from where that has ended.
  await playItems(frame, 300);
  const before = await measure();
  await playItems(frame, 1000);
  const after = await measure();
  expect(after.heap).toBeLessThan(before.heap * 1.1);
  for (const kind of ['gpu', 'bitmaps', 'urls'] as const) {
    expect(after[kind], kind).toBeLessThanOrEqual(before[kind] + 2);
  }
});

async function demoMember(app: RunningServer): Promise<Client> {
  const [, email = '', password = ''] = /Member\s+(\S+)\s+password (\S+)/.exec(app.output()) ?? [];
  const member = await memberClient(app.url, { email, password });
  await member.call('setVIP', { input: { pin_code: await serialCode(app) } });
  return member;
}

const plain = (background: string) =>
  sharp({ create: { width: 600, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer();

const items = (member: Client, id: string) => member.call('frameItems', { params: { id } });

/** Returns the pictures in the playlist that the frame keeps for a start without a network. */
const kept = (frame: Page) =>
  frame.evaluate(async () => {
    const note = await (await caches.open('framelift.show')).match('/frame/kept-playlist');
    return (JSON.parse((await note?.text()) ?? '{}').items ?? []).map(
      ({ mediaId }: { mediaId: string }) => mediaId,
    ) as string[];
  });

/** Returns the picture in the middle of the screen. */
async function seen(frame: Page): Promise<Colour | 'video' | null> {
  const { data } = await sharp(await frame.screenshot({ clip: { x: 200, y: 300, width: 200, height: 200 } }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [red = 0, green = 0, blue = 0] = data;
  const isPlain = data.every((value, i) => Math.abs(value - (data[i % 3] as number)) < 6);
  if (!isPlain) return 'video';
  for (const [name, code] of Object.entries(COLOURS)) {
    const wanted = [1, 3, 5].map((at) => Number.parseInt(code.slice(at, at + 2), 16));
    if ([red, green, blue].every((value, i) => Math.abs(value - (wanted[i] as number)) < 12)) return name as Colour;
  }
  return null;
}

async function expectToSee(frame: Page, wanted: readonly (Colour | 'video')[]): Promise<void> {
  const missing = new Set(wanted);
  await expect
    .poll(
      async () => {
        missing.delete((await seen(frame)) as Colour);
        return [...missing];
      },
      { timeout: 60_000, intervals: [250] },
    )
    .toEqual([]);
}

declare function resources(): { gpu: number; bitmaps: number; urls: number };

/** Counts what the page holds outside of its heap. Runs in the page before its scripts. */
function countResources(): void {
  const held = { gpu: 0, bitmaps: 0, urls: 0 };
  Object.assign(globalThis, { resources: () => held });
  const count = <T extends object>(target: T, name: keyof T, kind: keyof typeof held, step: 1 | -1) => {
    const original = target[name] as (...args: unknown[]) => unknown;
    Object.assign(target, {
      [name](this: unknown, ...args: unknown[]) {
        if (step === 1 || (args[0] ?? null) !== null || kind === 'bitmaps') held[kind] += step;
        return original.apply(this, args);
      },
    });
  };
  const gl = WebGL2RenderingContext.prototype;
  for (const kind of [
    'Texture',
    'Buffer',
    'Framebuffer',
    'Renderbuffer',
    'VertexArray',
    'Program',
    'Shader',
  ] as const) {
    count(gl, `create${kind}`, 'gpu', 1);
    count(gl, `delete${kind}`, 'gpu', -1);
  }
  count(globalThis as typeof globalThis & object, 'createImageBitmap' as never, 'bitmaps', 1);
  count(ImageBitmap.prototype, 'close', 'bitmaps', -1);
  count(URL, 'createObjectURL', 'urls', 1);
  count(URL, 'revokeObjectURL', 'urls', -1);
}

/** Turns to the next item by its key as soon as one is shown. */
async function playItems(frame: Page, count: number): Promise<void> {
  await frame.evaluate(
    (count) =>
      new Promise<void>((resolve) => {
        const title = document.querySelector('.player-title') as Element;
        const turn = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'MediaTrackNext' }));
        let left = count;
        const observer = new MutationObserver(() => {
          left--;
          if (left > 0) return void setTimeout(turn);
          observer.disconnect();
          resolve();
        });
        observer.observe(title, { childList: true, characterData: true, subtree: true });
        turn();
      }),
    count,
  );
}
