// node matte.mjs OUT PICTURE…: computes ISNet mattes at its published input size; writes a 512 x 512 float32 file
// OUT/NAME.mat for each picture.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';

const SIDE = 1024;
const [, , output, ...pictures] = process.argv;

function readIsnet() {
  const manifest = createRequire(import.meta.url).resolve('@imgly/background-removal-data/package.json');
  const folder = path.join(path.dirname(manifest), 'dist');
  const { chunks } = JSON.parse(readFileSync(path.join(folder, 'resources.json'), 'utf8'))['/models/medium'];
  const ordered = chunks.toSorted((a, b) => a.offsets[0] - b.offsets[0]);
  return Buffer.concat(ordered.map(({ hash }) => readFileSync(path.join(folder, hash))));
}

mkdirSync(output, { recursive: true });
const session = await InferenceSession.create(readIsnet());
for (const picture of pictures) {
  const rgb = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .resize(SIDE, SIDE, { fit: 'fill' })
    .raw()
    .toBuffer();
  const input = new Float32Array(3 * SIDE * SIDE);
  for (let i = 0; i < SIDE * SIDE; i++) {
    for (let c = 0; c < 3; c++) input[c * SIDE * SIDE + i] = (rgb[3 * i + c] - 128) / 256;
  }
  const { output: result } = await session.run({ input: new Tensor('float32', input, [1, 3, SIDE, SIDE]) });
  const matte = new Float32Array(512 * 512);
  for (let y = 0; y < 512; y++) {
    for (let x = 0; x < 512; x++) {
      const at = 2 * y * SIDE + 2 * x;
      const { data } = result;
      matte[y * 512 + x] = (data[at] + data[at + 1] + data[at + SIDE] + data[at + SIDE + 1]) / 4;
    }
  }
  writeFileSync(path.join(output, `${path.parse(picture).name}.mat`), matte);
}
