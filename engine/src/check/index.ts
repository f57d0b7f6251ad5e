import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import type { Layout } from '../formats/index.ts';
import type { DepthSamples } from '../geometry/index.ts';
import type { Picture, Size } from '../types.ts';
import { brightness, looksExchanged, type Scene, type ViewArea } from './direction.ts';
import { type Channel, type Metadata, readChannel, readDepth16, readMetadata } from './open.ts';

export type { Scene } from './direction.ts';

/** What a written file must turn out to be when it is opened again. */
export type Expected =
  | { readonly kind: 'views'; readonly layout: Layout; readonly scene: Scene }
  | { readonly kind: 'wiggle'; readonly layout: Layout; readonly scene: Scene; readonly frameMs: number }
  | { readonly kind: 'anaglyph'; readonly size: Size; readonly scene: Scene }
  | { readonly kind: 'rgbd'; readonly size: Size; readonly depth: DepthSamples }
  | { readonly kind: 'depth'; readonly size: Size; readonly depth: DepthSamples }
  | { readonly kind: 'flat'; readonly size: Size; readonly picture: Picture };

/** Views are compared at about this width. */
const COMPARED_WIDTH = 100;
/** A view with less of the contrast that the others have is blank. */
const BLANK = 0.3;
/** Contrast (standard deviation of 8-bit brightness) under which a picture is plain and nothing can be blank in it. */
const PLAIN = 2;
/** Correlation of a written depth with the one it was made from. */
const SAME_DEPTH = 0.8;

/**
 * Opens a written file as a device would and verifies what it holds: type, size, number and order of the views, that no
 * view is blank, frames and times of an animation, the depth of a depth file.
 * @throws {EngineError} `conversionFailed` with what is wrong
 */
export async function checkFile(path: string, expected: Expected): Promise<void> {
  const metadata = await readMetadata(path).catch((cause: Error) => {
    throw new EngineError('conversionFailed', `the written file cannot be opened: ${cause.message}`, { cause });
  });
  try {
    await checkContent(path, metadata, expected);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('conversionFailed', `the written file cannot be decoded: ${cause}`, { cause });
  }
}

async function checkContent(path: string, metadata: Metadata, expected: Expected): Promise<void> {
  switch (expected.kind) {
    case 'views':
      verifySize(metadata, 'jpeg', expected.layout);
      return checkViews(await readViews(path, expected.layout, shrinkFor(expected.layout.view)), expected.scene);
    case 'wiggle':
      verifyAnimation(metadata, expected.layout, expected.frameMs);
      return checkViews(await readViews(path, expected.layout, 1), expected.scene);
    case 'anaglyph': {
      verifySize(metadata, 'jpeg', expected.size);
      const shrink = shrinkFor(expected.size);
      const [red, green] = await Promise.all(
        ([0, 1] as const).map((channel) => readChannel(path, expected.size, shrink, channel)),
      );
      return checkAnaglyph(red as Channel, green as Channel, expected.scene);
    }
    case 'rgbd':
      verifySize(metadata, 'png', expected.size);
      return checkColourAndDepth(await readChannel(path, expected.size), expected.depth);
    case 'depth': {
      verifySize(metadata, 'png', expected.size);
      if (metadata.depth !== 'ushort' || metadata.channels !== 1) fail('the depth is not 16-bit grey');
      return checkDepth(await readDepth16(path), expected.size, { x: 0, ...expected.size }, expected.depth);
    }
    case 'flat':
      verifySize(metadata, 'jpeg', expected.size);
      return checkFlat(await readChannel(path, expected.size, shrinkFor(expected.size)), expected.picture);
  }
}

function fail(reason: string): never {
  throw new EngineError('conversionFailed', `check of the written file: ${reason}`);
}

function verifySize({ format, width, height }: Metadata, type: string, size: Size): void {
  if (format !== type) fail(`it is ${format}, not ${type}`);
  if (width !== size.width || height !== size.height) {
    fail(`it is ${width} x ${height}, not ${size.width} x ${size.height}`);
  }
}

function verifyAnimation(metadata: Metadata, { view, cells }: Layout, frameMs: number): void {
  const { format, width, height, pages, delay, loop } = metadata;
  if (format !== 'webp') fail(`it is ${format}, not webp`);
  if (width !== view.width || height !== view.height) fail(`frames are ${width} x ${height}`);
  if (pages !== cells.length) fail(`it has ${pages} frames, not ${cells.length}`);
  if (loop !== 0) fail(`it plays ${loop} times`);
  if (delay?.length !== cells.length || delay.some((ms: number) => ms !== frameMs)) fail('its frames have wrong times');
}

interface View extends ViewArea {
  readonly index: number;
}

/** How far the decoder may reduce views of a size and still leave enough to compare. */
function shrinkFor({ width }: Size): number {
  return [8, 4, 2].find((shrink) => width / shrink >= COMPARED_WIDTH) ?? 1;
}

async function readViews(path: string, layout: Layout, shrink: number): Promise<View[]> {
  const channel = await readChannel(path, layout, shrink);
  const across = channel.width / layout.width;
  const down = channel.height / layout.height;
  return layout.cells.map(({ position, x, y }, index) => ({
    index,
    position,
    channel,
    x: x * across,
    y: y * down,
    width: layout.view.width * across,
    height: layout.view.height * down,
  }));
}

function checkViews(views: readonly View[], scene: Scene): void {
  const contrasts = views.map((view) => brightness(view).spread);
  const usual = contrasts.toSorted((a, b) => a - b)[contrasts.length >> 1] as number;
  if (usual >= PLAIN) {
    const blank = contrasts.findIndex((contrast) => contrast < BLANK * usual);
    if (blank >= 0) fail(`view ${blank} of ${views.length} is blank`);
  }
  for (const [first, second] of comparisons(views)) {
    if (looksExchanged(first, second, scene)) fail(`views ${first.index} and ${second.index} are exchanged`);
  }
}

/** Pairs that together show a wrong order: the outermost cameras, the ends of each row of tiles, the rows' beginnings. */
function comparisons(views: readonly View[]): [View, View][] {
  const byPosition = views.toSorted((a, b) => a.position - b.position);
  const pairs: [View, View][] = [[byPosition[0] as View, byPosition.at(-1) as View]];
  let start = views[0] as View;
  let before = start;
  for (const view of views) {
    if (view.y !== before.y) {
      pairs.push([start, before], [start, view]);
      start = view;
    }
    before = view;
  }
  pairs.push([start, before]);
  return pairs.filter(([a, b]) => a !== b);
}

/** Red is the left eye's, green the right eye's. */
function checkAnaglyph(red: Channel, green: Channel, scene: Scene): void {
  const whole = { x: 0, y: 0, width: red.width, height: red.height };
  const left = { position: -1, channel: red, ...whole };
  const right = { position: 1, channel: green, ...whole };
  if (looksExchanged(left, right, scene)) fail('the eyes are exchanged');
}

function checkColourAndDepth(channel: Channel, depth: DepthSamples): void {
  const width = channel.width / 2;
  checkDepth(channel.data, channel, { x: width, width, height: channel.height }, depth);
}

/** Compares the depth in an area of a decoded file with the one it was made from, by correlation. */
function checkDepth(
  values: ArrayLike<number>,
  { width }: Size,
  area: { x: number; width: number; height: number },
  depth: DepthSamples,
): void {
  let count = 0;
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let y = 0; y < depth.height; y++) {
    const row = Math.floor(((y + 0.5) * area.height) / depth.height) * width + area.x;
    for (let x = 0; x < depth.width; x++) {
      const a = (depth.data[y * depth.width + x] as number) / depth.scale;
      const b = values[row + Math.floor(((x + 0.5) * area.width) / depth.width)] as number;
      count++;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const spreadA = Math.sqrt(Math.max(0, sumAA / count - (sumA / count) ** 2));
  const spreadB = Math.sqrt(Math.max(0, sumBB / count - (sumB / count) ** 2));
  if (spreadA < 0.01) return;
  const correlation = (sumAB / count - (sumA / count) * (sumB / count)) / (spreadA * spreadB);
  if (!(correlation >= SAME_DEPTH)) fail(`its depth is not the one it was made from (correlation ${correlation})`);
}

async function checkFlat(channel: Channel, picture: Picture): Promise<void> {
  const { width, height } = picture;
  const { channels } = await sharp(picture.data, { raw: { width, height, channels: 3 } }).stats();
  const contrast = Math.max(...channels.map(({ stdev }) => stdev));
  const { spread } = brightness({ channel, x: 0, y: 0, width: channel.width, height: channel.height });
  if (contrast >= PLAIN && spread < BLANK * BLANK * contrast) fail('the picture is blank');
}
