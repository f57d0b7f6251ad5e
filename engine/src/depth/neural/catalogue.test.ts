import { expect, test } from 'vitest';
import { NEURAL_MODELS, PRECISIONS, refusalOf } from './catalogue.ts';

test('every model names its licence, and each file a fixed address, size and checksum', () => {
  for (const { id, licence, files } of NEURAL_MODELS) {
    expect(licence).toMatch(/^(Apache-2\.0|MIT|BSD-[23]-Clause)$/);
    expect(refusalOf(id)).toBeNull();
    for (const precision of PRECISIONS) {
      const { file, address, bytes, sha256 } = files[precision];
      expect(address).toMatch(/^https:\/\/.*\/[0-9a-f]{40}\//);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(bytes).toBeGreaterThan(1e6);
      expect(file).toMatch(/\.onnx$/);
    }
  }
});

test.each([
  'depth-anything-v2-large',
  'Depth-Anything-V2-Base-hf',
  'depth-anything/Depth_Anything_V2_Giant',
  'depth_anything_v2_vitl',
  'Depth-Anything-V2-Metric-Outdoor-Large-hf',
  'depth-pro',
  'apple/DepthPro-hf',
  'ml-depth-pro',
  'unidepth-v2-vitl14',
  'unik3d-vits',
  'DA3-LARGE',
  'mast3r',
])('%s may not be used for what is sold, and is refused by name', (name) => {
  expect(refusalOf(name)).toMatch(/licence|CC-BY-NC/);
});

test('models with free licences are not refused', () => {
  for (const name of [
    'depth-anything-v2-small',
    'depth-anything-v2-small-hf',
    'depth-anything-v2-metric-indoor-small',
    'midas',
    'video-depth-anything-small',
  ])
    expect(refusalOf(name)).toBeNull();
});
