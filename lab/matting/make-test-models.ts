/**
 * Writes small ONNX files with the input and output of Depth Anything V2 into engine/src/testing/models, to test the
 * neural path without its 99 MB model.
 *
 *   node lab/matting/make-test-models.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_MODELS, type TestModel } from '../../engine/src/testing/test-models.ts';
import { encodeModel, FLOAT32, type Node, type Port, type Tensor } from './onnx.ts';
import { type Field, intField, messageField, textField } from './protobuf.ts';

const IR_VERSION = 6;
/** The last opset in which Squeeze and ReduceMean take their axes as attributes. */
const OPSET = 11;
const NODE_OP_TYPE = 4;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE = { name: 1, int: 3, ints: 8, type: 20, typeInt: 2, typeInts: 7 };
const MODEL = { irVersion: 1, opset: 8, opsetVersion: 2 };
const GRAPH_NAME = 2;

function makeTestModel(variant: TestModel): Uint8Array {
  const [height, width] = variant === 'fixedSize' ? [70, 98] : [0, 0];
  const nodes: Node[] = [
    node('ReduceMean', ['pixel_values'], 'mean', [ints('axes', [1]), int('keepdims', 1)]),
    node('AveragePool', ['mean'], 'smooth', [ints('kernel_shape', [3, 3]), ints('pads', [1, 1, 1, 1])]),
    ...ending(variant),
  ];
  const output: Port = { name: 'predicted_depth', dims: variant === 'scalar' ? [1] : [1, height, width] };
  return encodeModel({
    nodes,
    // Black is about -2 after normalisation: its square root is NaN.
    initializers: [scalar('zero', 0), scalar('above_black', 1.9)],
    inputs: [{ name: 'pixel_values', dims: [1, 3, height, width] }],
    outputs: [output],
    otherGraphFields: [textField(GRAPH_NAME, variant)],
    otherModelFields: [
      intField(MODEL.irVersion, IR_VERSION),
      messageField(MODEL.opset, [intField(MODEL.opsetVersion, OPSET)]),
    ],
  });
}

/** Returns the nodes from `smooth`, 1 x 1 x height x width, to the output. */
function ending(variant: TestModel): Node[] {
  if (variant === 'scalar')
    return [node('ReduceMean', ['smooth'], 'predicted_depth', [ints('axes', [1, 2, 3]), int('keepdims', 0)])];
  const squeeze = (from: string) => node('Squeeze', [from], 'predicted_depth', [ints('axes', [1])]);
  if (variant === 'flat') return [node('Mul', ['smooth', 'zero'], 'nothing', []), squeeze('nothing')];
  if (variant === 'darkIsBroken')
    return [
      node('Add', ['smooth', 'above_black'], 'shifted', []),
      node('Sqrt', ['shifted'], 'root', []),
      squeeze('root'),
    ];
  return [squeeze('smooth')];
}

function node(opType: string, inputs: readonly string[], output: string, attributes: readonly Field[]): Node {
  return { opType, inputs, outputs: [output], otherFields: [textField(NODE_OP_TYPE, opType), ...attributes] };
}

const int = (name: string, value: number) =>
  messageField(NODE_ATTRIBUTE, [
    textField(ATTRIBUTE.name, name),
    intField(ATTRIBUTE.int, value),
    intField(ATTRIBUTE.type, ATTRIBUTE.typeInt),
  ]);

const ints = (name: string, values: readonly number[]) =>
  messageField(NODE_ATTRIBUTE, [
    textField(ATTRIBUTE.name, name),
    ...values.map((value) => intField(ATTRIBUTE.ints, value)),
    intField(ATTRIBUTE.type, ATTRIBUTE.typeInts),
  ]);

const scalar = (name: string, value: number): Tensor => {
  const rawData = new Uint8Array(4);
  new DataView(rawData.buffer).setFloat32(0, value, true);
  return { name, dataType: FLOAT32, dims: [], rawData };
};

for (const variant of TEST_MODELS) {
  const file = join(import.meta.dirname, '../../engine/src/testing/models', `${variant}.onnx`);
  writeFileSync(file, makeTestModel(variant));
}
