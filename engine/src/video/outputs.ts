import { join } from 'node:path';
import { FORMATS, type VideoFormat } from '@framelift/contract/formats';
import type { NeuralDepth } from '../depth/neural/neural-depth.ts';
import type { Rect, VideoRequest } from '../types.ts';
import { type EncoderSettings, encoderSettings } from './encode.ts';
import type { VideoLimits } from './limits.ts';
import type { Video } from './open-video.ts';
import { PairRenderer } from './pair-renderer.ts';
import { videoFormats, workingSize } from './plan-video.ts';
import { createVideoRenderer, type VideoRenderer, type VideoRendererOptions } from './renderer.ts';
import { openSegments, requestKey, type Segments } from './segments.ts';
import { SphereRenderer } from './sphere-renderer.ts';
import { clockFor } from './timestamps.ts';

export interface VideoTools {
  readonly threads: number;
  readonly modelsDir: string | undefined;
  readonly limits: VideoLimits;
  neural(): Promise<NeuralDepth | null>;
}

/** One of the formats that are made in a run. */
export interface Output {
  readonly format: VideoFormat;
  readonly segments: Segments;
  readonly renderer: VideoRenderer;
  readonly settings: EncoderSettings;
}

/**
 * Opens the outputs of a request. All have the same number of finished segments, and the depth of the first one that needs
 * any; the caller closes the renderers.
 */
export async function openOutputs(
  request: VideoRequest,
  video: Video,
  crop: Rect,
  tools: VideoTools,
): Promise<Output[]> {
  const formats = videoFormats(request);
  const { eye } = video.pictures;
  const isPair = (format: VideoFormat) => eye !== null && FORMATS[format].views === 'pair';
  const isEstimated = formats.some((format) => format !== 'flat' && !isPair(format));
  const neural = isEstimated && request.tier === 'best' ? await tools.neural() : null;
  const key = await requestKey(request, { eye, model: neural?.model.id, formats });
  const folderOf = (format: VideoFormat) => (formats.length > 1 ? join(request.workDir, format) : request.workDir);
  const open = (format: VideoFormat, most?: number) => openSegments(folderOf(format), key, most);
  const counts = await Promise.all(formats.map(async (format) => (await open(format)).finished.length));
  const finished = Math.min(...counts);

  const outputs: Output[] = [];
  const timing = { fps: video.info.fps, ticks: clockFor(video.pictures.timeBase), threads: tools.threads };
  let leader: VideoRenderer | undefined;
  try {
    for (const format of formats) {
      const segments = await open(format, finished);
      const state = await segments.rendererState();
      const options: VideoRendererOptions = {
        input: workingSize(crop),
        format,
        device: request.device,
        effect: request.effect,
        tier: request.tier,
        threads: tools.threads,
        ...(request.swapEyes === undefined ? {} : { swapEyes: request.swapEyes }),
        ...(request.anaglyph === undefined ? {} : { anaglyph: request.anaglyph }),
        ...(request.convergence === undefined ? {} : { convergence: request.convergence }),
        ...(tools.modelsDir === undefined ? {} : { modelsDir: tools.modelsDir }),
        ...(neural && { neural }),
        ...(state === null ? {} : { state }),
      };
      const flat = isPair(format) ? new PairRenderer(options) : await createVideoRenderer(options, leader);
      try {
        const renderer = format === 'vr180' ? new SphereRenderer(flat) : flat;
        outputs.push({ format, segments, renderer, settings: encoderSettings(renderer.size, format, timing) });
      } catch (error) {
        await flat.close();
        throw error;
      }
      if (format !== 'flat' && !isPair(format)) leader ??= flat;
    }
    return outputs;
  } catch (error) {
    await closeOutputs(outputs);
    throw error;
  }
}

export async function closeOutputs(outputs: readonly Output[]): Promise<void> {
  await Promise.all(outputs.map(({ renderer }) => renderer.close()));
}
