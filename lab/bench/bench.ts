/** Measures conversion speed and memory: `npm run bench`. Prints the results; `--write` updates docs/benchmarks.md. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEVICES } from '../../engine/src/formats/index.ts';
import { createEngine } from '../../engine/src/process/engine.ts';
import { distFile } from '../../engine/src/render/dist.ts';
import type { PictureRequest, Rect } from '../../engine/src/types.ts';
import { measureLoopDelay } from './loop-delay.ts';
import { benchPhoto } from './photo.ts';
import { measurePhotoSizes } from './photo-sizes.ts';
import { measurePhoto } from './photo-to-quilt.ts';
import { measureIdentity, measureRatio } from './ratios.ts';
import { type Figures, intoPage, markdown } from './report.ts';
import { measureVideo720, measureVideoLengths, videoMemory } from './video.ts';

const USAGE = `usage: npm run bench [-- options]

  --write       writes them into docs/benchmarks.md
  --json FILE   writes the figures as JSON
  --runs N      runs that each median is taken of (default 5)
`;
const NEW_PAGE = '# Benchmarks\n\nEach figure with the command that made it.\n';

const root = join(distFile('.'), '../..');
const page = join(root, 'docs/benchmarks.md');

async function measure(runs: number, scratch: string): Promise<Figures> {
  const device = DEVICES.find(({ slug }) => slug === 'looking-glass-portrait');
  if (!device) throw new Error('the device list lacks the Portrait');
  const photo = await benchPhoto(root, scratch);
  const say = (sentence: string) => process.stderr.write(`${sentence} …\n`);
  const request = { kind: 'picture' as const, input: photo.path, device, effect: 100, name: 'bench' };

  say('Photo to quilt, cold and warm');
  const photo12mp = await measurePhoto(request, scratch, runs);
  say('Depth for the next measurements');
  const pair: Rect = { x: 1084, y: 43, width: 2048, height: 2731 };
  const quiltDepth = await estimate(request, scratch);
  const pairDepth = await estimate({ ...request, crop: pair }, scratch);
  say('Views and packing of the quilt');
  const quilt = await measureRatio({ ...request, depth: quiltDepth.depth }, 'quilt', scratch, runs);
  say('Views and packing of the pair');
  const sbs4096 = await measureRatio({ ...request, crop: pair, depth: pairDepth.depth }, 'sbs', scratch, runs);
  say('Identity');
  const identityMs = await measureIdentity(photo.path, quiltDepth.crop, device, runs);
  say("The parent's event loop");
  const loopDelayMs = await measureLoopDelay(request, scratch);
  say('A video of 720p in both tiers');
  const video720p = await measureVideo720(photo.path, scratch);
  say('Photos from 1 to 48 megapixels');
  const photoSizes = await measurePhotoSizes(request, scratch);
  say('Videos from 10 seconds to 10 minutes');
  const videoLengths = await measureVideoLengths(photo.path, scratch);
  return {
    machine: machine(),
    photo: photo.name,
    photo12mp,
    identityMs,
    ratios: { quilt, sbs4096 },
    loopDelayMs,
    video720p,
    video: { rssMb: videoMemory(videoLengths) },
    scaling: { photos: photoSizes, videos: videoLengths },
  };
}

/** Makes a stored depth map of the request's crop, so that measurements of other steps skip the estimate. */
async function estimate(request: Omit<PictureRequest, 'outDir'>, scratch: string) {
  const engine = createEngine();
  try {
    const outDir = mkdtempSync(join(scratch, 'depth-'));
    const { depthFile, crop } = await engine.convert({ ...request, outDir });
    if (depthFile === null) throw new Error('no depth was stored');
    return { depth: { path: depthFile, source: 'basic' as const }, crop };
  } finally {
    await engine.close();
  }
}

function machine(): Figures['machine'] {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'an unknown processor',
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  };
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    json: { type: 'string' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
const runs = Number(values.runs);
if (values.help || !Number.isInteger(runs) || runs < 1) {
  process.stderr.write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'framelift-bench-'));
  try {
    const figures = await measure(runs, scratch);
    const text = markdown(figures);
    process.stdout.write(text);
    if (values.write) writeFileSync(page, intoPage(existsSync(page) ? readFileSync(page, 'utf8') : NEW_PAGE, text));
    if (values.json) writeFileSync(resolve(values.json), `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
