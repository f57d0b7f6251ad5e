// node parity.mjs MODEL.onnx [REFERENCE]: compares ONNX Runtime with the PyTorch outputs that export.py saved as
// REFERENCE.parity.json and .bin (REFERENCE is MODEL.onnx by default), and measures its time.
import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const [, , model, reference = model] = process.argv;
const cases = JSON.parse(readFileSync(`${reference}.parity.json`, 'utf8'));
const bytes = readFileSync(`${reference}.parity.bin`);
let offset = 0;
function take(count) {
  const start = bytes.byteOffset + offset;
  offset += 4 * count;
  return new Float32Array(bytes.buffer.slice(start, start + 4 * count));
}

const session = await InferenceSession.create(model, { intraOpNumThreads: 2 });
for (const [height, width, dims] of cases) {
  const image = new Tensor('float32', take(3 * height * width), [1, 3, height, width]);
  const expected = take(dims.reduce((product, dim) => product * dim));
  let fastest = Number.POSITIVE_INFINITY;
  let depth;
  for (let run = 0; run < 4; run++) {
    const started = performance.now();
    ({ depth } = await session.run({ image }));
    fastest = Math.min(fastest, performance.now() - started);
  }
  const difference = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - depth.data[i])), 0);
  console.log(`${height} x ${width}: largest difference ${difference.toExponential(2)}, ${fastest.toFixed(1)} ms`);
}
