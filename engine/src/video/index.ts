import { availableParallelism } from 'node:os';
import type { CallHooks, EngineCalls } from '../process/calls.ts';
import type { VideoRequest, VideoResult } from '../types.ts';
import { convertVideo } from './convert-video.ts';
import { copyVideo } from './copy-video.ts';
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
    async probe(source) {
      const { path, name } = typeof source === 'string' ? { path: source, name: '' } : source;
      return (await examineVideo(path, limits, name)).info;
    },
    async still({ path, name, seconds, outPath }) {
      const video = await examineVideo(path, limits, name);
      await writeStill(video, outPath, { crop: wholeFrame(video.pictures.shown), seconds, width: STILL_WIDTH });
    },
    async preview({ path, name, outPath, copy }, hooks) {
      const video = await examineVideo(path, limits, name);
      await (copy ? copyVideo(video, outPath, hooks) : writePreview(video, outPath, { threads, limits }, hooks));
    },
  };
}
