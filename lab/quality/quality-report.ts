import type { MeanScore } from './depth-quality.ts';
import type { Flicker } from './flicker.ts';

export interface PartScores {
  readonly ours: number;
  readonly plain: number;
  readonly identity: number;
}

export interface ByEstimator {
  readonly builtin: number;
  readonly verticalRamp: number;
  readonly neural?: number;
}

export interface QualityFigures {
  readonly date: string;
  readonly node: string;
  /** PSNR in dB. */
  readonly stereo: { readonly all: PartScores; readonly edges: PartScores; readonly disoccluded: PartScores };
  /** Scenes with a part that scores below the plain warp. */
  readonly belowPlain: readonly string[];
  readonly scenes: number;
  readonly flicker: Flicker;
  readonly depth: {
    readonly pictures: number;
    readonly ordinal: ByEstimator;
    readonly absRel: ByEstimator;
    readonly delta1: ByEstimator;
    /** Name of the measured neural model. */
    readonly neuralName?: string;
  };
}

export function depthFigures(
  scores: { readonly builtin: MeanScore; readonly verticalRamp: MeanScore; readonly neural?: MeanScore },
  pictures: number,
  neuralName?: string,
): QualityFigures['depth'] {
  const of = (metric: keyof MeanScore): ByEstimator => ({
    builtin: scores.builtin[metric],
    verticalRamp: scores.verticalRamp[metric],
    ...(scores.neural ? { neural: scores.neural[metric] } : {}),
  });
  const named = neuralName === undefined ? {} : { neuralName };
  return { pictures, ordinal: of('ordinal'), absRel: of('absRel'), delta1: of('delta1'), ...named };
}

/** Formats the results as Markdown, for docs/benchmarks.md and for the terminal. */
export function qualityMarkdown({ date, node, stereo, belowPlain, scenes, flicker, depth }: QualityFigures): string {
  const stereoRow = (name: string, key: keyof PartScores) =>
    `| ${name} | ${[stereo.all, stereo.edges, stereo.disoccluded].map((part) => part[key].toFixed(2)).join(' | ')} |`;
  const depthRow = (name: string, key: keyof ByEstimator) =>
    `| ${name} | ${[depth.ordinal, depth.absRel, depth.delta1].map((metric) => metric[key]?.toFixed(3)).join(' | ')} |`;
  const neural = depth.neuralName === undefined ? [] : [depthRow(depth.neuralName, 'neural')];
  return `\`npm run bench:quality\`, Node ${node}, ${date}.

### Right views from left views and true disparity

PSNR in dB against the photographed right view, mean of ${scenes} scenes; aim: 29.0 / 25.2 / 21.1. Scenes of which a part is
below the plain warp: ${belowPlain.length === 0 ? 'none' : belowPlain.join(', ')}.

| | all | near edges | disoccluded |
|---|---|---|---|
${stereoRow('**Framelift**', 'ours')}
${stereoRow('plain forward warp', 'plain')}
${stereoRow('identity', 'identity')}

### Flicker between neighbouring views

Mean change of the change from view to view (0 … 255), the same scenes, 24 views from left to right: **${flicker.filled.toFixed(2)}** where
something was filled in, ${flicker.visible.toFixed(2)} where the picture itself is seen; ${flicker.plain.toFixed(2)} in the plain warp's fill.

### Depth

${depth.pictures} photographs with measured depth. Ordinal: share of pairs of pixels in the right order. AbsRel (less is better) and δ1
after the best scale and shift.

| | ordinal | AbsRel | δ1 |
|---|---|---|---|
${[depthRow('**basic depth**', 'builtin'), ...neural, depthRow('vertical ramp', 'verticalRamp')].join('\n')}
`;
}
