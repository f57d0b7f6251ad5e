// Makes the pictures of docs/engine.md from the drawing on the landing page, by the engine as it is now.
//   node engine/build.mjs && node docs/figures/make-figures.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { findSubject } from '../../engine/src/depth/matte.ts';
import { MODEL_FILES } from '../../engine/src/depth/model-files.ts';
import { loadModel } from '../../engine/src/depth/session.ts';
import { DEVICES } from '../../engine/src/formats/index.ts';
import { createEngine } from '../../engine/src/process/engine.ts';
import { distFile } from '../../engine/src/render/dist.ts';

const WIDTH = 360;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'framelift-figures-'));
const input = join(folder, 'scene.png');
await sharp(here('scene.webp')).png().toFile(input);

const keep = (from: string, name: string) =>
  sharp(from)
    .resize(WIDTH)
    .webp({ quality: 82 })
    .toFile(here(`${name}.webp`));

const engine = createEngine({ threads: 2 });
const device = DEVICES.find(({ slug }) => slug === 'looking-glass-portrait') as (typeof DEVICES)[number];
const request = { kind: 'picture', input, device, effect: 100, outDir: folder, name: 'scene', preview: true } as const;
const { files, preview } = await engine.convert({ ...request, formats: ['quilt', 'left', 'right', 'anaglyph'] });
/** The crane, which the estimator takes for a part of the wall, brought to where it is. */
const crane = [
  [
    [0.08, 0.2],
    [0.19, 0.42],
    [0.33, 0.18],
  ],
  [
    [0.19, 0.42],
    [0.45, 0.29],
  ],
] as const;
const strokes = crane.map((points) => ({ kind: 'near', radius: 0.14, amount: 0.65, points }) as const);
const corrected = await engine.convert({ ...request, name: 'painted', strokes, formats: ['depth'] });
await engine.close();
const pathOf = (format: string) => files.find((file) => file.format === format)?.path ?? '';
if (!preview) throw new Error('There is no preview');

await keep(preview.colour, 'source');
await keep(preview.depth, 'depth');
await keep(corrected.preview?.depth ?? '', 'painted');
await keep(preview.background, 'background');
await keep(pathOf('left'), 'left');
await keep(pathOf('right'), 'right');
await keep(pathOf('anaglyph'), 'anaglyph');
await sharp(pathOf('quilt')).resize(720).webp({ quality: 75 }).toFile(here('quilt.webp'));

const side = 640;
const square = await sharp(preview.colour).resize(side, side, { fit: 'fill' }).raw().toBuffer();
const session = await loadModel(join(distFile('models'), MODEL_FILES.matte[side]), 2);
const matte = await findSubject(session, { data: square, width: side, height: side });
await session.release();
const { height = WIDTH } = await sharp(here('source.webp')).metadata();
await sharp(
  Uint8Array.from(matte.data, (value) => Math.round(value * 255)),
  {
    raw: { width: side, height: side, channels: 1 },
  },
)
  .resize(WIDTH, height, { fit: 'fill' })
  .webp({ quality: 82 })
  .toFile(here('matte.webp'));
rmSync(folder, { recursive: true });
