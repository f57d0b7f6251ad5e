import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type api, MEDIA_TYPE, type SentInputOf } from '@framelift/contract';
import { type TestVideo, writeVideo } from '@framelift/engine/testing/videos';
import { systemIds } from '../platform/system.ts';
import type { TestApp } from './app.ts';
import { frame } from './uploads.ts';

/** Returns the bytes of a small video with sound. `ending` is the extension of the container. */
export async function smallVideo(
  ending: 'mp4' | 'mov' | 'mkv' | 'webm' | 'avi' = 'mp4',
  video: TestVideo = {},
): Promise<Buffer> {
  const path = join(tmpdir(), `framelift-video-${systemIds.uuid()}.${ending}`);
  try {
    await writeVideo(path, { width: 160, height: 120, frames: 25, ...video });
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns upload options for a video, for a device whose videos convert quickly. */
export async function videoSettings(
  client: ReturnType<TestApp['client']>,
  name: string,
  { size, effect = 100 }: { readonly size: number; readonly effect?: number },
): Promise<Partial<SentInputOf<typeof api.requestUploadMedia>>> {
  const { device, strength } = await frame(client, '3D projector (half side by side)', '0');
  return {
    originalDetails: { name, size, type: '' },
    media_type: MEDIA_TYPE.video,
    deviceType: device.id,
    effect_param_id: effect === 0 ? 0 : strength(effect),
  };
}
