import type { Layout } from '../../formats/index.ts';
import type { Size } from '../../types.ts';
import { brightness, lookExchanged, type Scene, type ViewArea } from './direction.ts';
import { type Channel, readChannel } from './open.ts';
import { fail } from './verify.ts';

/** Views are compared at no less than this width, where they have it. */
const COMPARED_WIDTH = 100;
/** And so that the outermost of them differ by this many pixels. */
const COMPARED_TRAVEL = 6;
/** A view with less of the contrast that the others have is blank. */
const BLANK = 0.3;
/** Contrast (standard deviation of 8-bit brightness) under which a picture is plain and nothing can be blank in it. */
export const PLAIN = 2;

/** How far a decoder may reduce views of a size and still leave enough to compare. @param sweep share of the width */
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

/** Verifies still views in the order of their layout: none is blank, and none is where another belongs. */
export function checkViews(views: readonly ViewArea[], scene: Scene): void {
  verifyNoneBlank(views);
  // The outermost cameras, the ends of every row of tiles, and the rows' beginnings: any wrong order shows in one of them.
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

/** Red is of one eye, green of the other. */
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

/** Views in the order of a layout, cut into its rows. */
function rowsOf(views: readonly ViewArea[]): ViewArea[][] {
  const rows: ViewArea[][] = [];
  for (const view of views) {
    const row = rows.at(-1);
    if (row && row[0]?.y === view.y) row.push(view);
    else rows.push([view]);
  }
  return rows;
}
