import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/**
 * Presses a key while a row of a sortable list is moved, and waits for the words that tell the step. The list listens for
 * keys a task later than it says that a row is lifted, and measures the rows in the frame after: an earlier key is lost.
 */
export async function pressToSort(page: Page, key: string, words: string): Promise<void> {
  await page.keyboard.press(key);
  await expect(page.getByText(words)).toBeAttached();
  await page.evaluate(
    () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))),
  );
}
