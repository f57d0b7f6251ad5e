export { autoConvergence, comfortOf, type DepthSamples, windowViolation } from './comfort.ts';
export {
  centredCrop,
  cropOfLeftEye,
  cropProblem,
  cutSize,
  fitCrop,
  LARGEST_CROP,
  type Ratio,
  SMALLEST_CROP,
} from './crop.ts';
export { DUBOIS_LEFT, DUBOIS_RIGHT } from './dubois.ts';
export { cellIndex, type Lenses, type LensTable, lensesOf, lensPhase, lensRow, lensTable } from './lenticular.ts';
export {
  allowedSweepPercent,
  edgeFade,
  LARGEST_SWEEP_PERCENT,
  overscan,
  type Parallax,
  shift,
  type ViewSet,
  viewPosition,
  wishedSweepPercent,
} from './parallax.ts';
