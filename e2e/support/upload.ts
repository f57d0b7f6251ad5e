import { expect, type Page } from '@playwright/test';

export type UploadFile = string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Selects the file in the open upload dialog and waits until it can be uploaded. */
export async function chooseFile(page: Page, file: UploadFile): Promise<void> {
  await pickFile(page, file);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Upload and convert' })).toBeEnabled();
}

/** Selects the file in the open upload dialog and waits for the cropper. */
export async function pickFile(page: Page, file: UploadFile): Promise<void> {
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose photo' }).click();
  await (await chooser).setFiles(typeof file === 'string' ? file : { ...file });
  // Decoding HEIC in the browser takes time.
  await expect(dialog.getByRole('application', { name: /^Crop for/ })).toBeVisible({ timeout: 60_000 });
}

/** Uploads from the crop step and waits for the page that follows the dialog. */
export const sendFile = (page: Page, next: RegExp) =>
  expectWay(page, next, () => page.getByRole('dialog').getByRole('button', { name: 'Upload and convert' }).click());

/** Does what leads to `next`. May be there for a moment only: a quick conversion leads on to its result. */
export async function expectWay(page: Page, next: RegExp, act: () => unknown): Promise<void> {
  await Promise.all([page.waitForURL(next, { timeout: 60_000, waitUntil: 'commit' }), act()]);
}

/** Returns the aspect ratio (width / height) of the crop that the dialog shows. */
export async function shownCrop(page: Page): Promise<number> {
  const text = await page
    .getByRole('dialog')
    .getByText(/^[\d,]+ × [\d,]+ px$/)
    .textContent();
  const [width = 0, height = 1] = (text ?? '').split('×').map((part) => Number(part.replace(/\D/g, '')));
  return width / height;
}
