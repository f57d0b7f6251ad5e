import { type DilateRows, dilateRows } from '../depth/layers/dilate.ts';
import { type RefineDepth, refineDepth } from '../depth/layers/refine.ts';
import { type VideoRows, videoRows } from '../video/renderer-draw.ts';
import { type AnaglyphRows, anaglyphRows } from './anaglyph.ts';
import { type DrawViews, drawViews } from './draw.ts';
import { type DrawNative, drawNative } from './native.ts';

/**
 * Row-based work that threads share: plain data whose large arrays are in shared memory. The result does not depend on
 * the order of the rows or on the threads.
 */
export type Kernel = DrawViews | DrawNative | VideoRows | RefineDepth | DilateRows | AnaglyphRows;

export function runKernel(kernel: Kernel, from: number, to: number): void {
  switch (kernel.kind) {
    case 'views':
      drawViews(kernel, from, to);
      break;
    case 'native':
      drawNative(kernel, from, to);
      break;
    case 'video':
      videoRows(kernel, from, to);
      break;
    case 'refine':
      refineDepth(kernel, from, to);
      break;
    case 'dilate':
      dilateRows(kernel, from, to);
      break;
    case 'anaglyph':
      anaglyphRows(kernel, from, to);
      break;
  }
}
