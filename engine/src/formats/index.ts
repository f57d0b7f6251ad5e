export { DEVICES, gridOf, TELEVISION } from './devices.ts';
export { type StereoJpeg, stereoJpeg } from './jps.ts';
export {
  fitInto,
  halfSideBySideLayout,
  type Layout,
  quiltLayout,
  sideBySideLayout,
  tileOfView,
  tileSize,
  type ViewCell,
  WIGGLE_FRAME_MS,
  WIGGLE_FRAMES,
  wiggleLayout,
} from './layout.ts';
export { fileName, mimeType, safeStem } from './names.ts';
