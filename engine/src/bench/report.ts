import type { LoopDelayFigures } from './loop-delay.ts';
import type { PhotoFigures } from './photo-to-quilt.ts';
import type { RatioFigures } from './ratios.ts';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly date: string;
}

export interface Figures {
  readonly machine: Machine;
  readonly photo: string;
  readonly photo12mp: PhotoFigures;
  readonly identityMs: number;
  readonly ratios: { readonly quilt: RatioFigures; readonly sbs4096: RatioFigures };
  readonly loopDelayMs: LoopDelayFigures;
}

const ms = (value: number) => `${Math.round(value)} ms`;
const share = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

/** The figures as Markdown, for docs/benchmarks.md and for the terminal. */
export function markdown({ machine, photo, photo12mp, identityMs, ratios, loopDelayMs }: Figures): string {
  const { cold } = photo12mp;
  const steps = Object.entries(photo12mp.steps).map(([step, time]) => {
    const first = cold.steps[step as keyof typeof cold.steps] ?? 0;
    return `| ${step} | ${ms(time)} | ${share(time, photo12mp.ms)} | ${ms(first)} |`;
  });
  const ratioRow = (name: string, { width, height, ...r }: RatioFigures) =>
    `| ${name}, ${width} x ${height} | ${ms(r.viewsMs)} | ${ms(r.packMs)} | ${ms(r.jpegMs)} | **${r.viewsAndPackingOverJpeg.toFixed(2)}** |`;
  return `\`npm run bench\` on ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, ${machine.date}.

### A photo to a Looking Glass Portrait quilt

${photo}, 48 views, basic depth, in a forked process. Warm is the median of the runs after the first.

| step | warm | share | cold |
|---|---|---|---|
${steps.join('\n')}
| **whole** | **${ms(photo12mp.ms)}** | | ${ms(cold.ms)} |
| peak memory | ${Math.round(photo12mp.rssMb)} MB | | ${Math.round(cold.rssMb)} MB |
| identity: same decoding and encoding, no depth, no views | ${ms(identityMs)} | | |

\`open\` reads the file and its header; \`crop\` decodes, cuts and turns it upright.

### Views and packing against JPEG encoding

\`pack\` contains the encoding itself. Aim: at most 1.5.

| result | views | pack | sharp alone, quality 92, 4:4:4 | (views + pack) / sharp |
|---|---|---|---|---|
${ratioRow('Portrait quilt', ratios.quilt)}
${ratioRow('side by side', ratios.sbs4096)}

### The server's event loop while two conversions run

p50 ${loopDelayMs.p50.toFixed(1)} ms, p99 ${loopDelayMs.p99.toFixed(1)} ms, longest ${loopDelayMs.max.toFixed(1)} ms (sampled every millisecond). Aim: p99 below 50 ms.
`;
}

/** A part of the page that one command writes. */
export interface Section {
  readonly command: string;
  readonly title: string;
}

const SPEED: Section = { command: 'npm run bench', title: 'Speed and memory' };

/** Puts the figures between their marks; what else the page says stays. */
export function intoPage(page: string, figures: string, { command, title }: Section = SPEED): string {
  const [startMark, endMark] = [`<!-- ${command}: start -->`, `<!-- ${command}: end -->`];
  const section = `${startMark}\n${figures}${endMark}`;
  const start = page.indexOf(startMark);
  const end = page.indexOf(endMark);
  if (start >= 0 && end > start) return page.slice(0, start) + section + page.slice(end + endMark.length);
  return `${page.trimEnd()}\n\n## ${title}\n\n${section}\n`;
}
