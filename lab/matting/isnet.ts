/**
 * Converts the published ISNet graph (half-precision weights, input fixed to 1024 x 1024, six side outputs) to graphs
 * for smaller inputs.
 *
 * - Weights become float32, losslessly, in a separate file. ONNX Runtime computes in float32 on CPUs anyway: without
 *   the casts, peak memory is some 250 MB lower. A separate file is memory-mapped instead of copied (another 150 MB),
 *   and serves every input size. That file is 176 MB: only its plan is made here, the engine's build carries it out.
 * - Only what leads to `output` is kept: ONNX Runtime does not remove the five side branches by itself.
 * - The targets of the Resize nodes, constants in the published graph, are scaled with the input.
 */
import type { WeightsPlan } from '../../engine/scripts/prepare-models.ts';
import {
  decodeModel,
  encodeModel,
  FLOAT16,
  FLOAT32,
  INT64,
  intAttribute,
  type Model,
  type Node,
  type Port,
  type Tensor,
  tensorAttribute,
  withTensorAttribute,
} from './onnx.ts';

const PUBLISHED_SIZE = 1024;
const RESIZE_NODES = 39;
/** Weights start at page boundaries, as memory mapping requires. */
const WEIGHT_ALIGNMENT = 4096;

export interface ResizedIsnet {
  /** One ONNX file per requested size, in that order. */
  readonly graphs: readonly Uint8Array[];
  readonly weights: WeightsPlan;
}

/**
 * Makes the graphs for smaller inputs.
 * @param published bytes of ISNet's published file
 * @param sizes side lengths of the square inputs, multiples of 32
 * @param weightsFile name of the weights file next to the graphs
 * @throws {Error} if the graph differs from the supported one
 */
export function resizeIsnet(published: Uint8Array, sizes: readonly number[], weightsFile: string): ResizedIsnet {
  const model = decodeModel(published);
  const found = model.nodes.filter((node) => node.opType === 'Resize').length;
  if (found !== RESIZE_NODES) throw new Error(`ISNet: ${found} Resize nodes instead of ${RESIZE_NODES}`);
  const lean = keepOnlyOutput(withoutCasts(model), 'output');
  const { tensors, weights } = moveWeights(lean.initializers, published, weightsFile);
  const graphs = sizes.map((size) => encodeModel(scaleInput({ ...lean, initializers: tensors }, size)));
  return { graphs, weights };
}

/** Returns the model without its casts between half and single precision. Initializers are unchanged. */
export function withoutCasts(model: Model): Model {
  const sourceOf = new Map<string, string>();
  const nodes: Node[] = [];
  for (const node of model.nodes) {
    const target = node.opType === 'Cast' ? intAttribute(node, 'to') : undefined;
    if (target === FLOAT16 || target === FLOAT32) sourceOf.set(node.outputs[0] ?? '', node.inputs[0] ?? '');
    else nodes.push(node);
  }
  const beforeCasts = (name: string): string => {
    const source = sourceOf.get(name);
    return source === undefined ? name : beforeCasts(source);
  };
  // If a removed cast produced a graph output, the node before that cast takes over its name.
  const outputNames = new Map(model.outputs.map((port) => [beforeCasts(port.name), port.name]));
  const rename = (name: string): string => outputNames.get(beforeCasts(name)) ?? beforeCasts(name);
  return {
    ...model,
    nodes: nodes.map((node) => ({ ...node, inputs: node.inputs.map(rename), outputs: node.outputs.map(rename) })),
  };
}

/** Returns the model with the single output `name` and only the nodes and weights that it depends on. */
export function keepOnlyOutput(model: Model, name: string): Model {
  const outputs = model.outputs.filter((port) => port.name === name);
  if (outputs.length !== 1) throw new Error(`onnx: the graph has no output ${name}`);
  const needed = new Set([name]);
  // Nodes are in topological order: walking backwards visits every user of a value before its producer.
  const nodes = model.nodes
    .toReversed()
    .filter((node) => {
      const used = node.outputs.some((output) => needed.has(output));
      if (used) for (const input of node.inputs) needed.add(input);
      return used;
    })
    .toReversed();
  return { ...model, nodes, outputs, initializers: model.initializers.filter((tensor) => needed.has(tensor.name)) };
}

/**
 * Declares the tensors as float32 in an external file. Also returns the locations of their published half-precision
 * data.
 */
export function moveWeights(
  tensors: readonly Tensor[],
  published: Uint8Array,
  file: string,
): { tensors: Tensor[]; weights: WeightsPlan } {
  const pieces: [from: number, bytes: number, to: number][] = [];
  let end = 0;
  const moved = tensors.map((tensor) => {
    if (tensor.dataType !== FLOAT16) throw new Error(`ISNet: ${tensor.name} is not in half precision`);
    const length = 2 * tensor.rawData.length;
    const external = { file, offset: end, length };
    // Tensors are decoded as views of the published bytes.
    pieces.push([tensor.rawData.byteOffset - published.byteOffset, tensor.rawData.length, end]);
    end += Math.ceil(length / WEIGHT_ALIGNMENT) * WEIGHT_ALIGNMENT;
    return { ...tensor, dataType: FLOAT32, external };
  });
  return { tensors: moved, weights: { bytes: end, pieces } };
}

/** Sets input and output to size x size and scales the targets of the Resize nodes. */
function scaleInput(model: Model, size: number): Model {
  if (size % 32 !== 0) throw new Error(`ISNet: the input size ${size} is not a multiple of 32`);
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const targets = new Set<Node>();
  for (const resize of model.nodes.filter((node) => node.opType === 'Resize')) {
    // sizes = Concat(first two dimensions of the input, constant height and width)
    const concat = producers.get(resize.inputs[3] ?? '');
    const constant = producers.get(concat?.inputs[1] ?? '');
    if (concat?.opType !== 'Concat' || constant?.opType !== 'Constant') {
      throw new Error('ISNet: a Resize node does not take its target from a constant');
    }
    targets.add(constant);
  }
  const square = (port: Port): Port => ({ ...port, dims: [...port.dims.slice(0, 2), size, size] });
  return {
    ...model,
    nodes: model.nodes.map((node) => (targets.has(node) ? scaleConstant(node, size) : node)),
    inputs: model.inputs.map(square),
    outputs: model.outputs.map(square),
  };
}

function scaleConstant(node: Node, size: number): Node {
  const tensor = tensorAttribute(node, 'value');
  if (tensor?.dataType !== INT64 || tensor.rawData.length !== 16) {
    throw new Error('ISNet: the target of a Resize node is not two 64-bit integers');
  }
  const rawData = new Uint8Array(tensor.rawData);
  const view = new DataView(rawData.buffer);
  for (const at of [0, 8]) {
    const published = view.getBigInt64(at, true);
    view.setBigInt64(at, (published * BigInt(size)) / BigInt(PUBLISHED_SIZE), true);
  }
  return withTensorAttribute(node, 'value', rawData);
}
