/** Reasons why a picture or video cannot be converted. Each is also a code of the contract's error table. */
export const ENGINE_ERRORS = [
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
  'calibrationMissing',
  'calibrationInvalid',
  'calibrationOfOther',
  'depthMapTooLarge',
  'conversionCancelled',
  'conversionTimedOut',
  'conversionFailed',
  'conversionInterrupted',
  'serverFull',
] as const;
export type EngineErrorCode = (typeof ENGINE_ERRORS)[number];

/** A conversion that failed for a known reason. `code` may be shown to users; `message` is for the log only. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}
