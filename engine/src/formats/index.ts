export { parseCalibration } from './calibration.ts';
export { DEVICES, gridOf, panelOf } from './devices.ts';
export { type StereoJpeg, stereoJpeg } from './jps.ts';
export {
  type Eyes,
  fitInto,
  halfSideBySideLayout,
  halfTopBottomLayout,
  type Layout,
  LEFT_FIRST,
  quiltLayout,
  RIGHT_FIRST,
  sideBySideLayout,
  singleLayout,
  tileOfView,
  tileSize,
  topBottomLayout,
  type ViewCell,
  WIGGLE_FRAME_MS,
  WIGGLE_FRAMES,
  wiggleLayout,
  wiggleSize,
} from './layout.ts';
export { archiveName, fileName, mimeType, safeStem } from './names.ts';
