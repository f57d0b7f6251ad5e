import { writeFile } from 'node:fs/promises';
import { type DrawName, FORMATS, type Format } from '@framelift/contract/formats';
import type { RightEye } from '../decode/stereo/right-eye.ts';
import { sharedBytes } from '../depth/layers/layers.ts';
import type { Stack } from '../depth/layers/stack.ts';
import { EngineError } from '../errors.ts';
import {
  budgetOf,
  gridOf,
  LAYOUTS,
  type Layout,
  LEFT_FIRST,
  panelOf,
  RIGHT_FIRST,
  WIGGLE_FRAME_MS,
} from '../formats/index.ts';
import { allowedSweepPercent, comfortOf, wishedSweepPercent } from '../geometry/index.ts';
import type { Pool } from '../render/pool.ts';
import type { Comfort, DeviceProfile, Picture, Size, StillOptions } from '../types.ts';
import type { Expected, Scene } from './check/index.ts';
import { besideDepth, dithered, softDepth } from './depth-picture.ts';
import { drawLayout } from './draw-layout.ts';
import { encodeJpeg, type Packed, writeAnimation, writeGreyPng, writeJpeg, writePng } from './encode.ts';
import { flatPicture } from './flat-picture.ts';
import { onHalfSpheres } from './half-spheres.ts';
import { layEyes } from './lay-eyes.ts';
import { drawNativePicture } from './native-picture.ts';
import type { Steps } from './steps.ts';
import { multiPictureFile, stereoJpegFile } from './stereo-files.ts';
import { WIGGLE_PERIODS, writeWiggleVideo } from './wiggle-video.ts';

/** A rendered output in memory, and the expected content of its file. */
export interface Output {
  readonly size: Size;
  readonly comfort: Comfort | null;
  readonly expected: Expected;
  write(path: string): Promise<void>;
}

export interface DrawContext {
  readonly format: Exclude<Format, 'flat'>;
  readonly stack: Stack;
  readonly device: DeviceProfile;
  /** Percent, 0 … 100. */
  readonly effect: number;
  readonly options: StillOptions;
  /** The crop from which the stack was built. */
  readonly picture: Picture;
  /** The photographed right eye, if the crop is the left one of a pair. */
  readonly rightEye?: RightEye | undefined;
  readonly pool: Pool;
  readonly steps: Steps;
}

/** Renders a format that needs depth. */
export function drawOutput(context: DrawContext): Promise<Output> {
  const record = FORMATS[context.format];
  return DRAW[record.draw](context, record);
}

type Drawn = (typeof FORMATS)[Exclude<Format, 'flat'>];

const DRAW: Readonly<Record<Exclude<DrawName, 'flat'>, (context: DrawContext, record: Drawn) => Promise<Output>>> = {
  packedViews,
  native,
  anaglyph,
  multiPicture,
  stereoJpeg,
  spatialPhoto,
  halfSphere,
  colourAndDepth,
  depth,
  wiggle,
  wiggleVideo,
  oneEye,
};

/** Returns the layout of a format. */
function layoutOf({ stack, device, options }: DrawContext, { layout, swapped }: Drawn): Layout {
  if (layout === null) throw new TypeError('this format has no layout');
  const eyes = options.swapEyes && swapped !== null ? RIGHT_FIRST : LEFT_FIRST;
  return LAYOUTS[layout]({ view: stack.size, panel: panelOf(device), grid: gridOf(device), eyes });
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

/** Returns the strength limited to the device's disparity budget, and the resulting comfort values. */
function strength(
  { format, stack, device, effect, rightEye }: DrawContext,
  { views: set }: Drawn,
): { scene: Scene; comfort: Comfort } {
  if (set === null) throw new TypeError('this format shows no parallax');
  if (rightEye && set === 'pair') {
    const convergence = -rightEye.far / (rightEye.near - rightEye.far);
    const percent = 100 * (rightEye.near - rightEye.far);
    return {
      // Nothing was drawn, so there is nothing to verify but that both eyes are there.
      scene: { parallax: { sweep: 0, convergence: stack.convergence }, depth: stack.samples },
      comfort: {
        ...comfortOf(stack.samples, convergence, percent, percent),
        largestDisparityPercent: percent,
        wishedDisparityPercent: percent,
        clamped: false,
      },
    };
  }
  const wished = wishedSweepPercent(set, effect, stack.size);
  const budget = budgetOf(format, device);
  const sweep = allowedSweepPercent(wished, budget) / 100;
  return {
    scene: { parallax: { sweep, convergence: stack.convergence }, depth: stack.samples },
    comfort: comfortOf(stack.samples, stack.convergence, wished, budget),
  };
}

/** Draws the views of a layout; those of a pair are the photographed eyes where both are known. */
function drawViews(context: DrawContext, { views }: Drawn, layout: Layout, { parallax }: Scene): Promise<Packed> {
  const { stack, picture, rightEye, pool, steps } = context;
  return rightEye && views === 'pair'
    ? layEyes(picture, rightEye.picture, layout, steps)
    : drawLayout(stack, layout, parallax, pool, steps);
}

async function packedViews(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const layout = layoutOf(context, record);
  const packed = await drawViews(context, record, layout, scene);
  return {
    size: sizeOf(packed),
    comfort,
    expected: { kind: 'views', layout, scene },
    write: (path) => writeJpeg(packed, path, '4:4:4'),
  };
}

async function oneEye(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const { stack, picture } = context;
  const layout = layoutOf(context, record);
  const position = record.layout === 'left' ? -1 : 1;
  const packed = await drawViews(context, record, layout, scene);
  return {
    size: stack.size,
    comfort,
    expected: { kind: 'view', size: stack.size, position, scene, of: picture },
    write: (path) => writeJpeg(packed, path, '4:4:4'),
  };
}

async function native(context: DrawContext, record: Drawn): Promise<Output> {
  const { calibration } = context.options;
  if (!calibration) throw new EngineError('calibrationMissing', 'native needs the calibration of the display');
  const { scene, comfort } = strength(context, record);
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

/** Side by side at full size, left eye on the left or swapped, with a descriptor that says which. */
async function stereoJpeg(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const layout = layoutOf(context, record);
  const packed = await drawViews(context, record, layout, scene);
  const leftFirst = !context.options.swapEyes;
  return {
    size: sizeOf(packed),
    comfort,
    expected: { kind: 'stereo-jpeg', layout, scene, leftFirst },
    write: async (path) => writeFile(path, stereoJpegFile(await encodeJpeg(packed, '4:4:4'), leftFirst)),
  };
}

async function multiPicture(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const { size } = context.stack;
  // Stacked vertically, each eye is a contiguous block of memory.
  const { data } = await drawViews(context, record, layoutOf(context, record), scene);
  const eye = (i: number) => ({ ...size, data: data.subarray((i * data.length) / 2, ((i + 1) * data.length) / 2) });
  return {
    size,
    comfort,
    expected: { kind: 'multi-picture', size, scene },
    write: async (path) => {
      // 4:2:0 as in cameras: photo-frame decoders expect it, and each eye is a separate picture.
      const [left, right] = await Promise.all([encodeJpeg(eye(0), '4:2:0'), encodeJpeg(eye(1), '4:2:0')]);
      await writeFile(path, multiPictureFile(left, right, size));
    },
  };
}

async function spatialPhoto(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const layout = layoutOf(context, record);
  const { data } = await drawViews(context, record, layout, scene);
  const [left, right] = [data.subarray(0, data.length / 2), data.subarray(data.length / 2)];
  const size = layout.view;
  return {
    size,
    comfort,
    expected: { kind: 'spatial-photo', size, scene },
    write: async (path) => {
      // FFmpeg is loaded only with the first spatial photo.
      const { spatialPhotoFile } = await import('./spatial-photo.ts');
      await writeFile(path, await spatialPhotoFile(left, right, size));
    },
  };
}

/** VR180: the eyes on half spheres, side by side. */
async function halfSphere(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const layout = layoutOf(context, record);
  const packed = onHalfSpheres(await drawViews(context, record, layout, scene), layout.view);
  const size = sizeOf(packed);
  return {
    size,
    comfort,
    expected: { kind: 'half-spheres', size, layout, scene },
    write: (path) => writeJpeg(packed, path, '4:4:4'),
  };
}

async function anaglyph(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const { stack, options, pool, steps } = context;
  const layout = layoutOf(context, record);
  const pair = await drawViews(context, record, layout, scene);
  const size = stack.size;
  const merged = { ...size, data: sharedBytes(3 * size.width * size.height) };
  const method = options.anaglyph ?? 'dubois';
  const kernel = { kind: 'anaglyph', method, pair: pair.data, width: size.width, merged: merged.data } as const;
  await pool.run(kernel, size.height, steps.options('pack', 0, 0.2));
  return {
    size,
    comfort,
    expected: { kind: 'anaglyph', size, scene, redEye: options.swapEyes ? 1 : -1 },
    write: (path) => writeJpeg(merged, path, '4:4:4'),
  };
}

async function wiggle(context: DrawContext, record: Drawn): Promise<Output> {
  const type = record.ext === '.gif' ? 'gif' : 'webp';
  const { scene, comfort } = strength(context, record);
  const layout = layoutOf(context, record);
  const packed = await drawViews(context, record, layout, scene);
  return {
    size: layout.view,
    comfort,
    expected: { kind: 'wiggle', type, layout, scene, frameMs: WIGGLE_FRAME_MS, of: context.picture },
    write: (path) => writeAnimation(packed, layout.view.height, WIGGLE_FRAME_MS, type, path),
  };
}

async function wiggleVideo(context: DrawContext, record: Drawn): Promise<Output> {
  const { scene, comfort } = strength(context, record);
  const layout = layoutOf(context, record);
  const { data } = await drawViews(context, record, layout, scene);
  return {
    size: layout.view,
    comfort,
    expected: { kind: 'wiggle-video', layout, scene, frameMs: WIGGLE_FRAME_MS, periods: WIGGLE_PERIODS },
    write: (path) => writeWiggleVideo(data, layout.view, WIGGLE_FRAME_MS, path),
  };
}

async function colourAndDepth({ stack, steps }: DrawContext): Promise<Output> {
  const layer = await stack.refined(stack.size, steps.options('layers', 0, 1));
  const packed = besideDepth(layer, dithered(await softDepth(layer), layer.width));
  const size = sizeOf(packed);
  return {
    size,
    comfort: null,
    expected: { kind: 'rgbd', size, depth: stack.samples },
    write: (path) => writePng(packed, path),
  };
}

async function depth({ stack, steps }: DrawContext): Promise<Output> {
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
