/** The neural depth models that can be installed, and those rejected because of their licence. */
import { DEPTH_MODEL_NAMES, type DepthModelId } from '@framelift/contract/depth-models';

export const PRECISIONS = ['fp32', 'fp16'] as const;
export type Precision = (typeof PRECISIONS)[number];

export interface ModelFile {
  /** Name within the model folder. */
  readonly file: string;
  readonly address: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface NeuralModel {
  readonly id: DepthModelId;
  readonly name: string;
  readonly licence: string;
  /** Both sides of the input are multiples of this. */
  readonly multiple: number;
  /** Short side of the input used in training. */
  readonly shortSide: number;
  /** Per channel (red, green, blue), for values of 0 … 1. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
  readonly files: Readonly<Record<Precision, ModelFile>>;
}

/** Pinned revision: the file at the address cannot change, so the checksum stays valid. */
const DEPTH_ANYTHING_V2_SMALL =
  'https://huggingface.co/onnx-community/depth-anything-v2-small/resolve/4472b7362082ad9968fee890ca0f1e5aca36b93d/onnx';

/** In order of preference: the first installed one is used. */
export const NEURAL_MODELS: readonly NeuralModel[] = [
  {
    id: 'depth-anything-v2-small',
    name: DEPTH_MODEL_NAMES['depth-anything-v2-small'],
    licence: 'Apache-2.0',
    multiple: 14,
    shortSide: 518,
    mean: [0.485, 0.456, 0.406],
    deviation: [0.229, 0.224, 0.225],
    files: {
      fp32: {
        file: 'depth-anything-v2-small.onnx',
        address: `${DEPTH_ANYTHING_V2_SMALL}/model.onnx`,
        bytes: 99_060_839,
        sha256: 'afb6a5c28f3b6bf1618c6e43f02073ef9dfdc70e937502d51603e57b0a1df10c',
      },
      fp16: {
        file: 'depth-anything-v2-small.fp16.onnx',
        address: `${DEPTH_ANYTHING_V2_SMALL}/model_fp16.onnx`,
        bytes: 49_642_442,
        sha256: '2df6223f206b5164e21f664ace61dabeb9bb6a49b8b5a3e00510b4807d0f5b04',
      },
    },
  },
];

interface RefusedModel {
  readonly pattern: RegExp;
  readonly licence: string;
}

/** Matched against lower-case names with `-` between their parts. */
const REFUSED: readonly RefusedModel[] = [
  { pattern: /^depth-anything-v2-(.*-)?(base|large|giant|vit[blg])\b/, licence: 'CC-BY-NC-4.0' },
  { pattern: /^(depth-anything-3|da3)\b.*\b(large|giant)\b/, licence: 'CC-BY-NC-4.0' },
  { pattern: /^video-depth-anything-(base|large|vit[bl])\b/, licence: 'CC-BY-NC-4.0' },
  { pattern: /^(ml-)?depth-?pro\b/, licence: "Apple's licence for research alone" },
  { pattern: /^uni(depth|k3d)/, licence: 'CC-BY-NC-4.0' },
  { pattern: /^(dust3r|mast3r)\b/, licence: 'CC-BY-NC-SA-4.0' },
];

/**
 * Returns why a model of this name may not be installed, or null. The licence must allow commercial use, because
 * conversions may be sold.
 */
export function refusalOf(name: string): string | null {
  const plain = name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[\s_.]+/g, '-');
  const refused = REFUSED.find(({ pattern }) => pattern.test(plain));
  return refused ? `${name} is refused: its weights are under ${refused.licence}, which forbids commercial use.` : null;
}
