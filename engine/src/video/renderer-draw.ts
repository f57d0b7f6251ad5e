import { edgeFade } from '../geometry/parallax.ts';
import type { WarpModule } from '../render/warp.ts';
import { instantiate, type KernelMemory } from '../render/wasm.ts';
import type { Size } from '../types.ts';
import { type PlanePlace, planesOf } from './planes.ts';

/**
 * Draws rows of all views of a video frame, in pairs of rows because chroma may be subsampled. All data is in memory
 * shared by the threads and addressed by byte offset.
 */
export interface VideoRows {
  readonly kind: 'video';
  /** Identifies the video: its tools are cached. */
  readonly video: string;
  readonly memory: KernelMemory;
  readonly pixels: 'yuv420' | 'gbr';
  readonly view: Size;
  /** Planes of the frame, at the size of the views. */
  readonly frame: number;
  /** Size of its depth and background. */
  readonly grid: Size;
  /** f32: 0 far … 1 near. */
  readonly depth: number;
  /** Background: three samples per pixel in plane order, and depth as f32. */
  readonly backColour: number;
  readonly backDepth: number;
  readonly convergence: number;
  /** Share of the shift that is shown, 0 … 1: a swaying camera is rarely at its extreme position. */
  readonly strength: number;
  /** Per view: shift in pixels for `depth − convergence = 1`. */
  readonly reaches: Float32Array;
  /** Per view: x and y of its top-left corner in the packed picture; even. */
  readonly corners: Int32Array;
  /** Overscan in pixels of the view. */
  readonly inset: number;
  /** `fadeWidth` of the parallax, the same for the whole video. */
  readonly fade: number;
  /** Planes of the packed picture. */
  readonly packed: number;
  readonly packedSize: Size;
}

/** Planes of the same size, or adjacent rows of one plane, that are drawn with one geometry. */
interface Group {
  /** Index of the first plane. */
  readonly first: number;
  readonly planes: number;
  /** Number of rows of each plane in the group. */
  readonly rows: number;
}

interface Tool extends Group {
  readonly module: WarpModule;
  /** Width of one plane pixel in frame pixels. */
  readonly coarseness: number;
  readonly reaches: Float32Array;
}

/**
 * Subsampled chroma has one row per two luma rows. Both luma rows are moved together: their depths hardly differ, and
 * computing the geometry takes longer than copying the samples.
 */
const GROUPS: Readonly<Record<VideoRows['pixels'], readonly Group[]>> = {
  yuv420: [
    { first: 0, planes: 1, rows: 2 },
    { first: 1, planes: 2, rows: 1 },
  ],
  gbr: [{ first: 0, planes: 3, rows: 1 }],
};

/** Tools of the last video, cached because creating them costs more than drawing a row. */
let kept: { readonly video: string; readonly tools: readonly Tool[] } | undefined;

/**
 * Draws a range of pairs of rows.
 * @param from first pair of rows
 * @param to end of the range, exclusive
 */
export function videoRows(task: VideoRows, from: number, to: number): void {
  if (kept?.video !== task.video) kept = { video: task.video, tools: toolsFor(task) };
  const { view, grid, reaches, inset } = task;
  const planes = planesOf(task.pixels, view);
  const packedPlanes = planesOf(task.pixels, task.packedSize);
  for (const { module, coarseness, first, planes: count, rows, reaches: own } of kept.tools) {
    const plane = planes[first] as PlanePlace;
    const packed = packedPlanes[first] as PlanePlace;
    const pitch = ({ width, height }: Size) => (count > 1 ? width * height : width);
    own.set(reaches.map((reach) => reach / coarseness));
    module.readFrame(task.frame + plane.at, pitch(plane), rows * plane.width, plane.height / rows);
    module.readChannels(first, count > 1 ? 1 : 0);
    module.readDepth(task.depth, task.backColour, task.backDepth, grid.width, grid.height);
    module.showDepth(task.convergence, task.strength);
    module.writeTo(task.packed + packed.at, pitch(packed), rows * packed.width);
    const perPair = 2 / coarseness / rows;
    const zoom = view.width / (view.width - 2 * inset);
    module.drawVideo(reaches.length, perPair * from, perPair * to, zoom, inset / coarseness);
  }
}

function toolsFor({ pixels, memory, view, grid, reaches, corners, fade: width }: VideoRows): readonly Tool[] {
  return GROUPS[pixels].map((group) => {
    const { first, planes, rows } = group;
    const plane = planesOf(pixels, view)[first] as PlanePlace;
    const coarseness = view.width / plane.width;
    const module = instantiate<WarpModule>('warp.wasm', memory);
    module.allocate(plane.width, grid.width, reaches.length, planes * rows, coarseness);
    const { buffer } = memory;
    const floats = (at: number, length: number) => new Float32Array(buffer, at, length);
    const cells = new Int32Array(buffer, module.cells.value, plane.width);
    const shares = floats(module.shares.value, plane.width);
    for (let x = 0; x < plane.width; x++) {
      const at = Math.min(grid.width - 1, Math.max(0, ((x + 0.5) * grid.width) / plane.width - 0.5));
      cells[x] = Math.min(grid.width - 2, Math.floor(at));
      shares[x] = at - (cells[x] as number);
    }
    const fade = (_: number, x: number, all: { readonly length: number }) => edgeFade((x + 0.5) / all.length, width);
    const fades = floats(module.fades.value, plane.width);
    fades.set(fades.map(fade));
    const backFades = floats(module.backFades.value, grid.width);
    backFades.set(backFades.map(fade));
    const places = corners.map((place, i) => place / coarseness / (i & 1 ? rows : 1));
    new Int32Array(buffer, module.corners.value, corners.length).set(places);
    return { ...group, module, coarseness, reaches: floats(module.reaches.value, reaches.length) };
  });
}
