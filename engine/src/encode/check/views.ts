import type { Layout } from '../../formats/index.ts';
import type { Size } from '../../types.ts';
import { brightness, lookExchanged, type Scene, type ViewArea } from './direction.ts';
import { type Channel, readChannel } from './open.ts';
import { fail } from './verify.ts';

/** Minimum width at which views are compared, if they have it. */
const COMPARED_WIDTH = 100;
/** Minimum disparity, in pixels, between the outermost views at that size. */
const COMPARED_TRAVEL = 6;
/** A view with less than this share of the usual contrast is blank. */
const BLANK = 0.3;
/**
 * Contrast (standard deviation of 8-bit brightness) below which a picture is plain and blank views cannot be detected.
 */
export const PLAIN = 2;

/**
 * Returns the largest downscaling (1, 2, 4 or 8) of a view that still allows a comparison.
 * @param sweep share of the width
 */
export function shrinkFor({ width }: Size, sweep: number): number {
  const enough = (reduced: number) => reduced >= COMPARED_WIDTH && reduced * sweep >= COMPARED_TRAVEL;
  return [8, 4, 2].find((shrink) => enough(width / shrink)) ?? 1;
}

export async function readViews(bytes: Buffer, layout: Layout, shrink: number): Promise<ViewArea[]> {
  const channel = await readChannel(bytes, layout, shrink);
  const across = channel.width / layout.width;
  const down = channel.height / layout.height;
  return layout.cells.map(({ position, x, y }) => ({
    position,
    channel,
    x: x * across,
    y: y * down,
    width: layout.view.width * across,
    height: layout.view.height * down,
  }));
}

/** Verifies still views in layout order: none is blank, none is misplaced. */
export function checkViews(views: readonly ViewArea[], scene: Scene): void {
  verifyNoneBlank(views);
  // The outermost cameras, the ends of each row of tiles, and the row starts: any wrong order shows in one of them.
  const byPosition = views.toSorted((a, b) => a.position - b.position);
  const rows = rowsOf(views);
  verifyOrder('views', [ends(byPosition)], scene);
  verifyOrder('views of a row', rows.map(ends), scene);
  const starts = rows.map(([start]) => start as ViewArea);
  verifyOrder(
    'rows',
    starts.slice(1).map((start, i): Pair => [starts[i] as ViewArea, start]),
    scene,
  );
}

/** Verifies an anaglyph: red belongs to one eye, green to the other. */
export function checkAnaglyph(red: Channel, green: Channel, redEye: -1 | 1, scene: Scene): void {
  const whole = { x: 0, y: 0, width: red.width, height: red.height };
  checkPair(
    [
      { position: redEye, channel: red, ...whole },
      { position: -redEye, channel: green, ...whole },
    ],
    scene,
  );
}

export function checkPair(eyes: Pair, scene: Scene): void {
  verifyOrder('eyes', [eyes], scene);
}

export function verifyNoneBlank(views: readonly ViewArea[]): void {
  const contrasts = views.map((view) => brightness(view).spread);
  const usual = contrasts.toSorted((a, b) => a - b)[contrasts.length >> 1] as number;
  if (usual < PLAIN) return;
  const blank = contrasts.findIndex((contrast) => contrast < BLANK * usual);
  if (blank >= 0) fail(`view ${blank} of ${views.length} is blank`);
}

type Pair = readonly [ViewArea, ViewArea];

export function verifyOrder(what: string, pairs: readonly Pair[], scene: Scene): void {
  if (lookExchanged(pairs, scene)) fail(`the ${what} are in the wrong order`);
}

function ends(views: readonly ViewArea[]): Pair {
  return [views[0] as ViewArea, views.at(-1) as ViewArea];
}

/** Splits views in layout order into rows. */
function rowsOf(views: readonly ViewArea[]): ViewArea[][] {
  const rows: ViewArea[][] = [];
  for (const view of views) {
    const row = rows.at(-1);
    if (row && row[0]?.y === view.y) row.push(view);
    else rows.push([view]);
  }
  return rows;
}
