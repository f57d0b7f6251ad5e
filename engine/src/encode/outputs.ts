import { writeFile } from 'node:fs/promises';
import { sharedBytes } from '../depth/layers/layers.ts';
import type { Stack } from '../depth/layers/stack.ts';
import { EngineError } from '../errors.ts';
import {
  gridOf,
  halfSideBySideLayout,
  halfTopBottomLayout,
  type Layout,
  LEFT_FIRST,
  panelOf,
  quiltLayout,
  RIGHT_FIRST,
  sideBySideLayout,
  singleLayout,
  topBottomLayout,
  WIGGLE_FRAME_MS,
  wiggleLayout,
  wiggleSize,
} from '../formats/index.ts';
import { allowedSweepPercent, comfortOf, type ViewSet, wishedSweepPercent } from '../geometry/index.ts';
import type { Pool } from '../render/pool.ts';
import type { Comfort, DeviceProfile, Format, Picture, Size, StillOptions } from '../types.ts';
import type { Expected, Scene } from './check/index.ts';
import { colourAndDepth, dithered, softDepth } from './depth-picture.ts';
import { drawLayout } from './draw-layout.ts';
import { encodeJpeg, type Packed, writeAnimation, writeGreyPng, writeJpeg, writePng } from './encode.ts';
import { flatPicture } from './flat-picture.ts';
import { drawNativePicture } from './native-picture.ts';
import type { Steps } from './steps.ts';
import { multiPicture, stereoJpeg } from './stereo-files.ts';
import { WIGGLE_PERIODS, writeWiggleVideo } from './wiggle-video.ts';

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
  readonly options: StillOptions;
  /** The crop that the stack is of. */
  readonly picture: Picture;
  readonly pool: Pool;
  readonly steps: Steps;
}

/** Draws one of the formats that need depth. */
export async function drawOutput(format: Exclude<Format, 'flat'>, context: DrawContext): Promise<Output> {
  const { stack, device, options } = context;
  const eyes = options.swapEyes ? RIGHT_FIRST : LEFT_FIRST;
  switch (format) {
    case 'quilt':
      return still(context, 'views', quiltLayout(gridOf(device), stack.size));
    case 'native':
      return native(context);
    case 'sbs':
    case '2x1':
      return still(context, 'pair', sideBySideLayout(stack.size, eyes));
    case 'cross':
      return still(context, 'pair', sideBySideLayout(stack.size, options.swapEyes ? LEFT_FIRST : RIGHT_FIRST));
    case 'hsbs':
      return still(context, 'pair', halfSideBySideLayout(panelOf(device), stack.size, eyes));
    case 'tb':
      return still(context, 'pair', topBottomLayout(stack.size, eyes));
    case 'htb':
      return still(context, 'pair', halfTopBottomLayout(panelOf(device), stack.size, eyes));
    case 'jps':
      return stereoFile(context, sideBySideLayout(stack.size, eyes));
    case 'mpo':
      return multiPictureFile(context);
    case 'left':
      return view(context, -1);
    case 'right':
      return view(context, 1);
    case 'wiggle_mp4':
      return wiggleVideo(context);
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

/** One eye alone. */
async function view(context: DrawContext, position: -1 | 1): Promise<Output> {
  const { scene, comfort } = strength(context, 'pair');
  const { stack, picture, pool, steps } = context;
  const packed = await drawLayout(stack, singleLayout(stack.size, position), scene.parallax, pool, steps);
  return {
    size: stack.size,
    comfort,
    expected: { kind: 'view', size: stack.size, position, scene, of: picture },
    write: (path) => writeJpeg(packed, path, '4:4:4'),
  };
}

async function native(context: DrawContext): Promise<Output> {
  const { calibration } = context.options;
  if (!calibration) throw new EngineError('calibrationMissing', 'native needs the calibration of the display');
  const { scene, comfort } = strength(context, 'views');
  const { stack, picture, device, pool, steps } = context;
  const { columns, rows } = gridOf(device);
  const { packed, ...lenses } = await drawNativePicture(
    stack,
    calibration,
    columns * rows,
    scene.parallax,
    pool,
    steps,
  );
  return {
    size: sizeOf(packed),
    comfort,
    expected: { kind: 'native', ...lenses, scene, of: picture },
    write: (path) => writePng(packed, path),
  };
}

/** Left on the left at full size, or exchanged, with a descriptor that says which. */
async function stereoFile(context: DrawContext, layout: Layout): Promise<Output> {
  const { scene, comfort } = strength(context, 'pair');
  const packed = await drawLayout(context.stack, layout, scene.parallax, context.pool, context.steps);
  const leftFirst = !context.options.swapEyes;
  return {
    size: sizeOf(packed),
    comfort,
    expected: { kind: 'stereo-jpeg', layout, scene, leftFirst },
    write: async (path) => writeFile(path, stereoJpeg(await encodeJpeg(packed, '4:4:4'), leftFirst)),
  };
}

async function multiPictureFile(context: DrawContext): Promise<Output> {
  const { scene, comfort } = strength(context, 'pair');
  const { stack, pool, steps } = context;
  const { size } = stack;
  // One below the other, each eye is one piece of memory.
  const { data } = await drawLayout(stack, topBottomLayout(size), scene.parallax, pool, steps);
  const eye = (i: number) => ({ ...size, data: data.subarray((i * data.length) / 2, ((i + 1) * data.length) / 2) });
  return {
    size,
    comfort,
    expected: { kind: 'multi-picture', size, scene },
    write: async (path) => {
      // As cameras do: decoders of photo frames know halved colour, and each eye is a picture of its own.
      const [left, right] = await Promise.all([encodeJpeg(eye(0), '4:2:0'), encodeJpeg(eye(1), '4:2:0')]);
      await writeFile(path, multiPicture(left, right, size));
    },
  };
}

async function anaglyph(context: DrawContext): Promise<Output> {
  const { scene, comfort } = strength(context, 'pair');
  const { stack, options, pool, steps } = context;
  const eyes = options.swapEyes ? RIGHT_FIRST : LEFT_FIRST;
  const pair = await drawLayout(stack, sideBySideLayout(stack.size, eyes), scene.parallax, pool, steps);
  const size = stack.size;
  const merged = { ...size, data: sharedBytes(3 * size.width * size.height) };
  const method = options.anaglyph ?? 'dubois';
  const kernel = { kind: 'anaglyph', method, pair: pair.data, width: size.width, merged: merged.data } as const;
  await pool.run(kernel, size.height, steps.options('pack', 0, 0.2));
  return {
    size,
    comfort,
    expected: { kind: 'anaglyph', size, scene, redEye: eyes[0] },
    write: (path) => writeJpeg(merged, path, '4:4:4'),
  };
}

async function wiggle(context: DrawContext): Promise<Output> {
  const { scene, comfort } = strength(context, 'wiggle');
  const layout = wiggleLayout(wiggleSize(context.stack.size));
  const packed = await drawLayout(context.stack, layout, scene.parallax, context.pool, context.steps);
  return {
    size: layout.view,
    comfort,
    expected: { kind: 'wiggle', layout, scene, frameMs: WIGGLE_FRAME_MS },
    write: (path) => writeAnimation(packed, layout.view.height, WIGGLE_FRAME_MS, path),
  };
}

async function wiggleVideo(context: DrawContext): Promise<Output> {
  const { scene, comfort } = strength(context, 'wiggle');
  const layout = wiggleLayout(wiggleSize(context.stack.size, true));
  const { data } = await drawLayout(context.stack, layout, scene.parallax, context.pool, context.steps);
  return {
    size: layout.view,
    comfort,
    expected: { kind: 'wiggle-video', layout, scene, frameMs: WIGGLE_FRAME_MS, periods: WIGGLE_PERIODS },
    write: (path) => writeWiggleVideo(data, layout.view, WIGGLE_FRAME_MS, path),
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
