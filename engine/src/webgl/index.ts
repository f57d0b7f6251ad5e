export { type DepthMode, parallaxOf, viewSetOf } from './depth-mode.ts';
export { createDepthRenderer } from './depth-renderer.ts';
export { createDisplay, type Display, type DisplayMode, type Look, matchesPanel, type Shot } from './display.ts';
export type { Footage, Packing, QuiltPacking } from './footage.ts';
export type { DepthImage } from './grid-mesh.ts';
export { type DepthParts, type LoadedParts, loadParts } from './load-parts.ts';
export {
  advance,
  isMoving,
  positionOfPointer,
  positionOfTilt,
  restAt,
  setTarget,
  type ViewMotion,
  viewOfSweep,
} from './view-motion.ts';
