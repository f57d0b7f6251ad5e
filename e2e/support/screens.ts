import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../../test-results/screens/', import.meta.url));

/** Hundreds of pictures take minutes: `SCREENS=keep` asks for them. */
export const keepsScreens = process.env['SCREENS'] === 'keep';

/** Keeps a picture of the page as a person sees it now, for people to look at. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  if (!keepsScreens) return;
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
}
