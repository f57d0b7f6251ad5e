import type { Expected, Scene } from '../check/index.ts';
import {
  gridOf,
  halfSideBySideLayout,
  type Layout,
  quiltLayout,
  sideBySideLayout,
  TELEVISION,
  WIGGLE_FRAME_MS,
  wiggleLayout,
} from '../formats/index.ts';
import { allowedSweepPercent, comfortOf, type ViewSet, wishedSweepPercent } from '../geometry/index.ts';
import { sharedBytes } from '../layers/layers.ts';
import type { Stack } from '../layers/stack.ts';
import type { Comfort, DeviceProfile, Format, Picture, Size } from '../types.ts';
import type { Pool } from '../views/pool.ts';
import { colourAndDepth, dithered, softDepth } from './depth-picture.ts';
import { drawLayout } from './draw-layout.ts';
import { type Packed, writeAnimation, writeGreyPng, writeJpeg, writePng } from './encode.ts';
import { flatPicture } from './flat-picture.ts';
import type { Steps } from './steps.ts';

/** A finished output in memory, and what its file must turn out to be. */
export interface Output {
  readonly size: Size;
  readonly comfort: Comfort | null;
  readonly expected: Expected;
  write(path: string): Promise<void>;
}

export interface DrawContext {
  readonly stack: Stack;
  readonly device: DeviceProfile;
  /** Percent, 0 … 100. */
  readonly effect: number;
  readonly pool: Pool;
  readonly steps: Steps;
}

/** Draws one of the formats that need depth. */
export async function drawOutput(format: Exclude<Format, 'flat'>, context: DrawContext): Promise<Output> {
  const { stack, device } = context;
  switch (format) {
    case 'quilt':
      return still(context, 'views', quiltLayout(gridOf(device), stack.size));
    case 'sbs':
      return still(context, 'pair', sideBySideLayout(stack.size));
    case 'hsbs': {
      const panel = device.format === 'hsbs' ? device.resolution : TELEVISION;
      return still(context, 'pair', halfSideBySideLayout(panel, stack.size));
    }
    case 'anaglyph':
      return anaglyph(context);
    case 'wiggle':
      return wiggle(context);
    case 'rgbd':
      return colourWithDepth(context);
    case 'depth':
      return depthAlone(context);
  }
}

export async function flatOutput(picture: Picture, frame: Size): Promise<Output> {
  const packed = await flatPicture(picture, frame);
  const size = sizeOf(packed);
  return {
    size,
    comfort: null,
    expected: { kind: 'flat', size, picture },
    write: (path) => writeJpeg(packed, path, '4:2:0'),
  };
}

/** Strength within the device's budget, and what it means for the eyes. */
function strength({ stack, device, effect }: DrawContext, set: ViewSet): { scene: Scene; comfort: Comfort } {
  const wished = wishedSweepPercent(set, effect, stack.size);
  const sweep = allowedSweepPercent(wished, device.disparityBudget) / 100;
  return {
    scene: { parallax: { sweep, convergence: stack.convergence }, depth: stack.samples },
    comfort: comfortOf(stack.samples, stack.convergence, wished, device.disparityBudget),
  };
}

async function still(context: DrawContext, set: ViewSet, layout: Layout): Promise<Output> {
  const { scene, comfort } = strength(context, set);
  const packed = await drawLayout(context.stack, layout, scene.parallax, context.pool, context.steps);
  return {
    size: sizeOf(packed),
    comfort,
    expected: { kind: 'views', layout, scene },
    write: (path) => writeJpeg(packed, path, '4:4:4'),
  };
}

async function anaglyph(context: DrawContext): Promise<Output> {
  const { scene, comfort } = strength(context, 'pair');
  const { stack, pool, steps } = context;
  const pair = await drawLayout(stack, sideBySideLayout(stack.size), scene.parallax, pool, steps);
  const size = stack.size;
  const merged = { ...size, data: sharedBytes(3 * size.width * size.height) };
  const kernel = { kind: 'anaglyph', pair: pair.data, width: size.width, merged: merged.data } as const;
  await pool.run(kernel, size.height, steps.options('pack', 0, 0.2));
  return {
    size,
    comfort,
    expected: { kind: 'anaglyph', size, scene },
    write: (path) => writeJpeg(merged, path, '4:4:4'),
  };
}

async function wiggle(context: DrawContext): Promise<Output> {
  const { scene, comfort } = strength(context, 'wiggle');
  const layout = wiggleLayout(context.stack.size);
  const packed = await drawLayout(context.stack, layout, scene.parallax, context.pool, context.steps);
  return {
    size: layout.view,
    comfort,
    expected: { kind: 'wiggle', layout, scene, frameMs: WIGGLE_FRAME_MS },
    write: (path) => writeAnimation(packed, layout.view.height, WIGGLE_FRAME_MS, path),
  };
}

async function colourWithDepth({ stack, steps }: DrawContext): Promise<Output> {
  const layer = await stack.refined(stack.size, steps.options('layers', 0, 1));
  const packed = colourAndDepth(layer, dithered(await softDepth(layer), layer.width));
  const size = sizeOf(packed);
  return {
    size,
    comfort: null,
    expected: { kind: 'rgbd', size, depth: stack.samples },
    write: (path) => writePng(packed, path),
  };
}

async function depthAlone({ stack, steps }: DrawContext): Promise<Output> {
  const layer = await stack.refined(stack.size, steps.options('layers', 0, 1));
  const values = await softDepth(layer);
  return {
    size: stack.size,
    comfort: null,
    expected: { kind: 'depth', size: stack.size, depth: stack.samples },
    write: (path) => writeGreyPng(values, stack.size, path),
  };
}

function sizeOf({ width, height }: Packed): Size {
  return { width, height };
}
