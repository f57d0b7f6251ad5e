/**
 * What a server needs of the engine. Nothing here loads a native decoder or a model: pictures are opened and converted
 * in forked processes.
 */
export { ENGINE_ERRORS, EngineError, type EngineErrorCode } from './errors.ts';
export { FILM_TYPES, type FilmInfo, type FilmType } from './film/film-info.ts';
export { FILM_LIMITS, type FilmLimits } from './film/limits.ts';
export type { EngineStatus } from './neural/status.ts';
export { PICTURE_TYPES, type PictureType } from './picture/picture-types.ts';
export type { PictureInfo } from './picture/probe.ts';
export {
  type Converter,
  type ConverterOptions,
  createConverter,
  type FilmRunOptions,
  type RunOptions,
} from './process/converter.ts';
export * from './types.ts';
