/** Measures the quality of views and depth: `npm run bench:quality`. `--write` updates docs/benchmarks.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createBasicDepth } from '../../engine/src/depth/index.ts';
import { createDepthEngine } from '../../engine/src/depth/neural/depth-engine.ts';
import { modelsFolder } from '../../engine/src/depth/neural/install.ts';
import { distFile } from '../../engine/src/render/dist.ts';
import { synthesiseRight } from '../../engine/src/render/synthesise.ts';
import { intoPage, type Section } from '../bench/report.ts';
import { byEstimator, evaluationPictures, scoreEstimate, verticalRamp } from './depth-quality.ts';
import { type Flicker, measureFlicker } from './flicker.ts';
import { depthFigures, type PartScores, type QualityFigures, qualityMarkdown } from './quality-report.ts';
import { preparedScenes, readScene, writePicture } from './stereo-files.ts';

const USAGE = `usage: npm run bench:quality [-- --write] [--json FILE]

Needs the evaluation data and tools (shared/) beside the checkout.
`;
const SECTION: Section = { command: 'npm run bench:quality', title: 'Quality' };
const FLICKER_VIEWS = 24;
const PARTS = ['all', 'edges', 'disoccluded'] as const;

const root = join(distFile('.'), '../..');
const shared = join(root, '../shared');
const say = (sentence: string) => process.stderr.write(`${sentence} …\n`);

interface ToolScores {
  readonly mean: Record<keyof PartScores, [number, number, number]>;
  readonly rows: readonly ({ readonly id: string } & Record<keyof PartScores, [number, number, number]>)[];
}

async function measureStereo(): Promise<Pick<QualityFigures, 'stereo' | 'belowPlain' | 'scenes' | 'flicker'>> {
  const folder = mkdtempSync(join(tmpdir(), 'framelift-quality-'));
  const tool = (mode: '--prepare' | '--score') =>
    execFileSync(process.execPath, [join(shared, 'tools/stereo-eval.mjs'), mode, folder], { cwd: root });
  try {
    tool('--prepare');
    const ids = preparedScenes(folder);
    const flickers: Flicker[] = [];
    for (const id of ids) {
      const { left, disparity } = await readScene(folder, id);
      await writePicture(synthesiseRight(left, disparity), join(folder, `${id}.png`));
      flickers.push(measureFlicker(left, disparity, FLICKER_VIEWS));
    }
    tool('--score');
    const { mean, rows } = JSON.parse(readFileSync(join(folder, 'scores.json'), 'utf8')) as ToolScores;
    const part = (i: 0 | 1 | 2): PartScores => ({
      ours: mean.ours[i],
      plain: mean.plain[i],
      identity: mean.identity[i],
    });
    const average = (key: keyof Flicker) => flickers.reduce((sum, one) => sum + one[key], 0) / flickers.length;
    return {
      stereo: { all: part(0), edges: part(1), disoccluded: part(2) },
      belowPlain: rows
        .filter(({ ours, plain }) => PARTS.some((_, i) => ours[i as 0] < plain[i as 0]))
        .map(({ id }) => id),
      scenes: ids.length,
      flicker: { filled: average('filled'), visible: average('visible'), plain: average('plain') },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureDepth(): Promise<QualityFigures['depth']> {
  const pictures = evaluationPictures(join(shared, 'data/depth-eval'));
  say('Depth, vertical ramp');
  const ramp = await scoreEstimate(pictures, verticalRamp);
  say('Depth, the built-in estimator');
  const basic = await createBasicDepth();
  const builtin = await scoreEstimate(pictures, byEstimator(basic)).finally(() => basic.close());
  const engine = await createDepthEngine({ neuralDir: modelsFolder() });
  try {
    const { depth } = await engine.status();
    if (depth.source === 'basic') return depthFigures({ builtin, verticalRamp: ramp }, pictures.length);
    say(`Depth, ${depth.name}`);
    const neural = await scoreEstimate(pictures, byEstimator(engine));
    return depthFigures({ builtin, verticalRamp: ramp, neural }, pictures.length, depth.name);
  } finally {
    await engine.close();
  }
}

const { values } = parseArgs({
  options: { write: { type: 'boolean' }, json: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  process.stdout.write(USAGE);
} else if (!existsSync(join(shared, 'data/stereo-eval')) || !existsSync(join(shared, 'data/depth-eval'))) {
  process.stderr.write(`There is no evaluation data in ${resolve(shared)}.\n`);
  process.exitCode = 1;
} else {
  say('Views of the stereo pairs');
  const views = await measureStereo();
  const depth = await measureDepth();
  const figures: QualityFigures = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    ...views,
    depth,
  };
  const text = qualityMarkdown(figures);
  process.stdout.write(text);
  const page = join(root, 'docs/benchmarks.md');
  if (values.write) writeFileSync(page, intoPage(readFileSync(page, 'utf8'), text, SECTION));
  if (values.json) writeFileSync(resolve(values.json), `${JSON.stringify(figures, null, 2)}\n`);
  if (figures.belowPlain.length > 0) process.exitCode = 1;
}
