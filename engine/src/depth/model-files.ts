/** Input sizes of the prepared matting networks: 640 for pictures, 512 for videos and quick previews. */
export const MATTE_SIZES = [512, 640] as const;
export type MatteSize = (typeof MATTE_SIZES)[number];

/** Names of the model files within one folder. The weights are loaded through the matte files, never directly. */
export const MODEL_FILES = {
  matte: { 512: 'isnet-512.onnx', 640: 'isnet-640.onnx' },
  matteWeights: 'isnet-weights.bin',
  scene: 'scene-depth.onnx',
} as const satisfies { matte: Record<MatteSize, string>; matteWeights: string; scene: string };
