/**
 * What a server needs of the engine. Nothing here loads a native decoder or a model: pictures are opened and converted
 * in forked processes.
 */
export { ENGINE_ERRORS, EngineError, type EngineErrorCode } from './errors.ts';
export type { EngineStatus } from './neural/status.ts';
export { PICTURE_TYPES, type PictureType } from './picture/picture-types.ts';
export type { PictureInfo } from './picture/probe.ts';
export {
  type Converter,
  type ConverterOptions,
  createConverter,
  type RunOptions,
  type VideoRunOptions,
} from './process/converter.ts';
export * from './types.ts';
export { VIDEO_LIMITS, type VideoLimits } from './video/limits.ts';
export { VIDEO_TYPES, type VideoInfo, type VideoType } from './video/video-info.ts';
