import { join } from 'node:path';
import type { BasicDepth } from '../depth/index.ts';
import { EngineError } from '../errors.ts';
import { centredCrop, cropProblem, cutSize, SMALLEST_CROP } from '../geometry/index.ts';
import type { Renderer } from '../pack/index.ts';
import { openPicture } from '../picture/open.ts';
import type {
  Comfort,
  ConversionRequest,
  ConversionResult,
  DepthMap,
  Format,
  OutputFile,
  Picture,
  PreviewFiles,
  Progress,
  Rect,
  Size,
} from '../types.ts';
import { quantised, readDepth, writeDepth } from './depth-file.ts';
import { peakMemoryMb, resetPeakMemory } from './memory.ts';
import { trackSteps } from './progress.ts';

/** What a conversion works with. The estimator is asked for only when a depth has to be estimated. */
export interface ConversionTools {
  depth(): Promise<BasicDepth>;
  renderer(): Renderer;
}

export interface ConversionHooks {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Name of the stored depth. Every output's name has a suffix of its format, so this one is free. */
const DEPTH_FILE = 'depth-map.png';

/** Shares of the time, as measured on two cores for a 12-megapixel photo to a Portrait quilt. */
const WEIGHT = { open: 2, cut: 10, estimate: 45, readDepth: 1, output: 40, preview: 10, end: 1 };

/**
 * One picture: open → upright → crop → depth → layers → views → pack → check. Everything is written into
 * `request.outDir`, which is left as it is when the conversion fails: see `throughStaging`.
 *
 * @throws {EngineError} any of its codes
 */
export async function convert(
  request: ConversionRequest,
  tools: ConversionTools,
  { onProgress, signal }: ConversionHooks = {},
): Promise<ConversionResult> {
  resetPeakMemory();
  const formats = formatsOf(request);
  const steps = trackSteps(onProgress);
  const flatOnly = request.effect === 0;
  const spans = shares([
    WEIGHT.open,
    WEIGHT.cut,
    flatOnly ? 0 : request.depth ? WEIGHT.readDepth : WEIGHT.estimate,
    ...formats.map(() => WEIGHT.output),
    request.preview ? WEIGHT.preview : 0,
    WEIGHT.end,
  ]);
  const [openSpan, cutSpan, depthSpan, ...outputSpans] = spans as [Span, Span, Span, ...Span[]];
  const checkCancelled = () => {
    if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled');
  };
  const cancellable = signal ? { signal } : {};

  checkCancelled();
  steps.at('open', openSpan(0));
  const opened = await openPicture(request.input);
  const crop = chooseCrop(request, opened.size);
  checkCancelled();
  steps.at('crop', cutSpan(0));
  const picture = await opened.cut(crop);
  checkCancelled();

  let depth: DepthMap | null = null;
  if (!flatOnly) {
    steps.at('depth', depthSpan(0));
    depth = request.depth
      ? matching(await readDepth(request.depth.path, request.depth.source), picture)
      : await (await tools.depth()).estimate(picture, {
          ...cancellable,
          onProgress: (fraction) => steps.at('depth', depthSpan(fraction)),
        });
    depth = quantised(depth);
    checkCancelled();
  }

  const source = { picture, depth };
  const target = { dir: request.outDir, name: request.name };
  const files: OutputFile[] = [];
  let comfort: Comfort | null = null;
  for (const [i, format] of formats.entries()) {
    const span = outputSpans[i] as Span;
    const made = await tools.renderer().export(source, format, request.device, request.effect, target, {
      ...cancellable,
      onProgress: (step, fraction) => steps.at(step, span(fraction)),
    });
    files.push(made.file);
    // Each format shows its own sweep; the device's own format, or the first, is the one people are told about.
    if (comfort === null || format === request.device.format) comfort = made.comfort ?? comfort;
    checkCancelled();
  }

  let preview: PreviewFiles | null = null;
  if (request.preview) {
    steps.at('pack', (outputSpans[formats.length] as Span)(0));
    preview = await tools.renderer().preview(source, target);
    checkCancelled();
  }
  steps.at('check', (outputSpans.at(-1) as Span)(0));
  const depthFile = depth && join(request.outDir, DEPTH_FILE);
  if (depth && depthFile) await writeDepth(depth, depthFile);
  checkCancelled();
  steps.at('check', 1);
  return {
    files,
    depthFile,
    preview,
    depthSource: depth?.source ?? null,
    comfort,
    source: opened.size,
    crop,
    times: steps.finish(),
    peakRssMb: peakMemoryMb(),
  };
}

/** Effect 0 means no 3D: only the plain picture, whatever was asked for. */
function formatsOf({ effect, formats, device }: ConversionRequest): readonly Format[] {
  if (!Number.isFinite(effect) || effect < 0 || effect > 100)
    throw new EngineError('conversionFailed', `effect must be 0 … 100, not ${effect}`);
  if (effect === 0) return ['flat'];
  return [...new Set(formats && formats.length > 0 ? formats : [device.format])];
}

/** The rectangle that was asked for, or the largest centred one of the device's ratio. */
function chooseCrop({ crop, device }: ConversionRequest, size: Size): Rect {
  const chosen = crop ?? centredCrop(size, device.ratio);
  const problem = cropProblem(chosen, size);
  const working = cutSize(chosen);
  const tooThin = Math.min(working.width, working.height) < SMALLEST_CROP;
  if (problem === null && !tooThin) return chosen;
  const text = `crop ${chosen.width} x ${chosen.height} at ${chosen.x},${chosen.y} of ${size.width} x ${size.height}`;
  if (!crop) throw new EngineError('pictureTooSmall', text);
  throw new EngineError(problem ?? 'cropTooSmall', text);
}

/** A depth map of another crop would shift everything: refused when the aspect is off by more than 2 %. */
function matching(depth: DepthMap, picture: Picture): DepthMap {
  const relative = (depth.width * picture.height) / (depth.height * picture.width);
  if (Math.abs(relative - 1) > 0.02)
    throw new EngineError('conversionFailed', `a depth map of ${depth.width} x ${depth.height} is not of this crop`);
  return depth;
}

/** From the fraction of one part to the fraction of the whole. */
type Span = (fraction: number) => number;

function shares(weights: readonly number[]): Span[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return weights.map((weight) => {
    const start = before / total;
    before += weight;
    return (fraction) => start + (Math.min(Math.max(fraction, 0), 1) * weight) / total;
  });
}
