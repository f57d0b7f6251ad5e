import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../../test-results/screens/', import.meta.url));

/** Hundreds of screenshots take minutes, so they are only kept with `SCREENS=keep`. */
export const keepsScreens = process.env['SCREENS'] === 'keep';

/** Keeps a screenshot of the page for manual review. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  if (!keepsScreens) return;
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
}
