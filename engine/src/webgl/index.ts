export { type DepthMode, parallaxOf, viewSetOf } from './depth-mode.ts';
export { createDepthRenderer } from './depth-renderer.ts';
export { createDisplay, type Display, type Look, matchesPanel, placeIn, type Shot } from './display.ts';
export { aspectOf, type Footage, type Packing, type ParallaxOf, partOf, sizeOf } from './footage.ts';
export type { Pixels } from './gl.ts';
export type { DepthImage } from './grid-mesh.ts';
export { type DepthParts, decodePixels, type LoadedParts, loadParts, partsOf } from './load-parts.ts';
export {
  advance,
  isMoving,
  positionOfPointer,
  positionOfTilt,
  restAt,
  SETTLE_MS,
  SWAY_MS,
  SWAY_REACH,
  setTarget,
  type ViewMotion,
  viewOfSweep,
} from './view-motion.ts';
