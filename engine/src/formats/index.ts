export { parseCalibration } from './calibration.ts';
export { budgetOf, DEVICES, gridOf, otherDisplay, panelOf } from './devices.ts';
export { type StereoJpeg, stereoJpeg } from './jps.ts';
export {
  fitInto,
  LAYOUTS,
  type Layout,
  LEFT_FIRST,
  RIGHT_FIRST,
  tileOfView,
  tileSize,
  WIGGLE_FRAME_MS,
} from './layout.ts';
export { archiveName, fileName, safeStem } from './names.ts';
export { comparedSize, halvesMatch, isSqueezed, isSqueezedPicture } from './pair-halves.ts';
export { pairOfName } from './pair-name.ts';
export { layoutOf, type PairPlaces, packingOf, pairPlaces, possiblePackings } from './pair-places.ts';
