import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { type Converter, createConverter } from '../process/converter.ts';
import { requireBuilt } from '../testing/built.ts';
import { writeVideo } from '../testing/videos.ts';
import type { DeviceProfile, VideoRequest } from '../types.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-video-process-'));
const input = join(folder, 'video.mkv');
const television = DEVICES.find(({ format }) => format === 'hsbs') as DeviceProfile;
const LIMITS = { processes: 1, memoryLimitMb: 2000, timeLimitMs: 60_000, threads: 2, log: () => {} };
let converter: Converter;
let count = 0;

beforeAll(async () => {
  requireBuilt();
  await writeVideo(input, {
    width: 96,
    height: 64,
    fps: 10,
    frames: 320,
    sound: [{ codec: 'aac', channels: 2, seconds: 32 }],
  });
  converter = createConverter(LIMITS);
});
afterAll(async () => {
  await converter.close();
  rmSync(folder, { recursive: true });
});

function request(more: Partial<VideoRequest> = {}): VideoRequest {
  const own = join(folder, String(count++));
  for (const dir of ['out', 'work']) mkdirSync(join(own, dir), { recursive: true });
  const crop = { x: 0, y: 0, width: 96, height: 64 };
  const places = { outDir: join(own, 'out'), workDir: join(own, 'work') };
  return { kind: 'video', input, device: television, effect: 0, tier: 'fast', crop, name: 'video', ...places, ...more };
}

/** Returns the conversion processes of this test process. */
function children(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === process.pid && args?.includes('convert-process') ? [Number(pid)] : [];
  });
}

test.skipIf(process.platform === 'win32')(
  '[V36] [V37] a process killed in the middle costs the segment in progress only, and the video is the same as without it',
  async () => {
    const whole = request();
    const own = createConverter(LIMITS);
    try {
      const interrupted = request();
      let killed = 0;
      const before = new Set(children());
      const run = own.convert(interrupted, {
        onProgress: () => {
          if (killed > 0 || !existsSync(join(interrupted.workDir, 'segment-00001.json'))) return;
          for (const pid of children()) {
            if (before.has(pid)) continue;
            process.kill(pid, 'SIGKILL');
            killed++;
          }
        },
      });
      await expect(run).rejects.toMatchObject({ code: 'conversionInterrupted' });
      expect(killed).toBe(1);
      expect(readdirSync(interrupted.outDir)).toEqual([]);
      const resumed = await own.convert(interrupted);
      expect(resumed.resumedSegments).toBeGreaterThanOrEqual(2);
      expect(resumed.frames).toBe(320);
      const fresh = await own.convert(whole);
      expect(fresh.resumedSegments).toBe(0);
      expect(readFileSync(resumed.file.path).equals(readFileSync(fresh.file.path))).toBe(true);
    } finally {
      await own.close();
    }
  },
);

test('[V34] videos are queued one after another, each with its own result, and a bad one stops none', async () => {
  const bad = join(folder, 'bad.mp4');
  writeFileSync(bad, 'no video at all');
  const short = join(folder, 'short.mp4');
  await writeVideo(short, { width: 96, height: 64, frames: 6 });
  let running = 0;
  let most = 0;
  const convert = async (one: VideoRequest) => {
    let begun = false;
    try {
      return await converter.convert(one, {
        onProgress: () => {
          if (!begun) most = Math.max(most, ++running);
          begun = true;
        },
      });
    } finally {
      if (begun) running--;
    }
  };
  const names = ['a', 'b', 'holiday: day 1/2', 'a'];
  const requests = names.map((name) => request({ input: short, name }));
  const results = await Promise.allSettled([...requests, request({ input: bad })].map(convert));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(results.at(-1)).toMatchObject({ reason: { code: 'notAFilm' } });
  expect(most).toBe(1);
  expect(requests.map(({ outDir }) => readdirSync(outDir).filter((name) => name.endsWith('.mp4')))).toEqual([
    ['a_flat.mp4'],
    ['b_flat.mp4'],
    ['holiday day 12_flat.mp4'],
    ['a_flat.mp4'],
  ]);
});

test('[V33] a video ten times as long takes no more memory', async () => {
  const peakOf = async (frames: number) => {
    const path = join(folder, `${frames}.mkv`);
    await writeVideo(path, {
      width: 160,
      height: 96,
      frames,
      sound: [{ codec: 'aac', channels: 1, seconds: frames / 25 }],
    });
    const own = createConverter(LIMITS);
    try {
      const crop = { x: 0, y: 0, width: 160, height: 96 };
      return (await own.convert(request({ input: path, crop }))).peakRssMb;
    } finally {
      await own.close();
    }
  };
  const short = await peakOf(300);
  const long = await peakOf(3000);
  // Retaining every frame would add more than 120 MB; the variation between runs is a fraction of that.
  expect(long - short).toBeLessThan(40);
});

test('photos and probes do not wait for a video', async () => {
  // Converting a video with depth takes many times as long as a probe, which must not wait for it.
  const cancel = new AbortController();
  let ended = false;
  const video = converter.convert(request({ effect: 50, tier: 'best' }), { signal: cancel.signal }).finally(() => {
    ended = true;
  });
  const cancelled = expect(video).rejects.toMatchObject({ code: 'conversionCancelled' });
  expect(await converter.probeVideo(input)).toMatchObject({ width: 96 });
  expect(ended).toBe(false);
  cancel.abort();
  await cancelled;
});

test('a cancelled video leaves nothing in its folder, and the next one is converted', async () => {
  const first = request();
  const cancel = new AbortController();
  const run = converter.convert(first, { signal: cancel.signal, onProgress: () => cancel.abort() });
  await expect(run).rejects.toMatchObject({ code: 'conversionCancelled' });
  expect(readdirSync(first.outDir)).toEqual([]);
  expect((await converter.convert(first)).frames).toBe(320);
});

test('a video that takes too long is ended, keeps its segments and leaves nothing else [A43]', async () => {
  const slow = request();
  const run = converter.convert(slow, { timeLimitMs: 40 });
  await expect(run).rejects.toMatchObject({ code: 'conversionTimedOut' });
  expect(readdirSync(slow.outDir)).toEqual([]);
});

test('stills and previews are made in a process too, complete or not at all', async () => {
  const { outDir } = request();
  await converter.videoStill({ path: input, seconds: 1, outPath: join(outDir, 'still.jpg') });
  await converter.videoPreview({ path: input, outPath: join(outDir, 'preview.mp4') });
  expect(await converter.probeVideo(join(outDir, 'preview.mp4'))).toMatchObject({ playable: true, frames: 320 });
  const bad = join(folder, 'text.mp4');
  writeFileSync(bad, 'text');
  await expect(converter.videoPreview({ path: bad, outPath: join(outDir, 'bad.mp4') })).rejects.toMatchObject({
    code: 'notAFilm',
  });
  await expect(converter.videoStill({ path: bad, seconds: 1, outPath: join(outDir, 'bad.jpg') })).rejects.toMatchObject(
    { code: 'notAFilm' },
  );
  expect(readdirSync(outDir).sort()).toEqual(['preview.mp4', 'still.jpg']);
});
