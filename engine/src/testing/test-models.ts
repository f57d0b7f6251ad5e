import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Small ONNX files with the input and output of Depth Anything V2, made by lab/matting/make-test-models.ts.
 * `brightness`: the smoothed mean of the channels, bright is near. `darkIsBroken`: the same with NaN where the picture
 * is nearly black. `flat`: 0 everywhere. `fixedSize`: accepts only 70 x 98. `scalar`: returns one number.
 */
export const TEST_MODELS = ['brightness', 'darkIsBroken', 'flat', 'fixedSize', 'scalar'] as const;
export type TestModel = (typeof TEST_MODELS)[number];

export function testModel(variant: TestModel): Uint8Array {
  return readFileSync(join(import.meta.dirname, 'models', `${variant}.onnx`));
}
