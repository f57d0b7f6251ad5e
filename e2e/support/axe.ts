import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Time for a page to settle. */
const PATIENCE_MS = 30_000;
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails with the rule and the elements of every WCAG 2.2 AA violation that axe finds on the current page. */
export const expectAccessible = (page: Page, what: string) => expectNothing(page, what, ALL);

/** Checks the only rule that depends on the theme. */
export const expectContrast = (page: Page, what: string) => expectNothing(page, what, ['color-contrast']);

/** Repeats the check until transitions (a fading colour, an opening dialog) have finished. */
async function expectNothing(page: Page, what: string, runOnly: readonly string[]): Promise<void> {
  await expect.poll(() => findings(page, runOnly), { message: `axe on ${what}`, timeout: PATIENCE_MS }).toEqual([]);
}

async function findings(page: Page, runOnly: readonly string[]): Promise<string[]> {
  // The page's content security policy forbids foreign scripts, but does not apply to evaluated code.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })`,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
}
