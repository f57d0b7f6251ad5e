import { EngineError } from '../../errors.ts';
import type { Size } from '../../types.ts';
import type { Metadata } from './open.ts';

/** @throws {EngineError} `conversionFailed` */
export function fail(reason: string): never {
  throw new EngineError('conversionFailed', `check of the written file: ${reason}`);
}

export function verifySize({ format, width, height }: Metadata, type: string, size: Size): void {
  if (format !== type) fail(`it is ${format}, not ${type}`);
  if (width !== size.width || height !== size.height) {
    fail(`it is ${width} x ${height}, not ${size.width} x ${size.height}`);
  }
}
