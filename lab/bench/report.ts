import type { LoopDelayFigures } from './loop-delay.ts';
import type { PhotoSizeFigures } from './photo-sizes.ts';
import type { PhotoFigures } from './photo-to-quilt.ts';
import type { RatioFigures } from './ratios.ts';
import type { Video720Figures, VideoLengthFigures } from './video.ts';

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
  readonly video720p: Video720Figures;
  readonly video: { readonly rssMb: { readonly '1min': number; readonly '10min': number } };
  readonly scaling: { readonly photos: readonly PhotoSizeFigures[]; readonly videos: readonly VideoLengthFigures[] };
}

const ms = (value: number) => `${Math.round(value)} ms`;
const share = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

/** Formats the results as Markdown, for docs/benchmarks.md and for the terminal. */
export function markdown(figures: Figures): string {
  return `${photosSection(figures)}
${videosSection(figures)}
${scalingSection(figures)}`;
}

function photosSection({ machine, photo, photo12mp, identityMs, ratios, loopDelayMs }: Figures): string {
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
| everything but the matting network, which takes ${ms(photo12mp.mattingMs)} | **${ms(photo12mp.withoutMattingMs)}** | | |
| peak memory | ${Math.round(photo12mp.rssMb)} MB | | ${Math.round(cold.rssMb)} MB |
| identity: same decoding and encoding, no depth, no views | ${ms(identityMs)} | | |

Aim: at most 2500 ms and 900 MB; without the matting at most 1500 ms. \`open\` reads the file and its header; \`crop\` decodes, cuts and turns it upright.

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

function videosSection({ video720p, video }: Figures): string {
  const { frames, transcodeFps, identity, fast, best } = video720p;
  const steps = Object.keys(fast.steps) as (keyof typeof fast.steps)[];
  const row = (name: string, run: Video720Figures['identity'], ratio: number, mark = '') => {
    const shares = steps.map((step) => share(run.steps[step] ?? 0, run.ms));
    return `| ${name} | ${run.fps.toFixed(1)} | ${mark}${ratio.toFixed(2)}${mark} | ${shares.join(' | ')} | ${Math.round(run.rssMb)} MB |`;
  };
  const growth = 100 * (video.rssMb['10min'] / video.rssMb['1min'] - 1);
  return `### A 720p video to half side by side

${frames} frames, H.264 in and out (veryfast, crf 20), the whole conversion in a warm forked process: decoding, depth, views,
encoding, joining and the check. A plain transcode of the same video with the same encoder, measured before and after each
conversion: ${transcodeFps.toFixed(1)} frames a second (median). Of three conversions in each tier the one with the middle ratio. Aim:
fast at least 0.40, best at least 0.12.

| | frames a second | of a transcode | ${steps.join(' | ')} | peak memory |
|---|---|---|${steps.map(() => '---|').join('')}---|
${row('tier fast', fast, fast.overTranscode, '**')}
${row('tier best', best, best.overTranscode, '**')}
${row('identity: the same video, no depth', identity, identity.fps / transcodeFps)}

\`views\` is everything between the file and the encoded segments.

Peak memory of a video of one minute: ${Math.round(video.rssMb['1min'])} MB; of ten minutes: ${Math.round(video.rssMb['10min'])} MB (${growth >= 0 ? '+' : ''}${growth.toFixed(1)} %). Aim: within 10 %.
`;
}

function scalingSection({ scaling }: Figures): string {
  const photos = scaling.photos.map(
    ({ megapixels, ms: time, rssMb }) => `| ${megapixels} megapixels | ${ms(time)} | ${Math.round(rssMb)} MB |`,
  );
  const videos = scaling.videos.map(
    ({ seconds, ms: time, rssMb }) =>
      `| ${seconds} s | ${(time / 1000).toFixed(1)} s | ${(time / 1000 / seconds).toFixed(2)} s | ${Math.round(rssMb)} MB |`,
  );
  return `### With the size of a photo and the length of a video

| photo to Portrait quilt, warm | time | peak memory |
|---|---|---|
${photos.join('\n')}

| video, 256 x 144, 10 frames a second, tier fast | time | for a second of video | peak memory |
|---|---|---|---|
${videos.join('\n')}
`;
}

/** Section of the page written by one command. */
export interface Section {
  readonly command: string;
  readonly title: string;
}

const SPEED: Section = { command: 'npm run bench', title: 'Speed and memory' };

/** Replaces the section between its markers, or appends it; keeps the rest of the page. */
export function intoPage(page: string, figures: string, { command, title }: Section = SPEED): string {
  const [startMark, endMark] = [`<!-- ${command}: start -->`, `<!-- ${command}: end -->`];
  const section = `${startMark}\n${figures}${endMark}`;
  const start = page.indexOf(startMark);
  const end = page.indexOf(endMark);
  if (start >= 0 && end > start) return page.slice(0, start) + section + page.slice(end + endMark.length);
  return `${page.trimEnd()}\n\n## ${title}\n\n${section}\n`;
}
