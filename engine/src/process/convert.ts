import { join } from 'node:path';
import type { PictureNote } from '@framelift/contract';
import { FORMATS, type Format } from '@framelift/contract/formats';
import { LIMITS } from '@framelift/contract/limits';
import { sharp } from '../decode/decoder.ts';
import { findEmbeddedDepth } from '../decode/embedded/index.ts';
import { type OpenPicture, openHeader, openPicture } from '../decode/open.ts';
import { findPair, leftEyeHeader } from '../decode/stereo/find-pair.ts';
import { cutRightEye, type RightEye } from '../decode/stereo/right-eye.ts';
import type { BasicDepth } from '../depth/index.ts';
import { NEAREST } from '../depth/layers/layers.ts';
import { depthRange, normaliseDepth } from '../depth/layers/range.ts';
import { depthOfSubject } from '../depth/layers/stack.ts';
import { findOverlays, flattenOverlays, OVERLAY_SIDE, type Overlay } from '../depth/overlays.ts';
import { applyStrokes } from '../edit/index.ts';
import { writeArchive } from '../encode/archive.ts';
import type { Renderer } from '../encode/index.ts';
import { EngineError } from '../errors.ts';
import { otherDisplay } from '../formats/index.ts';
import {
  centredCrop,
  cropOfLeftEye,
  cropProblem,
  cutSize,
  isEdited,
  placeInPair,
  SMALLEST_CUT,
} from '../geometry/index.ts';
import type {
  Comfort,
  Crop,
  DepthMap,
  OutputFile,
  Picture,
  PictureRequest,
  PictureResult,
  PreviewFiles,
  Size,
  Step,
  Stroke,
} from '../types.ts';
import type { CallHooks } from './calls.ts';
import { type Disparity, quantised, readDepth, readDisparity, writeDepth } from './depth-file.ts';
import { peakMemoryMb, resetPeakMemory } from './memory.ts';
import { trackSteps } from './progress.ts';

/** Dependencies of a conversion. The estimator is requested only if depth must be estimated. */
export interface ConversionTools {
  depth(): Promise<BasicDepth>;
  renderer(): Renderer;
}

/** Name of the stored depth map. Output names have a format suffix, so this name cannot collide. */
const DEPTH_FILE = 'depth-map.png';

/**
 * Converts one picture: open → upright → crop → depth → layers → views → pack → check. Writes everything into
 * `request.outDir`; after a failure the caller removes its content, see `throughStaging`.
 *
 * @throws {EngineError} any of its codes
 */
export async function convert(
  request: PictureRequest,
  tools: ConversionTools,
  { onProgress, signal }: CallHooks = {},
): Promise<PictureResult> {
  resetPeakMemory();
  const formats = formatsOf(request);
  const plan = planOf(request, formats);
  const steps = trackSteps(onProgress);
  const enter = (step: Step, fraction: number) => {
    if (signal?.aborted) throw new EngineError('conversionCancelled', `cancelled before ${step}`);
    steps.at(step, fraction);
  };
  const cancellable = signal ? { signal } : {};

  enter('open', plan.open(0));
  const whole = await openPicture(request.input);
  const found = await findEyes(request, whole);
  const pair = found?.pair ?? null;
  const opened = pair ? openHeader(whole.bytes, leftEyeHeader(whole.header, pair)) : whole;
  const stored = request.depth?.source === 'embedded' ? await readDisparity(request.depth.path) : undefined;
  const measured = needsMeasuring(request, formats, stored !== undefined)
    ? await findEmbeddedDepth(opened.bytes, opened.header, request.pair === 'flat')
    : null;
  const embedded = request.depth ? null : measured;
  const crop = found?.crop ?? chooseCrop(request, opened.size);
  enter('crop', plan.cut(0));
  const picture = await opened.cut(crop, request.ground);
  const notes = new Set<PictureNote>();
  if (picture.incomplete) notes.add('pictureIncomplete');
  if (opened.header.animated) notes.add('firstFrame');
  if (Math.min(crop.width, crop.height) < SMALLEST_CUT) notes.add('pictureSmall');

  let depth: DepthMap | null = null;
  let shown: DepthMap | null = null;
  let rightEye: RightEye | null = null;
  let disparity: Disparity | null | undefined;
  if (request.effect > 0) {
    enter('depth', plan.depth(0));
    const onEstimate = (fraction: number) => steps.at('depth', plan.depth(fraction));
    const own = request.depth && matching(await readDepth(request.depth.path, request.depth.source), picture);
    const known = own ?? embedded?.cut(crop) ?? null;
    if ((own ?? embedded)?.incomplete) notes.add('depthIncomplete');
    const [map, overlays] = await Promise.all([
      known ?? (await tools.depth()).estimate(picture, { ...cancellable, onProgress: onEstimate }),
      isEstimated(known) ? overlaysOf(picture) : [],
    ]);
    depth = quantised(map);
    const flat = overlays.length > 0 ? flattened(depth, overlays, request.convergence) : depth;
    shown = request.strokes?.length ? paintedOver(flat, request.strokes, picture) : flat;
    // Painted depth is shown by views that have it.
    const isMeasured = depth.source === 'embedded' && !request.strokes?.length;
    if (depth.source === 'embedded') disparity = stored === undefined ? measured?.disparity(crop) : stored;
    const range = isMeasured && hasViews(formats) && disparity ? ofRange(disparity, depth) : null;
    if (range)
      rightEye = await cutRightEye(opened, crop, range, request.convergence ?? subjectOf(shown), request.ground).catch(
        () => null,
      );
  }

  const source = {
    picture,
    rightEye: rightEye ?? undefined,
    depth: shown,
    convergence: request.convergence,
  };
  const target = { dir: request.outDir, name: request.name, options: request };
  const files: OutputFile[] = [];
  let comfort: Comfort | null = null;
  for (const [i, format] of formats.entries()) {
    enter(depth ? 'layers' : 'pack', plan.output(i, 0));
    const made = await tools.renderer().export(source, format, request.device, request.effect, target, {
      ...cancellable,
      onProgress: (step, fraction) => steps.at(step, plan.output(i, fraction)),
    });
    files.push(made.file);
    // Each format has its own sweep; reports the comfort of the device's own format, or of the first one.
    if (comfort === null || format === request.device.format) comfort = made.comfort ?? comfort;
  }

  let preview: PreviewFiles | null = null;
  if (request.preview) {
    enter('pack', plan.preview(0));
    preview = await tools.renderer().preview(source, target);
  }
  enter('check', plan.end(0));
  const paths = files.map(({ path }) => path);
  const archive = request.archive ? await writeArchive(paths, request.outDir, request.name, request.archiveDate) : null;
  const depthFile = depth && join(request.outDir, DEPTH_FILE);
  if (depth && depthFile) await writeDepth(depth, depthFile, disparity);
  enter('check', 1);
  return {
    files,
    notes: [...notes],
    archive,
    depthFile,
    preview,
    depthSource: depth?.source ?? null,
    comfort,
    source: whole.size,
    crop: pair ? placeInPair(crop, pair) : crop,
    pair: pair?.layout ?? null,
    times: steps.finish(),
    peakRssMb: peakMemoryMb(),
  };
}

/** Returns the formats to make. Effect 0 disables 3D: only `flat`, whatever was requested. */
function formatsOf({ effect, formats, device, calibration }: PictureRequest): readonly Format[] {
  if (!Number.isFinite(effect) || effect < 0 || effect > 100)
    throw new EngineError('conversionFailed', `effect must be 0 … 100, not ${effect}`);
  if (effect === 0) return ['flat'];
  const chosen = [...new Set(formats && formats.length > 0 ? formats : [device.format])];
  // Checked before the expensive work starts.
  if (chosen.includes('native') && !calibration)
    throw new EngineError('calibrationMissing', 'native without calibration');
  const other = chosen.includes('native') && calibration ? otherDisplay(calibration, device) : null;
  if (other !== null)
    throw new EngineError('calibrationOfOther', `the calibration is of ${other}, the device is ${device.name}`);
  return chosen;
}

/**
 * Finds both eyes of the picture, and the crop of the left one. Null if the picture is used as it is: without effect, unless
 * the member says that it is a pair; with depth that was estimated before, because it is that of the picture as it is; when it
 * is turned or bordered, because half of such a picture is none of its own; and when an eye is too small for the crop.
 */
async function findEyes(request: PictureRequest, { bytes, header, size }: OpenPicture) {
  const { effect, crop, pair: choice, fileName, name, device, depth } = request;
  const needless = effect === 0 || (depth !== undefined && isEstimated(depth));
  if (header.stereo || (needless && choice === undefined) || (crop && isEdited(crop))) return null;
  const pair = await findPair(bytes, header, { name: fileName ?? name, pair: choice }).catch(() => null);
  if (!pair) return null;
  const placed = crop
    ? cropOfLeftEye(chooseCrop(request, size), pair, device.ratio)
    : centredCrop(pair.shown, device.ratio);
  // Its place in the file is stored, from which the same crop must come out again.
  const again = cropOfLeftEye(placeInPair(placed, pair), pair, device.ratio);
  return cropProblem(again, pair.shown) === null ? { pair, crop: again } : null;
}

/**
 * Whether depth is read from the file: unless it is stored already, and again if views show what both eyes see and the
 * disparity was not stored with it.
 */
function needsMeasuring({ effect, depth, strokes }: PictureRequest, formats: readonly Format[], isKnown: boolean) {
  if (effect === 0) return false;
  return !depth || (depth.source === 'embedded' && !isKnown && !strokes?.length && hasViews(formats));
}

function hasViews(formats: readonly Format[]): boolean {
  return formats.some((format) => FORMATS[format].views !== null);
}

/** Returns the disparity at the ends of the range to which a map is stretched; null for a flat one. */
function ofRange({ far, near }: Disparity, depth: DepthMap): Disparity | null {
  const range = depthRange(depth);
  return range && { far: far + range.low * (near - far), near: far + range.high * (near - far) };
}

function subjectOf(depth: DepthMap): number {
  return depthOfSubject({ width: depth.width, height: depth.height, depth: normaliseDepth(depth) });
}

/** Returns the requested rectangle, or the largest centred one with the device's ratio. */
function chooseCrop({ crop, device }: PictureRequest, size: Size): Crop {
  const chosen = crop ?? centredCrop(size, device.ratio);
  const problem = cropProblem(chosen, size);
  const working = cutSize(chosen);
  const tooThin = Math.min(working.width, working.height) < SMALLEST_CUT;
  if (problem === null && !tooThin) return chosen;
  const text = `crop ${chosen.width} x ${chosen.height} at ${chosen.x},${chosen.y} of ${size.width} x ${size.height}`;
  if (!crop) throw new EngineError('pictureTooSmall', text);
  throw new EngineError(problem ?? 'cropTooSmall', text);
}

/** Rejects a depth map with another aspect ratio: a map of another crop would displace everything. */
function matching<D extends DepthMap>(depth: D, picture: Picture): D {
  const relative = (depth.width * picture.height) / (depth.height * picture.width);
  if (Math.abs(relative - 1) > LIMITS.depthMap.aspectPercent / 100)
    throw new EngineError('conversionFailed', `a depth map of ${depth.width} x ${depth.height} is not of this crop`);
  return depth;
}

/** Whether the depth was, or will be, estimated from the picture: measured or drawn depth is left as it is. */
function isEstimated(known: Pick<DepthMap, 'source'> | null): boolean {
  return known === null || (known.source !== 'embedded' && known.source !== 'member');
}

async function overlaysOf({ data, width, height }: Picture): Promise<Overlay[]> {
  const small = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(OVERLAY_SIDE, OVERLAY_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return findOverlays({ data: small.data, width: small.info.width, height: small.info.height });
}

/** Lays subtitles and logos into the plane of the display, in a copy of the depth. */
function flattened(depth: DepthMap, overlays: readonly Overlay[], convergence: number | undefined): DepthMap {
  const { width, height } = depth;
  const range = normaliseDepth(depth);
  const data = Float32Array.from(range, (value) => value / NEAREST);
  flattenOverlays(data, depth, overlays, convergence ?? depthOfSubject({ width, height, depth: range }));
  return { ...depth, data, ranged: true };
}

/** Applies the member's corrections to a copy of the stored depth. */
function paintedOver(depth: DepthMap, strokes: readonly Stroke[], picture: Picture): DepthMap {
  const range = Float32Array.from(normaliseDepth(depth), (value) => value / NEAREST);
  return { ...depth, data: applyStrokes(range, depth, { ...picture, channels: 3 }, strokes), ranged: true };
}

/** Relative durations, measured for a 12-megapixel photo to a Portrait quilt on two cores. */
const WEIGHT = { open: 1, cut: 8, estimate: 45, readDepth: 2, output: 40, preview: 10, end: 2 };

/** Maps the fraction of one part (0 … 1) to the fraction of the whole conversion, for consecutive parts. */
interface Plan {
  open(fraction: number): number;
  cut(fraction: number): number;
  depth(fraction: number): number;
  output(index: number, fraction: number): number;
  preview(fraction: number): number;
  end(fraction: number): number;
}

function planOf({ effect, depth, preview }: PictureRequest, formats: readonly Format[]): Plan {
  const depthWeight = effect === 0 ? 0 : depth ? WEIGHT.readDepth : WEIGHT.estimate;
  const outputs = WEIGHT.output * formats.length;
  const parts = [WEIGHT.open, WEIGHT.cut, depthWeight, outputs, preview ? WEIGHT.preview : 0, WEIGHT.end];
  const total = parts.reduce((sum, part) => sum + part, 0);
  const [open, cut, estimate, output, previewing, end] = parts.map((part, i) => {
    const before = parts.slice(0, i).reduce((sum, earlier) => sum + earlier, 0);
    return (fraction: number) => (before + part * fraction) / total;
  }) as [Span, Span, Span, Span, Span, Span];
  return {
    open,
    cut,
    depth: estimate,
    output: (index, fraction) => output((index + fraction) / formats.length),
    preview: previewing,
    end,
  };
}

type Span = (fraction: number) => number;
