import { describe, expect, test } from 'vitest';
import { keepOnlyOutput, moveWeights, resizeIsnet, withoutCasts } from './isnet.ts';
import { decodeModel, encodeModel, FLOAT16, FLOAT32, type Model, type Node, type Tensor } from './onnx.ts';
import { intField, messageField, textField } from './protobuf.ts';

const node = (opType: string, inputs: string[], outputs: string[], castTo?: number): Node => ({
  opType,
  inputs,
  outputs,
  otherFields: [
    textField(4, opType),
    ...(castTo === undefined ? [] : [messageField(5, [textField(1, 'to'), intField(3, castTo)])]),
  ],
});
const tensor = (name: string, dataType: number, rawData: Uint8Array): Tensor => ({
  name,
  dataType,
  dims: [1],
  rawData,
});
const ONE_IN_HALF = Uint8Array.of(0x00, 0x3c);

/** input → half → Mul by a half-precision weight → single → output, and a side branch. */
const small: Model = {
  nodes: [
    node('Cast', ['input'], ['half'], FLOAT16),
    node('Mul', ['half', 'weight'], ['product']),
    node('Cast', ['product'], ['output'], FLOAT32),
    node('Mul', ['half', 'sideWeight'], ['sideProduct']),
    node('Cast', ['sideProduct'], ['side'], FLOAT32),
  ],
  initializers: [tensor('weight', FLOAT16, ONE_IN_HALF), tensor('sideWeight', FLOAT16, ONE_IN_HALF)],
  inputs: [{ name: 'input', dims: [1] }],
  outputs: [
    { name: 'output', dims: [1] },
    { name: 'side', dims: [1] },
  ],
  otherGraphFields: [textField(2, 'small')],
  otherModelFields: [intField(1, 8)],
};

describe('rewriting a graph', () => {
  test('a model survives being written and read', () => {
    expect(decodeModel(encodeModel(small))).toEqual(small);
  });

  test('casts between half and single precision go, outputs keep their names', () => {
    const single = withoutCasts(small);
    expect(single.nodes.map(({ opType, inputs, outputs }) => [opType, inputs, outputs])).toEqual([
      ['Mul', ['input', 'weight'], ['output']],
      ['Mul', ['input', 'sideWeight'], ['side']],
    ]);
  });

  test('weights are declared as single precision in a file of their own, each on a page boundary', () => {
    const published = encodeModel(small);
    const { tensors, weights } = moveWeights(decodeModel(published).initializers, published, 'weights.bin');
    expect(tensors.map(({ dataType, external }) => [dataType, external])).toEqual([
      [FLOAT32, { file: 'weights.bin', offset: 0, length: 4 }],
      [FLOAT32, { file: 'weights.bin', offset: 4096, length: 4 }],
    ]);
    expect(weights.bytes).toBe(8192);
    for (const [i, [from, bytes, to]] of weights.pieces.entries()) {
      expect([bytes, to]).toEqual([2, 4096 * i]);
      expect(published.subarray(from, from + bytes)).toEqual(ONE_IN_HALF);
    }
  });

  test('only what the wanted output depends on stays', () => {
    const lean = keepOnlyOutput(small, 'output');
    expect(lean.nodes.map((kept) => kept.outputs[0])).toEqual(['half', 'product', 'output']);
    expect(lean.initializers.map((kept) => kept.name)).toEqual(['weight']);
    expect(lean.outputs.map((kept) => kept.name)).toEqual(['output']);
    expect(() => keepOnlyOutput(small, 'elsewhere')).toThrow('no output elsewhere');
  });

  test('a graph that is not ISNet is refused', () => {
    expect(() => resizeIsnet(encodeModel(small), [640], 'weights.bin')).toThrow('0 Resize nodes');
  });
});
