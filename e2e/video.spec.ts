import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { serialCode } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { keepScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { sendFile, type UploadFile } from './support/upload.ts';
import { madeVideo, movingGif } from './support/videos.ts';

const FRAME = '3D projector (half side by side)';

test('a serial code lets a member convert a video: crop on a still, watch, play, download, change and undo [R-1.vip.1] [R-1.vip.2] [R-1.product.1] [R-2.upload-dialog.3] [R-4.upload-steps.2]', async ({
  page,
  app,
}) => {
  test.setTimeout(240_000);
  await enterAsMember(page);
  const video = await madeVideo('海邊.mp4', {
    width: 320,
    height: 240,
    frames: 50,
    sound: [{ codec: 'aac', channels: 2, seconds: 2 }],
  });

  await test.step('without VIP the reason is told', async () => {
    await page.goto('/player?action=upload&lang=en');
    await page.getByRole('dialog').getByRole('button', { name: 'Choose video' }).click();
    await expect(page.getByText('Videos are for VIP members').first()).toBeVisible();
  });

  await test.step('the code is redeemed in the menu', async () => {
    await page.goto('/menu?lang=en');
    await page.getByRole('button', { name: 'Redeem a code' }).click();
    await page.getByLabel('Serial code').fill(await serialCode(app));
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    await expect(page.getByText('Welcome, VIP!')).toBeVisible();
  });

  let crop = { width: 0, height: 0 };
  await test.step('the video is cropped on a still of it, and shown beside its strength', async () => {
    await sendVideo(page, video, async (dialog) => {
      await expect(dialog.getByRole('application')).toHaveAccessibleName(
        `Crop for ${FRAME}. Arrow keys move the photo, plus and minus zoom, 0 resets.`,
      );
      await expect(dialog.getByText('320 × 180 px')).toBeVisible();
      await dialog.getByRole('button', { name: 'Zoom in' }).click();
      await expect(dialog.getByText('320 × 180 px')).toBeHidden();
      const [width = 0, height = 0] =
        ((await dialog.locator('#crop-note').textContent()) ?? '').match(/\d+/g)?.map(Number) ?? [];
      crop = { width, height };
      await keepScreen(page, 'video-crop');
      await dialog.getByRole('button', { name: 'Next' }).click();
      const player = dialog.locator('video');
      await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.duration)).toBeCloseTo(2, 0);
      await choose(dialog.getByRole('slider', { name: '3D strength' }), '60%');
      await keepScreen(page, 'video-strength');
    });
  });

  await test.step('its frames are counted while it is converted', async () => {
    await expect(page.getByText(/^Frame \d+ of 50$/)).toBeVisible({ timeout: 60_000 });
    await keepScreen(page, 'video-running');
    await expect(page.getByRole('heading', { name: 'Your video', exact: true })).toBeVisible({ timeout: 120_000 });
  });

  await test.step('the flat video plays', async () => {
    const video = page.locator('video');
    await video.evaluate((one: HTMLVideoElement) => one.play());
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(0.2);
    await video.evaluate((one: HTMLVideoElement) => one.pause());
    await keepScreen(page, 'video-result');
  });

  await test.step('the video for the frame and another format are downloaded', async () => {
    const own = await download(page, () => page.getByRole('button', { name: `Download for ${FRAME}` }).click());
    expect(own.name).toBe('海邊_LR.mp4');
    const { width, height, seconds } = await played(page, own.bytes);
    // Videos have even sides.
    expect(Math.abs(width - crop.width)).toBeLessThanOrEqual(2);
    expect(Math.abs(height - crop.height)).toBeLessThanOrEqual(2);
    expect([crop.width < 300, seconds]).toEqual([true, 2]);
    const other = await download(page, async () => {
      await page.getByRole('button', { name: 'Other formats' }).click();
      const formats = page.getByRole('dialog', { name: 'Other formats' });
      await keepScreen(page, 'video-formats');
      await formats.getByRole('checkbox', { name: 'Red-cyan image' }).check();
      await formats.getByRole('button', { name: 'Download' }).click();
      await expect(page.getByRole('progressbar', { name: 'Converting: Red-cyan image' })).toBeVisible();
      await keepScreen(page, 'video-making');
    });
    expect(other.name).toMatch(/^海邊.*\.mp4$/);
    expect(await played(page, other.bytes)).toMatchObject({ seconds: 2 });
  });

  await test.step('another strength is made, and taken back', async () => {
    await choose(page.getByRole('slider', { name: '3D strength' }), '20%');
    await page.getByRole('button', { name: 'Convert with these changes' }).click();
    await expect(page.getByRole('heading', { name: 'Your video', exact: true })).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Your video', exact: true })).toBeVisible({ timeout: 120_000 });
    await expect(strength(page)).toHaveText('20%');
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await expect(strength(page)).toHaveText('60%', { timeout: 120_000 });
  });

  await test.step('a video under way is cancelled', async () => {
    await sendVideo(page, await madeVideo('long.mp4', { width: 640, height: 480, frames: 200 }), (dialog) =>
      dialog.getByRole('button', { name: 'Next' }).click(),
    );
    await expect(page.getByText(/^Frame \d+ of 200$/)).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Cancel conversion' }).click();
    await expect(page.getByText('The conversion was cancelled.')).toBeVisible();
    await keepScreen(page, 'video-cancelled');
  });
});

test('an animated GIF that is chosen as a photo stays moving if it is wanted, or becomes a photo [T11]', async ({
  page,
  app,
}) => {
  test.setTimeout(240_000);
  await enterAsMember(page);
  await page.goto('/menu?lang=en');
  await page.getByRole('button', { name: 'Redeem a code' }).click();
  await page.getByLabel('Serial code').fill(await serialCode(app));
  await page.getByRole('button', { name: 'Redeem', exact: true }).click();
  await expect(page.getByText('Welcome, VIP!')).toBeVisible();

  const dialog = page.getByRole('dialog', { name: /photo|video|strength/ });
  const question = page.getByRole('dialog', { name: 'Keep it moving?' });
  const chooseGif = async (answer: string) => {
    await page.goto('/player?action=upload&lang=en');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Choose photo' }).click();
    await (await chooser).setFiles(await movingGif());
    await expect(question).toBeVisible();
    await keepScreen(page, 'animation-question');
    await question.getByRole('button', { name: answer }).click();
    await expect(dialog.getByRole('application')).toBeVisible({ timeout: 30_000 });
  };
  await test.step('of the first frame a photo is cropped', async () => {
    await chooseGif('First frame only');
    await expect(dialog.getByRole('heading', { name: 'Crop and strength' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Upload and convert' })).toBeEnabled();
  });

  await test.step('moving it is cropped, shown, and converted like a video', async () => {
    await chooseGif('Keep it moving');
    await expect(dialog.getByRole('heading', { name: 'Crop your video' })).toBeVisible();
    await expect(dialog.getByText('This animation has transparent parts.')).toBeVisible();
    await dialog.getByLabel('For which frame?').click();
    await page.getByRole('option', { name: FRAME }).click();
    await keepScreen(page, 'animation-crop');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expect(dialog.getByRole('img', { name: 'party.gif' })).toBeVisible();
    await keepScreen(page, 'animation-strength');
    await dialog.getByRole('button', { name: 'Upload and convert' }).click();
    await expect(page.getByRole('heading', { name: 'Your video', exact: true })).toBeVisible({ timeout: 150_000 });
    const own = await download(page, () => page.getByRole('button', { name: `Download for ${FRAME}` }).click());
    expect(own.name).toBe('party_LR.mp4');
    expect((await played(page, own.bytes)).seconds).toBe(3);
  });
});

/** In the open dialog, selects a video for the projector, waits for its still, completes both steps and uploads. */
async function sendVideo(page: Page, file: UploadFile, between: (dialog: Locator) => Promise<void>): Promise<void> {
  await page.goto('/player?action=upload&lang=en');
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose video' }).click();
  await (await chooser).setFiles(typeof file === 'string' ? file : { ...file });
  await expect(dialog.getByRole('application')).toBeVisible({ timeout: 30_000 });
  await dialog.getByLabel('For which frame?').click();
  await page.getByRole('option', { name: FRAME }).click();
  await between(dialog);
  await sendFile(page, /\/menu\/confirmUpload\?media=/);
}

/** Moves a slider by keys until it shows `text`. */
async function choose(slider: Locator, text: string): Promise<void> {
  await slider.focus();
  await slider.press('Home');
  for (let step = 0; step < 12 && !(await says(slider)).startsWith(text); step++) await slider.press('ArrowRight');
  expect(await says(slider)).toMatch(new RegExp(`^${text}`));
}

const says = async (slider: Locator) => (await slider.getAttribute('aria-valuetext')) ?? '';

/** Locates the strength of the finished video on the page. */
const strength = (page: Page) =>
  page.locator('dt', { hasText: /^3D strength$/ }).locator('xpath=following-sibling::dd[1]');

async function download(page: Page, ask: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [saved] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), ask()]);
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

/** Returns the size and duration of a video as played by the browser. */
function played(page: Page, video: Buffer): Promise<{ width: number; height: number; seconds: number }> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const video = document.createElement('video');
    video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve;
      video.onerror = () => reject(new Error(video.error?.message));
    });
    return { width: video.videoWidth, height: video.videoHeight, seconds: Math.round(video.duration) };
  }, video.toString('base64'));
}
