import { availableParallelism } from 'node:os';
import type { CallHooks, EngineCalls } from '../process/calls.ts';
import type { VideoRequest, VideoResult } from '../types.ts';
import { convertVideo } from './convert-video.ts';
import { VIDEO_LIMITS, type VideoLimits } from './limits.ts';
import { examineVideo } from './open-video.ts';
import { wholeFrame } from './plan-video.ts';
import { writePreview } from './preview.ts';
import { writeStill } from './still.ts';

export interface VideosOptions {
  readonly threads?: number | undefined;
  readonly modelsDir?: string | undefined;
  readonly limits?: Partial<VideoLimits> | undefined;
}

/** Video operations. Loading this module loads FFmpeg, so it belongs in the forked process. */
export interface Videos {
  convert(request: VideoRequest, hooks?: CallHooks): Promise<VideoResult>;
  probe: EngineCalls['probeVideo'];
  still: EngineCalls['videoStill'];
  preview: EngineCalls['videoPreview'];
}

const STILL_WIDTH = 1920;

export function createVideos({ threads = availableParallelism(), modelsDir, limits: changed }: VideosOptions): Videos {
  const limits = { ...VIDEO_LIMITS, ...changed };
  return {
    convert: (request, hooks) => convertVideo(request, { threads, modelsDir, limits }, hooks),
    probe: async (path) => (await examineVideo(path, limits)).info,
    async still({ path, seconds, outPath }) {
      const video = await examineVideo(path, limits);
      await writeStill(video, outPath, { crop: wholeFrame(video.pictures.shown), seconds, width: STILL_WIDTH });
    },
    async preview({ path, outPath }, hooks) {
      await writePreview(await examineVideo(path, limits), outPath, { threads, limits }, hooks);
    },
  };
}
