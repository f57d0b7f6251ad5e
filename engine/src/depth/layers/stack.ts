import { LIMITS } from '@framelift/contract/limits';
import sharp from 'sharp';
import type { RightEye } from '../../decode/stereo/right-eye.ts';
import { autoConvergence, type DepthSamples } from '../../geometry/index.ts';
import type { Pool, RunOptions } from '../../render/pool.ts';
import type { DepthMap, Picture, Size } from '../../types.ts';
import { fillBackground } from './background.ts';
import { dilateRows } from './dilate.ts';
import { type Layer, NEAREST, sharedBytes, sharedShorts } from './layers.ts';
import { normaliseDepth } from './range.ts';
import { depthEdges } from './refine.ts';
import { RightView } from './right-view.ts';

/** Radius, in pixels of the depth map, by which near objects are dilated: the uncertainty of estimated outlines. */
const GROW_ACROSS = 2;
const GROW_DOWN = 1;
/** Largest shift of a view as a fraction of the width: half of the largest sweep. */
const LARGEST_SHIFT = 0.075;
/**
 * Factor by which a depth map may be finer than the layer. Finer maps are decimated first, because interpolation would
 * skip their pixels.
 */
const COARSEST_STEP = 2;
/**
 * Number of cached sizes. Full-size layers are large, and the formats of one conversion need no more than these in
 * sequence.
 */
const KEPT_SIZES = 3;

/** The layers of one crop at any output resolution; each is computed once. */
export interface Stack {
  readonly size: Size;
  /** Depth in the plane of the display. */
  readonly convergence: number;
  /** The depth map stretched to its percentile range. */
  readonly samples: DepthSamples;
  /** Size of the background layer and of the preview. */
  readonly baseSize: Size;
  /** Colour and depth for the warp, with near objects dilated over their outlines. */
  layer(size: Size, options?: RunOptions): Promise<Layer>;
  /** Colour and edge-aligned depth; for files that contain the depth itself. */
  refined(size: Size, options?: RunOptions): Promise<Layer>;
  /** The background layer, downscaled to `size` where that is smaller than its own size. */
  background(size: Size, options?: RunOptions): Promise<Layer>;
}

/**
 * Creates the layer stack of a crop.
 * @param depth same aspect as the picture, any size
 * @param convergence derived from the subject when absent
 * @param rightEye shows what the picture hides, if that is the left eye of a pair
 */
export function createStack(
  picture: Picture,
  depth: DepthMap,
  pool: Pool,
  convergence?: number,
  rightEye?: RightEye,
): Stack {
  const normalised = { width: depth.width, height: depth.height, depth: normaliseDepth(depth) };
  const samples = { data: normalised.depth, width: depth.width, height: depth.height, scale: NEAREST };
  const refinedLayers = new Recent<Layer>(KEPT_SIZES);
  const layers = new Recent<Layer>(KEPT_SIZES);
  const guides = new Recent<{ source: Layer; edges: Uint8Array }>(KEPT_SIZES);
  const base = fitBase(picture);
  let filled: Promise<Layer> | undefined;

  async function refine(size: Size, options?: RunOptions): Promise<Layer> {
    const { source, edges } = await guides.get(guideSize(normalised, size), guide);
    const target = {
      ...size,
      colour: await resizeColour(picture, size),
      depth: sharedShorts(size.width * size.height),
    };
    await pool.run({ kind: 'refine', source, edges, target }, size.height, options);
    return target;
  }

  /** Returns the depth map at a size, with the picture downscaled to it. */
  async function guide(size: Size): Promise<{ source: Layer; edges: Uint8Array }> {
    const source = { ...size, colour: await resizeColour(picture, size), depth: sampled(normalised, size) };
    return { source, edges: depthEdges(source) };
  }

  async function dilate(size: Size, options?: RunOptions): Promise<Layer> {
    const source = await stack.refined(size, options);
    const grown = sharedShorts(size.width * size.height);
    const across = Math.round((GROW_ACROSS * size.width) / depth.width);
    const down = Math.round((GROW_DOWN * size.height) / depth.height);
    await pool.run({ kind: 'dilate', source, across, down, depth: grown }, size.height, options);
    return { ...source, depth: grown };
  }

  async function fill(options?: RunOptions): Promise<Layer> {
    const layer = await stack.layer(base, options);
    const reach = (LARGEST_SHIFT * layer.width) / NEAREST;
    const right = rightEye && RightView.of(layer, { ...rightEye, colour: await resizeColour(rightEye.picture, base) });
    const { colour, depth: far } = fillBackground(layer.colour, layer.depth, layer, reach, right);
    return { ...base, colour: shared(colour), depth: sharedCopy(far) };
  }

  const stack: Stack = {
    size: { width: picture.width, height: picture.height },
    convergence: convergence ?? depthOfSubject(normalised),
    samples,
    baseSize: base,
    refined: (size, options) => refinedLayers.get(size, (exact) => refine(exact, options)),
    layer: (size, options) => layers.get(size, (exact) => dilate(exact, options)),
    async background(size, options) {
      filled ??= fill(options).catch((error) => {
        filled = undefined;
        throw error;
      });
      const full = await filled;
      if (size.width >= full.width || size.height >= full.height) return full;
      const small = { width: size.width, height: size.height };
      const colour = await resizeColour({ data: full.colour, width: full.width, height: full.height }, small);
      return { ...small, colour, depth: sampled(full, small) };
    },
  };
  return stack;
}

/**
 * Returns the depth for the plane of the display. Near objects are dilated as they are in the views, and in the map from
 * which the browser's preview chooses it: otherwise the two would differ.
 */
export function depthOfSubject(source: Pick<Layer, 'width' | 'height' | 'depth'>): number {
  const { width, height } = source;
  const grown = sharedShorts(width * height);
  dilateRows({ kind: 'dilate', source, across: GROW_ACROSS, down: GROW_DOWN, depth: grown }, 0, height);
  return autoConvergence({ data: grown, width, height, scale: NEAREST });
}

/** Cache of the most recent results by size; failed ones are removed. */
class Recent<T> {
  readonly #kept = new Map<string, Promise<T>>();
  readonly #limit: number;
  constructor(limit: number) {
    this.#limit = limit;
  }

  get({ width, height }: Size, make: (size: Size) => Promise<T>): Promise<T> {
    const key = `${width}x${height}`;
    const found = this.#kept.get(key);
    if (found) return found;
    const made = make({ width, height });
    this.#kept.set(key, made);
    made.catch(() => this.#kept.delete(key));
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= this.#limit) break;
      this.#kept.delete(old);
    }
    return made;
  }
}

/** Returns the size of the background layer and of the browser's preview. */
function fitBase({ width, height }: Size): Size {
  const scale = Math.min(1, LIMITS.previewPx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Resizes the picture into shared memory; the aspect may change (tiles are anamorphic). */
async function resizeColour(picture: Picture, { width, height }: Size): Promise<Uint8Array> {
  if (picture.width === width && picture.height === height) return shared(picture.data);
  const { data } = await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return shared(data);
}

/** Returns the size of the depth map from which a layer is refined; a much finer map is decimated, never averaged. */
function guideSize(map: Size, size: Size): Size {
  if (map.width <= COARSEST_STEP * size.width && map.height <= COARSEST_STEP * size.height) return map;
  return { width: Math.min(map.width, size.width), height: Math.min(map.height, size.height) };
}

/** Resamples a depth map by nearest neighbour. */
function sampled(map: Omit<Layer, 'colour'>, { width, height }: Size): Uint16Array {
  if (map.width === width && map.height === height) return map.depth;
  const out = sharedShorts(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * map.height) / height) * map.width;
    for (let x = 0; x < width; x++) {
      out[y * width + x] = map.depth[row + Math.floor(((x + 0.5) * map.width) / width)] as number;
    }
  }
  return out;
}

function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const out = sharedBytes(bytes.length);
  out.set(bytes);
  return out;
}

function sharedCopy(values: Uint16Array): Uint16Array {
  const out = sharedShorts(values.length);
  out.set(values);
  return out;
}
