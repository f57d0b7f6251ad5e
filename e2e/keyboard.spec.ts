import type { Page } from '@playwright/test';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

/** More tab stops than any page has. */
const STOPS = 80;

test('the keyboard alone leads from the landing page to a converted picture; the crop moves and zooms by keys, is named and announced, and is measured before it can be sent [A28] [A110] [X5] [X11] [R-4.upload-steps.1] [R-5.crop.4]', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto('/index?lang=en');
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveText('Skip to content');
  await tabTo(page, /^log in$/i);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('tabpanel')).toBeVisible();
  await tabTo(page, /^Continue as guest$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/guestPage/);
  await tabTo(page, /^Convert a photo$/);
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Choose photo' })).toBeFocused();
  await page.evaluate(noteUnmeasured);
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'keys.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(31, 1200, 900) });

  const announced = dialog.getByText(/^Crop [\d,]+ by [\d,]+ pixels/);
  await test.step('arrows move the crop, + and - zoom it, 0 brings it back', async () => {
    await expect(announced).toBeAttached({ timeout: 30_000 });
    await tabTo(page, /^Crop for Looking Glass Portrait\. Arrow keys move the photo, plus and minus zoom/);
    await expect(dialog.locator('#crop-note')).toContainText('×');
    const sendable = () => page.evaluate(() => (window as unknown as { sendable: string[] }).sendable);
    expect(new Set(await sendable())).toEqual(new Set(['measured']));
    const whole = await announced.textContent();
    await page.keyboard.press('ArrowRight');
    await expect(announced).not.toHaveText(whole ?? '');
    const moved = await announced.textContent();
    await page.keyboard.press('+');
    await expect(announced).not.toHaveText(moved ?? '');
    expect(widthIn(await announced.textContent())).toBeLessThan(widthIn(moved));
    await page.keyboard.press('-');
    // 15 times, and no further, however often the key is pressed.
    for (let times = 0; times < 25; times++) await page.keyboard.press('+');
    await expect(dialog.getByRole('slider', { name: 'Zoom' })).toHaveAttribute('aria-valuetext', '1,500%');
    await expect(dialog.getByRole('button', { name: 'Zoom in' })).toBeDisabled();
    expect(
      await dialog
        .getByTestId('container')
        .locator('img')
        .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a),
    ).toBe(15);
    await page.keyboard.press('0');
    await expect(announced).toHaveText(whole ?? '');
    // Polite: screen readers announce it when the user pauses.
    expect(await announced.evaluate((one) => one.closest('[aria-live]')?.getAttribute('aria-live'))).toBe('polite');
  });

  await tabTo(page, /^3D strength$/);
  const strength = dialog.getByRole('slider', { name: '3D strength' });
  await page.keyboard.press('ArrowLeft');
  await expect(strength).toHaveAttribute('aria-valuetext', '80%');
  await tabTo(page, /^Upload and convert$/);
  await page.keyboard.press('Space');
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible({ timeout: 120_000 });
});

test('focus stays in an open dialog however often Tab is pressed, and returns to what opened it [A108]', async ({
  page,
}) => {
  await page.goto('/register?lang=en');
  const opener = /^Privacy policy and disclaimer$/;
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  const inside = () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null);
  await expect.poll(inside).toBe(true);
  for (const key of ['Tab', 'Shift+Tab'])
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press(key);
      expect(await inside(), `after ${key}`).toBe(true);
    }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => focusedName(page)).toMatch(opener);
});

/**
 * Presses Tab until the element with this accessible name has the focus; checks that every stop on the way is visible.
 */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stop = 0; stop < STOPS; stop++) {
    if (name.test(await focusedName(page))) return;
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return 'nothing';
      const { top, bottom, left, right } = focused.getBoundingClientRect();
      const inWindow = bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth;
      return inWindow ? '' : focused.outerHTML.slice(0, 200);
    });
    expect(['', 'nothing'], 'what has the focus is in the window').toContain(seen);
  }
  throw new Error(`Tab does not lead to ${name}`);
}

/** Returns the accessible name of the focused element. */
async function focusedName(page: Page): Promise<string> {
  if (await page.evaluate(() => document.activeElement === document.body)) return '';
  const snapshot = await page.locator(':focus').ariaSnapshot();
  return /"((?:[^"\\]|\\.)*)"/.exec(snapshot)?.[1] ?? '';
}

/** Runs in the page: notes, at every change, whether the crop is measured while the upload can be started. */
function noteUnmeasured(): void {
  const sendable: string[] = [];
  Object.assign(window, { sendable });
  new MutationObserver(() => {
    const button = [...document.querySelectorAll<HTMLButtonElement>('[role="dialog"] button')].find(
      ({ textContent }) => textContent === 'Upload and convert',
    );
    if (!button || button.disabled) return;
    const note = document.querySelector('#crop-note')?.textContent ?? '';
    sendable.push(/[1-9]\d*\s*×\s*[1-9]/.test(note) ? 'measured' : note);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}

const widthIn = (announcement: string | null) =>
  Number((/Crop ([\d,]+)/.exec(announcement ?? '')?.[1] ?? '').replaceAll(',', ''));
