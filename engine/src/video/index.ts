import { availableParallelism } from 'node:os';
import type { CallHooks, EngineCalls } from '../process/calls.ts';
import type { VideoRequest, VideoResult } from '../types.ts';
import { convertVideo } from './convert-video.ts';
import { copyVideo } from './copy-video.ts';
import { findEyes } from './find-eyes.ts';
import { VIDEO_LIMITS, type VideoLimits } from './limits.ts';
import type { VideoTools } from './outputs.ts';
import { wholeFrame } from './plan-video.ts';
import { writePreview } from './preview.ts';
import { writeStill } from './still.ts';

export interface VideosOptions {
  readonly threads?: number | undefined;
  readonly modelsDir?: string | undefined;
  readonly limits?: Partial<VideoLimits> | undefined;
  /** Returns the neural model in use, for the tier `best`. */
  readonly neural?: VideoTools['neural'] | undefined;
}

/** Video operations. Loading this module loads FFmpeg, so it belongs in the forked process. */
export interface Videos {
  convert(request: VideoRequest, hooks?: CallHooks): Promise<VideoResult>;
  probe: EngineCalls['probeVideo'];
  still: EngineCalls['videoStill'];
  preview: EngineCalls['videoPreview'];
}

const STILL_WIDTH = 1920;

export function createVideos({
  threads = availableParallelism(),
  modelsDir,
  limits: changed,
  neural = async () => null,
}: VideosOptions): Videos {
  const limits = { ...VIDEO_LIMITS, ...changed };
  return {
    convert: (request, hooks) => convertVideo(request, { threads, modelsDir, limits, neural }, hooks),
    async probe(source) {
      const { path, ...hints } = typeof source === 'string' ? { path: source } : source;
      return (await findEyes(path, limits, hints)).info;
    },
    async still({ path, seconds, outPath, ...hints }) {
      const video = await findEyes(path, limits, hints);
      await writeStill(video, outPath, { crop: wholeFrame(video.pictures.shown), seconds, width: STILL_WIDTH });
    },
    async preview({ path, outPath, copy, ...hints }, hooks) {
      const video = await findEyes(path, limits, hints);
      await (copy ? copyVideo(video, outPath, hooks) : writePreview(video, outPath, { threads, limits }, hooks));
    },
  };
}
