import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For a page to come to rest. */
const PATIENCE_MS = 10_000;
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails with the rule and the elements of everything that axe finds on the page as it is now, WCAG 2.2 AA. */
export const expectAccessible = (page: Page, what: string) => expectNothing(page, what, ALL);

/** The one rule that another theme can break. */
export const expectContrast = (page: Page, what: string) => expectNothing(page, what, ['color-contrast']);

/** What is on its way (a colour that fades, a dialog that opens) is looked at again until it has come to rest. */
async function expectNothing(page: Page, what: string, runOnly: readonly string[]): Promise<void> {
  await expect.poll(() => findings(page, runOnly), { message: `axe on ${what}`, timeout: PATIENCE_MS }).toEqual([]);
}

async function findings(page: Page, runOnly: readonly string[]): Promise<string[]> {
  // The page's content security policy lets no foreign script in, but evaluated code is ours and not the page's.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })`,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
}
