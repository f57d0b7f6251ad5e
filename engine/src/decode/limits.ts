import { EngineError } from '../errors.ts';
import type { Size } from '../types.ts';

/** Largest picture that is decoded, in pixels: 100 megapixels. */
export const MAX_PIXELS = 100_000_000;
/** Largest width or height that is decoded, in pixels. */
export const MAX_SIDE = 32_768;
/**
 * @throws {EngineError} `pictureTooLarge` for a picture whose header announces more than can be decoded safely.
 */
export function assertDecodable({ width, height }: Size): void {
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new EngineError(
      'pictureTooLarge',
      `${width} x ${height} pixels; at most ${MAX_SIDE} a side and ${MAX_PIXELS / 1e6} megapixels are read`,
    );
}
