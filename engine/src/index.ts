/**
 * Engine API for the server. Loads no native decoder and no model: pictures are opened and converted in forked
 * processes.
 */

export type { PictureType } from './decode/picture-types.ts';
export type { PictureInfo } from './decode/probe.ts';
export { NEURAL_MODELS, type NeuralModel, refusalOf } from './depth/neural/catalogue.ts';
export { DEPTH_DEVICES, type DepthDevice } from './depth/neural/devices.ts';
export { failureOf } from './depth/neural/install.ts';
export type { EngineStatus } from './depth/neural/status.ts';
export {
  fetchedBytes,
  fetchModel,
  installedModels,
  installedState,
  type ModelSource,
  removeModel,
} from './depth/neural/store.ts';
export { ENGINE_ERRORS, EngineError, type EngineErrorCode } from './errors.ts';
export type { NamedVideo } from './process/calls.ts';
export { type Converter, type ConverterOptions, createConverter } from './process/converter.ts';
export * from './types.ts';
export { VIDEO_LIMITS, type VideoLimits } from './video/limits.ts';
export type { VideoInfo, VideoType } from './video/video-info.ts';
