import { LIMITS } from '@framelift/contract/limits';
import { EngineError } from '../errors.ts';
import type { Size } from '../types.ts';

const { maxPixels, maxSidePx } = LIMITS.picture;

/**
 * Checks the size announced by a picture's header.
 *
 * @throws {EngineError} `pictureTooLarge` when it is too large to be decoded safely
 */
export function assertDecodable({ width, height }: Size): void {
  if (width > maxSidePx || height > maxSidePx || width * height > maxPixels)
    throw new EngineError(
      'pictureTooLarge',
      `${width} x ${height} pixels; at most ${maxSidePx} a side and ${maxPixels / 1e6} megapixels are read`,
    );
}
