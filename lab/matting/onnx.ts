/**
 * ONNX models as lists of protobuf fields, decoded as far as the rewriting requires.
 * Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import {
  bytesOf,
  type Field,
  intField,
  intsOf,
  messageField,
  readFields,
  textField,
  textOf,
  textsOf,
  writeFields,
} from './protobuf.ts';

const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_INITIALIZER = 5;
const GRAPH_INPUT = 11;
const GRAPH_OUTPUT = 12;
const GRAPH_VALUE_INFO = 13;
const NODE_INPUT = 1;
const NODE_OUTPUT = 2;
const NODE_OP_TYPE = 4;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE_NAME = 1;
const ATTRIBUTE_INT = 3;
const ATTRIBUTE_TENSOR = 5;
const TENSOR_DIMS = 1;
const TENSOR_DATA_TYPE = 2;
const TENSOR_NAME = 8;
const TENSOR_RAW_DATA = 9;
const TENSOR_EXTERNAL_DATA = 13;
const TENSOR_DATA_LOCATION = 14;
const DATA_LOCATION_EXTERNAL = 1;
const VALUE_INFO_NAME = 1;
const VALUE_INFO_TYPE = 2;
const TYPE_TENSOR = 1;
const TENSOR_TYPE_ELEMENT = 1;
const TENSOR_TYPE_SHAPE = 2;
const SHAPE_DIM = 1;
const DIM_VALUE = 1;

export const FLOAT32 = 1;
export const INT64 = 7;
export const FLOAT16 = 10;

export interface Tensor {
  readonly name: string;
  readonly dataType: number;
  readonly dims: readonly number[];
  /** Little endian, in row-major order. Ignored if `external` is set. */
  readonly rawData: Uint8Array;
  readonly external?: { readonly file: string; readonly offset: number; readonly length: number };
}

export interface Node {
  readonly opType: string;
  /** '' denotes an omitted optional input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Name, operator, attributes …, unchanged. */
  readonly otherFields: readonly Field[];
}

/** Float32 input or output tensor of the graph. A dimension of 0 accepts any length. */
export interface Port {
  readonly name: string;
  readonly dims: readonly number[];
}

/** A model without intermediate shapes (value_info): they are hints, and wrong after resizing. */
export interface Model {
  readonly nodes: readonly Node[];
  readonly initializers: readonly Tensor[];
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  readonly otherGraphFields: readonly Field[];
  readonly otherModelFields: readonly Field[];
}

export function decodeModel(bytes: Uint8Array): Model {
  const model = readFields(bytes);
  const graphBytes = bytesOf(model, MODEL_GRAPH).at(-1);
  if (!graphBytes) throw new Error('onnx: the model has no graph');
  const graph = readFields(graphBytes);
  const opened = new Set([GRAPH_NODE, GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_OUTPUT, GRAPH_VALUE_INFO]);
  return {
    nodes: bytesOf(graph, GRAPH_NODE).map(decodeNode),
    initializers: bytesOf(graph, GRAPH_INITIALIZER).map(decodeTensor),
    inputs: bytesOf(graph, GRAPH_INPUT).map(decodePort),
    outputs: bytesOf(graph, GRAPH_OUTPUT).map(decodePort),
    otherGraphFields: graph.filter((field) => !opened.has(field.number)),
    otherModelFields: model.filter((field) => field.number !== MODEL_GRAPH),
  };
}

export function encodeModel(model: Model): Uint8Array {
  const graph = [
    ...model.nodes.map((node) => messageField(GRAPH_NODE, encodeNode(node))),
    ...model.initializers.map((tensor) => messageField(GRAPH_INITIALIZER, encodeTensor(tensor))),
    ...model.inputs.map((port) => messageField(GRAPH_INPUT, encodePort(port))),
    ...model.outputs.map((port) => messageField(GRAPH_OUTPUT, encodePort(port))),
    ...model.otherGraphFields,
  ];
  return writeFields([...model.otherModelFields, messageField(MODEL_GRAPH, graph)]);
}

/** Returns the integer attribute `name` of a node, or undefined. */
export function intAttribute(node: Node, name: string): number | undefined {
  const value = findAttribute(node, name);
  const found = value && intsOf(value, ATTRIBUTE_INT).at(-1);
  return found === undefined ? undefined : Number(found);
}

/** Returns the tensor attribute `name` of a node, or undefined. */
export function tensorAttribute(node: Node, name: string): Tensor | undefined {
  const tensor = bytesOf(findAttribute(node, name) ?? [], ATTRIBUTE_TENSOR).at(-1);
  return tensor && decodeTensor(tensor);
}

/** Returns the node with the data of its tensor attribute `name` replaced. */
export function withTensorAttribute(node: Node, name: string, rawData: Uint8Array): Node {
  const otherFields = node.otherFields.map((field): Field => {
    if (field.number !== NODE_ATTRIBUTE || field.wireType !== 2) return field;
    const attribute = readFields(field.value);
    if (textOf(attribute, ATTRIBUTE_NAME) !== name) return field;
    return messageField(
      NODE_ATTRIBUTE,
      attribute.map((part) =>
        part.number === ATTRIBUTE_TENSOR && part.wireType === 2
          ? messageField(ATTRIBUTE_TENSOR, encodeTensor({ ...decodeTensor(part.value), rawData }))
          : part,
      ),
    );
  });
  return { ...node, otherFields };
}

function findAttribute(node: Node, name: string): Field[] | undefined {
  return bytesOf(node.otherFields, NODE_ATTRIBUTE)
    .map(readFields)
    .find((attribute) => textOf(attribute, ATTRIBUTE_NAME) === name);
}

function decodeNode(bytes: Uint8Array): Node {
  const fields = readFields(bytes);
  return {
    opType: textOf(fields, NODE_OP_TYPE),
    inputs: textsOf(fields, NODE_INPUT),
    outputs: textsOf(fields, NODE_OUTPUT),
    otherFields: fields.filter((field) => field.number !== NODE_INPUT && field.number !== NODE_OUTPUT),
  };
}

function encodeNode(node: Node): Field[] {
  return [
    ...node.inputs.map((name) => textField(NODE_INPUT, name)),
    ...node.outputs.map((name) => textField(NODE_OUTPUT, name)),
    ...node.otherFields,
  ];
}

/** Supports only tensors with values in raw_data, the only form that PyTorch writes. */
function decodeTensor(bytes: Uint8Array): Tensor {
  const fields = readFields(bytes);
  const rawData = bytesOf(fields, TENSOR_RAW_DATA).at(-1);
  const name = textOf(fields, TENSOR_NAME);
  if (!rawData) throw new Error(`onnx: tensor ${name} has no raw data`);
  return {
    name,
    dataType: Number(intsOf(fields, TENSOR_DATA_TYPE).at(-1) ?? 0n),
    dims: intsOf(fields, TENSOR_DIMS).map(Number),
    rawData,
  };
}

function encodeTensor(tensor: Tensor): Field[] {
  const { external } = tensor;
  const data: Field[] = external
    ? [
        ...Object.entries({ location: external.file, offset: external.offset, length: external.length }).map(
          ([key, value]) => messageField(TENSOR_EXTERNAL_DATA, [textField(1, key), textField(2, String(value))]),
        ),
        intField(TENSOR_DATA_LOCATION, DATA_LOCATION_EXTERNAL),
      ]
    : [{ number: TENSOR_RAW_DATA, wireType: 2, value: tensor.rawData }];
  return [
    ...tensor.dims.map((dim) => intField(TENSOR_DIMS, dim)),
    intField(TENSOR_DATA_TYPE, tensor.dataType),
    ...(tensor.name ? [textField(TENSOR_NAME, tensor.name)] : []),
    ...data,
  ];
}

function decodePort(bytes: Uint8Array): Port {
  const fields = readFields(bytes);
  const within = (parent: Field[], number: number) => readFields(bytesOf(parent, number).at(-1) ?? new Uint8Array());
  const tensor = within(within(fields, VALUE_INFO_TYPE), TYPE_TENSOR);
  const dims = bytesOf(within(tensor, TENSOR_TYPE_SHAPE), SHAPE_DIM);
  return {
    name: textOf(fields, VALUE_INFO_NAME),
    dims: dims.map((dim) => Number(intsOf(readFields(dim), DIM_VALUE).at(-1) ?? 0n)),
  };
}

function encodePort(port: Port): Field[] {
  const shape = port.dims.map((dim) => messageField(SHAPE_DIM, dim === 0 ? [] : [intField(DIM_VALUE, dim)]));
  const tensor = [intField(TENSOR_TYPE_ELEMENT, FLOAT32), messageField(TENSOR_TYPE_SHAPE, shape)];
  return [textField(VALUE_INFO_NAME, port.name), messageField(VALUE_INFO_TYPE, [messageField(TYPE_TENSOR, tensor)])];
}
