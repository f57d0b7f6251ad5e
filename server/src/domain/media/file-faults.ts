import { EngineError, type EngineErrorCode } from '@framelift/engine';

/** What is wrong with a picture itself: another try meets it again. */
const FILE_FAULTS: readonly EngineErrorCode[] = [
  'fileEmpty',
  'notAPicture',
  'pictureDamaged',
  'pictureTooLarge',
  'pictureTooSmall',
  'cropOutsidePicture',
  'cropTooSmall',
  'notAFilm',
  'filmDamaged',
  'filmWithoutPictures',
  'filmTooLarge',
  'filmTooSmall',
  'filmTooLong',
];

export function isFileFault(error: unknown): error is EngineError {
  return error instanceof EngineError && FILE_FAULTS.includes(error.code);
}
