import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../../test-results/screens/', import.meta.url));

/**
 * Keeps a picture of the page as a person sees it now, for people to look at, where `SCREENS=keep` asks for it: hundreds
 * of pictures take minutes.
 */
export async function keepScreen(page: Page, name: string): Promise<void> {
  if (process.env['SCREENS'] !== 'keep') return;
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
}
