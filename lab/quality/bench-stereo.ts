/** Measures what becomes of pairs of photographs: `npm run bench:stereo`. `--write` updates docs/benchmarks.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { distFile } from '../../engine/src/render/dist.ts';
import { intoPage, type Section } from '../bench/report.ts';
import { type PairScores, scorePairs } from './pairs.ts';
import { scoreUncovered, type UncoveredScores } from './uncovered.ts';

const USAGE = `usage: npm run bench:stereo [-- --write] [--json FILE]
       npm run bench:stereo -- --views

With --views, measures what views between the eyes show where the left one sees nothing.

Needs the evaluation data (shared/) beside the checkout.
`;
const SECTION: Section = { command: 'npm run bench:stereo', title: 'Pairs of photographs' };

const root = join(distFile('.'), '../..');
const data = join(root, '../shared/data/stereo-eval');

type Row = Pick<PairScores, 'id' | 'inOrder' | 'exchanged' | 'rightView' | 'video'>;

function row({ id, inOrder, exchanged, rightView, video }: Row): string {
  return `| ${id} | ${inOrder.toFixed(2)} | ${exchanged.toFixed(2)} | ${rightView.toFixed(1)} | ${video?.toFixed(1) ?? '–'} |`;
}

function markdown(scores: readonly PairScores[]): string {
  const mean = (key: 'inOrder' | 'exchanged' | 'rightView') =>
    scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
  const found = (key: 'inOrder' | 'exchanged') => scores.filter((score) => score[key] > 0).length;
  const videos = scores.flatMap(({ video }) => video ?? []);
  const all: Row = {
    id: `**mean of ${scores.length}**`,
    inOrder: mean('inOrder'),
    exchanged: mean('exchanged'),
    rightView: mean('rightView'),
    video: videos.reduce((sum, video) => sum + video, 0) / videos.length,
  };
  return `\`npm run bench:stereo\`, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.

Each pair is converted as one picture that says nothing about itself, with its halves in order and exchanged: correlation
of the depth with the measured disparity, and PSNR in dB of the right eye of \`sbs\` against the photographed one. Right
order found: **${found('inOrder')} of ${scores.length}** in order, **${found('exchanged')} of ${scores.length}** exchanged.
Each pair is also a video of a second (H.264, CRF 18, untagged): PSNR of the right eye of \`sbs\` after decoding, and its
order found: **${scores.filter((score) => score.videoInOrder).length} of ${scores.length}** in order, **${scores.filter((score) => score.videoExchanged).length} of ${scores.length}** exchanged;
${scores.length - videos.length} have the shape of squeezed films and are taken for such (–).

| pair | in order | exchanged | right view | right view of a video |
|---|---|---|---|---|
${[all, ...scores].map(row).join('\n')}
`;
}

const FIGURES = ['all', 'uncovered', 'between', 'flicker', 'motion'] as const;

function viewsRow({ id, ...figures }: UncoveredScores): string {
  return `| ${[id, ...FIGURES.map((key) => figures[key].map((value) => value.toFixed(2)).join(' → '))].join(' | ')} |`;
}

/** Prints the views' figures, each without and with the right eye's picture. */
async function printViews(): Promise<void> {
  process.stdout.write(`| pair | ${FIGURES.join(' | ')} |\n|${'---|'.repeat(FIGURES.length + 1)}\n`);
  const scores = await scoreUncovered(data, (score) => process.stdout.write(`${viewsRow(score)}\n`));
  const mean = (key: (typeof FIGURES)[number]) =>
    [0, 1].map((which) => {
      const known = scores.map((score) => score[key][which] as number).filter(Number.isFinite);
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    });
  const means = Object.fromEntries(FIGURES.map((key) => [key, mean(key)])) as unknown as Omit<UncoveredScores, 'id'>;
  process.stdout.write(`${viewsRow({ id: `**mean of ${scores.length}**`, ...means })}\n`);
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    json: { type: 'string' },
    views: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
} else if (!existsSync(data)) {
  process.stderr.write(`There is no evaluation data in ${data}.\n`);
  process.exitCode = 1;
} else if (values.views) {
  await printViews();
} else {
  const scores = await scorePairs(data, (score) => process.stderr.write(`${row(score)}\n`));
  const text = markdown(scores);
  process.stdout.write(text);
  const page = join(root, 'docs/benchmarks.md');
  if (values.write) writeFileSync(page, intoPage(readFileSync(page, 'utf8'), text, SECTION));
  if (values.json) writeFileSync(resolve(values.json), `${JSON.stringify(scores, null, 2)}\n`);
}
