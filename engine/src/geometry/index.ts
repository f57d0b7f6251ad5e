export { autoConvergence, comfortOf, type DepthSamples, WIDEST_CONVERGENCE, windowViolation } from './comfort.ts';
export {
  centredCrop,
  cropOfLeftEye,
  cropProblem,
  cutSize,
  cutSizeOfVideo,
  fitCrop,
  LARGEST_CROP,
  placeInPair,
  type Ratio,
  SMALLEST_CROP,
  SMALLEST_CUT,
} from './crop.ts';
export { DUBOIS_LEFT, DUBOIS_RIGHT } from './dubois.ts';
export {
  DARK_GROUND,
  flatten,
  type Ground,
  groundFor,
  hasTransparency,
  WHITE_GROUND,
} from './ground.ts';
export { focalLength, HalfSphere, halfSphereSide, longestFlatSide } from './half-sphere.ts';
export { cellIndex, type Lenses, type LensTable, lensesOf, lensPhase, lensRow, lensTable } from './lenticular.ts';
export {
  allowedSweepPercent,
  edgeFade,
  FADE_BEND,
  FADE_FLOOR,
  FADE_SLOPE,
  fadeWidth,
  LARGEST_SWEEP_PERCENT,
  overscan,
  type Parallax,
  shift,
  type ViewSet,
  viewPosition,
  wishedSweepPercent,
} from './parallax.ts';
export {
  editedSize,
  fromUpright,
  isEdited,
  straightenedFrom,
  toUpright,
  visiblePart,
  wholeCrop,
} from './picture-edit.ts';
