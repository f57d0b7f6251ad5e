import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_PKT_DATA_STEREO3D,
} from 'node-av/constants';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { ffprobe, tool } from '../testing/tools.ts';
import { drawMoving, type TestVideo, writeVideo } from '../testing/videos.ts';
import type { DeviceProfile, Progress, VideoRequest, VideoResult } from '../types.ts';
import { uprightFrames } from './frames.ts';
import { createVideos, type Videos } from './index.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo, openFormat } from './open-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-convert-video-'));
const videos: Videos = createVideos({ threads: 2 });
beforeAll(requireBuilt);
afterAll(() => rmSync(folder, { recursive: true }));

const television = DEVICES.find(({ format }) => format === 'hsbs') as DeviceProfile;
let count = 0;

/** Prepares a request with its own folders; without an effect, the video stays flat. */
async function prepare(video: TestVideo, ending: string, more: Partial<VideoRequest> = {}): Promise<VideoRequest> {
  const own = join(folder, String(count++));
  for (const dir of ['out', 'work']) mkdirSync(join(own, dir), { recursive: true });
  const input = join(own, `video.${ending}`);
  await writeVideo(input, video);
  const { width, height } = await videos.probe(input);
  const request = {
    kind: 'video',
    input,
    device: television,
    effect: 0,
    tier: 'fast',
    name: 'my video',
    ...more,
  } as const;
  return { crop: { x: 0, y: 0, width, height }, outDir: join(own, 'out'), workDir: join(own, 'work'), ...request };
}

async function convert(video: TestVideo, ending: string, more: Partial<VideoRequest> = {}): Promise<VideoResult> {
  return videos.convert(await prepare(video, ending, more));
}

interface Times {
  readonly pts: number[];
  readonly seconds: number[];
}

/** Returns the frame times in presentation order. */
function frameTimes(path: string, track = 'v:0'): Times {
  const probed = ffprobe(path, ['-select_streams', track, '-show_entries', 'packet=pts,pts_time']) as unknown as {
    packets: { pts: number; pts_time: string }[];
  };
  const sorted = [...probed.packets].sort((a, b) => a.pts - b.pts);
  return { pts: sorted.map(({ pts }) => pts), seconds: sorted.map(({ pts_time }) => Number(pts_time)) };
}

function stream(path: string, kind: string, index = 0) {
  const found = ffprobe(path).streams.filter(({ codec_type }) => codec_type === kind)[index];
  if (!found) throw new Error(`no ${kind} ${index}`);
  return found;
}

const noProbe = tool('ffprobe') === null;

test.skipIf(noProbe)(
  'a video becomes H.264 in an MP4 whose index comes first, with a cover, and reports its frames',
  async () => {
    const request = await prepare({ sound: [{ codec: 'aac', channels: 2, seconds: 2 }] }, 'mp4');
    const told: Progress[] = [];
    const result = await videos.convert(request, { onProgress: (progress) => told.push(progress) });
    expect(result).toMatchObject({
      frames: 50,
      seconds: 2,
      source: { width: 160, height: 90 },
      notes: [],
      resumedSegments: 0,
    });
    expect(result.file).toMatchObject({
      format: 'flat',
      name: 'my video_flat.mp4',
      type: 'video/mp4',
      width: 160,
      height: 90,
    });
    expect(readdirSync(request.outDir).sort()).toEqual(['my video_cover.jpg', 'my video_flat.mp4']);
    const bytes = readFileSync(result.file.path);
    expect(bytes.length).toBe(result.file.bytes);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect(stream(result.file.path, 'video')).toMatchObject({
      codec_name: 'h264',
      pix_fmt: 'yuv420p',
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
      color_range: 'tv',
      nb_frames: '50',
    });
    expect((await sharp(result.cover).metadata()).format).toBe('jpeg');
    expect(told.at(-1)).toMatchObject({ step: 'check', fraction: 1, video: { frame: 50, frames: 50 } });
    for (const [i, { fraction }] of told.entries())
      if (i > 0) expect(fraction).toBeGreaterThanOrEqual((told[i - 1] as Progress).fraction);
  },
);

test.skipIf(noProbe)('[V3] HLG from a phone keeps no tag of HDR', async () => {
  const tags = { matrix: 9, primaries: 9, transfer: 18 };
  const { file } = await convert({ codec: 'libx265', pixelFormat: 'yuv420p10le', tags, frames: 5 }, 'mov');
  expect(stream(file.path, 'video')).toMatchObject({
    pix_fmt: 'yuv420p',
    color_space: 'bt709',
    color_transfer: 'bt709',
    color_primaries: 'bt709',
  });
});

test.skipIf(noProbe)(
  '[V6] six channels stay six: AAC is copied, other sound is encoded, of the same length',
  async () => {
    const sound = [
      { codec: 'aac', channels: 6, seconds: 2 },
      { codec: 'ac3', channels: 6, seconds: 2 },
    ] as const;
    const request = await prepare({ sound }, 'mkv');
    const { file } = await videos.convert(request);
    for (const track of [0, 1]) {
      expect(stream(file.path, 'audio', track)).toMatchObject({ codec_name: 'aac', channels: 6 });
      expect(Math.abs(Number(stream(file.path, 'audio', track)['duration']) - 2)).toBeLessThan(0.02);
    }
    const packets = (path: string) =>
      (
        ffprobe(path, ['-select_streams', 'a:0', '-show_entries', 'packet=size']) as unknown as {
          packets: { size: string }[];
        }
      ).packets.map(({ size }) => size);
    expect(packets(file.path)).toEqual(packets(request.input));
  },
);

test.skipIf(noProbe)('sound of an AVI and of a camera (MP3, PCM) becomes AAC with its channels', async () => {
  const avi = await convert(
    { codec: 'mpeg4', sound: [{ codec: 'libmp3lame', channels: 2, seconds: 2, rate: 44_100 }] },
    'avi',
  );
  expect(stream(avi.file.path, 'audio')).toMatchObject({ codec_name: 'aac', channels: 2, sample_rate: '44100' });
  expect(Math.abs(Number(stream(avi.file.path, 'audio')['duration']) - 2)).toBeLessThan(0.06);
  const mov = await convert({ sound: [{ codec: 'pcm_s16le', channels: 1, seconds: 2 }] }, 'mov');
  expect(stream(mov.file.path, 'audio')).toMatchObject({ codec_name: 'aac', channels: 1 });
  expect(Math.abs(Number(stream(mov.file.path, 'audio')['duration']) - 2)).toBeLessThan(0.02);
});

/** Returns the strength of each test tone in each channel of an audio track, see `writeVideo`. */
function tonesOf(path: string, channels: number, tones: number): number[][] {
  const args = ['-v', 'error', '-i', path, '-map', 'a:0', '-f', 'f32le', '-ac', String(channels), '-'];
  const bytes = execFileSync(tool('ffmpeg') as string, args, { maxBuffer: 64e6 });
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  const [from, count] = [8000, 24_000];
  return Array.from({ length: channels }, (_, c) =>
    Array.from({ length: tones }, (_, tone) => {
      let [sin, cos] = [0, 0];
      for (let i = from; i < from + count; i++) {
        const angle = (2 * Math.PI * 220 * (tone + 1) * i) / 48_000;
        sin += (samples[i * channels + c] as number) * Math.sin(angle);
        cos += (samples[i * channels + c] as number) * Math.cos(angle);
      }
      return (2 * Math.hypot(sin, cos)) / count;
    }),
  );
}

test.skipIf(noProbe)('every channel stays in its place or is mixed to stereo, and none is lost [W10]', async () => {
  const cases: [layout: string, sides: string][] = [
    ['quad', 'LRLR'],
    ['2.1', 'LRC'],
    ['3.1', 'LRCC'],
    ['4.1', 'LRCCC'],
    ['5.0(side)', ''],
    ['5.1(side)', ''],
    ['6.0', 'LRCCLR'],
    ['hexagonal', 'LRCLRC'],
    ['7.1', ''],
    ['octagonal', 'LRCLRCLR'],
  ];
  for (const [layout, sides] of cases) {
    const channels = sides.length || (layout === '7.1' ? 8 : Number(layout[0]) + Number(layout[2]));
    const sound = [{ codec: 'pcm_s16le', channels, seconds: 0.8, layout }] as const;
    const { file, notes } = await convert({ frames: 10, sound }, 'mov');
    expect([layout, notes, stream(file.path, 'audio')['channels']]).toEqual([layout, [], sides ? 2 : channels]);
    const tones = tonesOf(file.path, sides ? 2 : channels, channels);
    for (let tone = 0; tone < channels; tone++) {
      // Of the channel for effects AAC keeps only what is lower than these tones.
      if (!sides && tone === 3 && channels > 5) continue;
      for (const [c, strengths] of tones.entries()) {
        const heard = sides ? sides[tone] === 'C' || sides[tone] === 'LR'[c] : tone === c;
        const what = `tone ${tone} of ${layout} in channel ${c}`;
        if (heard) expect(strengths[tone], what).toBeGreaterThan(0.02);
        else expect(strengths[tone], what).toBeLessThan(0.005);
      }
    }
  }
});

test.skipIf(noProbe)(
  'languages, titles and roles of sound and subtitles stay; nothing becomes default [W11] [T7]',
  async () => {
    const tone = { codec: 'ac3', channels: 1, seconds: 0.4 } as const;
    const sound = [
      { ...tone, metadata: { language: 'eng', title: 'Original' }, disposition: 0 },
      { ...tone, metadata: { language: 'ger' }, disposition: AV_DISPOSITION_DEFAULT },
      {
        ...tone,
        codec: 'aac',
        metadata: { language: 'eng', title: 'Commentary' },
        disposition: AV_DISPOSITION_COMMENT,
      },
    ] as const;
    const subtitles = [{ from: 0, to: 0.3, text: 'Hello' }];
    for (const [ending, forced] of [
      ['mkv', 0],
      ['mkv', AV_DISPOSITION_FORCED],
      ['mkv', AV_DISPOSITION_DEFAULT],
    ] as const) {
      const labels = { metadata: { language: 'fra', title: 'Songs' }, disposition: forced };
      const { file } = await convert({ frames: 10, sound, subtitles, subtitleTrack: labels }, ending);
      // Again from the MP4, as when somebody uploads a result.
      const again = await convertFile(file.path);
      for (const path of [file.path, again.file.path]) {
        const seen = ffprobe(path).streams.filter(({ codec_type }) => codec_type !== 'video') as unknown as {
          tags: Record<string, string>;
          disposition: Record<string, number>;
        }[];
        expect(seen.map(({ tags }) => [tags['language'], tags['handler_name']])).toEqual([
          ['eng', 'Original'],
          ['ger', 'SoundHandler'],
          ['eng', 'Commentary'],
          ['fra', 'Songs'],
        ]);
        const roles = seen.map(({ disposition: { default: own, comment, forced } }) => [own, comment, forced]);
        expect(roles).toEqual([
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [Number(forced === AV_DISPOSITION_DEFAULT), 0, Number(forced === AV_DISPOSITION_FORCED)],
        ]);
      }
    }
  },
);

/** Converts a file that exists. */
async function convertFile(input: string): Promise<VideoResult> {
  const { width, height } = await videos.probe(input);
  const crop = { x: 0, y: 0, width, height };
  const request = { kind: 'video', input, device: television, effect: 0, tier: 'fast', name: 'again', crop } as const;
  return videos.convert({ ...request, ...(await otherFolders()) });
}

/** Returns when each text of a track of subtitles is shown, without the gaps. */
function textsOf(path: string): { from: number; to: number; text: string }[] {
  const args = ['-select_streams', 's:0', '-show_entries', 'packet=pts_time,duration_time,data', '-show_data'];
  const { packets } = ffprobe(path, args) as unknown as {
    packets: { pts_time: string; duration_time?: string; data: string }[];
  };
  return packets.flatMap(({ pts_time, duration_time = '0', data }) => {
    const hex = [...data.matchAll(/^[0-9a-f]{8}: ([0-9a-f ]+?) {2}/gm)]
      .map(([, row]) => row?.replaceAll(' ', ''))
      .join('');
    const text = Buffer.from(hex, 'hex').subarray(2).toString('utf8');
    const from = Number(pts_time);
    return text === '' ? [] : [{ from, to: Math.round(1000 * (from + Number(duration_time))) / 1000, text }];
  });
}

test.skipIf(noProbe)(
  'ASS shows its texts at their times: no drawings, and lines that overlap together [W12]',
  async () => {
    const line = (text: string, order = 0) => `${order},0,Default,,0,0,0,,${text}`;
    const subtitles = [
      { from: 0, to: 1.9, text: line('{\\p1}m 0 0 l 100 0 100 100{\\p0}') },
      { from: 0.2, to: 1, text: line('{\\an8\\pos(10,20)}Upper, {\\i1}first{\\i0}\\Nline', 1) },
      { from: 0.6, to: 1.4, text: line('{\\p2}m 0 0 s{\\p0}Lower{\\p1}b 1 2 3', 2) },
      { from: 1.6, to: 1.8, text: line('Alone', 3) },
      { from: 1.6, to: 1.8, text: line('{\\blur3}Alone', 4) },
    ];
    const { file } = await convert({ subtitles, subtitleTrack: { ass: true } }, 'mkv');
    expect(textsOf(file.path)).toEqual([
      { from: 0.2, to: 0.6, text: 'Upper, first\nline' },
      { from: 0.6, to: 1, text: 'Upper, first\nline\nLower' },
      { from: 1, to: 1.4, text: 'Lower' },
      { from: 1.6, to: 1.8, text: 'Alone' },
    ]);
    const plain = [
      { from: 0.2, to: 1, text: 'One' },
      { from: 0.5, to: 0.8, text: 'Two' },
    ];
    expect(textsOf((await convert({ subtitles: plain }, 'mkv')).file.path).map(({ text }) => text)).toEqual([
      'One',
      'One\nTwo',
      'One',
    ]);
  },
);

test('attached fonts and many subtitles do not count towards the limit of tracks [W13]', async () => {
  const subtitles = [{ from: 0, to: 0.1, text: 'x' }];
  const { notes, file } = await convert({ frames: 5, subtitles, subtitleTracks: 18, fonts: 60 }, 'mkv');
  expect(notes).toEqual([]);
  expect((await examineVideo(file.path, VIDEO_LIMITS)).subtitles).toHaveLength(18);
});

test.skipIf(noProbe)('[V7] text subtitles stay as text', async () => {
  const subtitles = [
    { from: 0.2, to: 0.8, text: 'Good <i>morning</i>' },
    { from: 1, to: 1.6, text: 'Ω ≠ 1' },
  ];
  const { file, notes } = await convert({ subtitles }, 'mkv');
  expect(notes).toEqual([]);
  expect(stream(file.path, 'subtitle')).toMatchObject({ codec_name: 'mov_text' });
  const { seconds } = frameTimes(file.path, 's:0');
  expect(seconds).toContain(0.2);
  expect(seconds).toContain(1);
  const bytes = readFileSync(file.path);
  expect(bytes.includes('Good morning')).toBe(true);
  expect(bytes.includes('Ω ≠ 1')).toBe(true);
});

test('subtitles that are pictures and sound that cannot be read stay behind, and people are told', async () => {
  const request = await prepare(
    { frames: 5, subtitles: [{ from: 0, to: 0.1, text: 'x' }], sound: [{ codec: 'ac3', channels: 1, seconds: 0.2 }] },
    'mkv',
  );
  const bytes = readFileSync(request.input);
  bytes.write('S_HDMV/PGS\0', bytes.indexOf('S_TEXT/UTF8'), 'latin1');
  bytes.write('A_ZZZ', bytes.indexOf('A_AC3'), 'latin1');
  writeFileSync(request.input, bytes);
  const { notes, file } = await videos.convert(request);
  expect([...notes].sort()).toEqual(['soundLeftOut', 'subtitlesLeftOut']);
  expect(await videos.probe(file.path)).toMatchObject({ audio: [], frames: 5 });
});

test.skipIf(noProbe)('[V10] uneven times stay, and sound and pictures end together', async () => {
  // A phone video: 30 frames per second, slower in the dark, with a pause.
  const of = (i: number) => i * 33 + (i > 20 ? (i - 20) * 17 : 0) + (i > 40 ? 400 : 0);
  const seconds = (of(59) + 50) / 1000;
  const request = await prepare(
    { frames: 60, times: { ticks: 1000, of }, sound: [{ codec: 'pcm_s16le', channels: 2, seconds }] },
    'mkv',
  );
  const { file, frames } = await videos.convert(request);
  expect(frames).toBe(60);
  const times = frameTimes(file.path);
  expect(times.seconds.map((time) => Math.round(time * 1000))).toEqual(Array.from({ length: 60 }, (_, i) => of(i)));
  // The frames at the end last 50 ms.
  const sound = stream(file.path, 'audio');
  const pictures = stream(file.path, 'video');
  expect(Math.abs(Number(sound['duration']) - Number(pictures['duration']))).toBeLessThan(0.05);
  expect(Number(sound['start_time'])).toBeCloseTo(Number(pictures['start_time']), 2);
});

test('a picture that stays at the end is shown as long as the video lasts, and as long as its sound [W4]', async () => {
  const ends = async (video: TestVideo, ending: string) => {
    const { file, seconds, notes } = await convert({ frames: 10, ...video }, ending);
    const preview = join(file.path, '..', 'preview.mp4');
    await videos.preview({ path: file.path, outPath: preview });
    return [seconds, (await videos.probe(preview)).seconds, notes];
  };
  const options = { bf: 0 };
  for (const ending of ['mp4', 'mov', 'mkv'])
    expect([ending, ...(await ends({ lastSeconds: 5, options }, ending))]).toEqual([ending, 5.36, 5.36, []]);
  for (const ending of ['mp4', 'mkv', 'avi']) {
    const sound = [{ codec: 'libmp3lame', channels: 1, seconds: 3 }] as const;
    const [seconds, shown, notes] = await ends({ sound, codec: 'mpeg4' }, ending);
    expect([ending, notes]).toEqual([ending, []]);
    expect(Math.abs((seconds as number) - 3)).toBeLessThan(0.1);
    expect(shown).toBeCloseTo(seconds as number, 1);
  }
});

test.skipIf(noProbe)('the last picture lasts as long as the sound in the track of pictures too [W4]', async () => {
  const { file } = await convert({ frames: 12, sound: [{ codec: 'aac', channels: 1, seconds: 3 }] }, 'mp4');
  expect(Math.abs(Number(stream(file.path, 'video')['duration']) - 3)).toBeLessThan(0.1);
});

test.skipIf(noProbe)('[V11] equal and doubled times of a 60 fps video come out rising and even', async () => {
  // Every tenth frame has the time of the previous one, and the next one is late.
  const of = (i: number) => Math.round(((i % 10 === 9 ? i - 1 : i) * 1000) / 60);
  const request = await prepare(
    { frames: 60, fps: 60, codec: 'mjpeg', pixelFormat: 'yuvj420p', times: { ticks: 1000, of } },
    'mkv',
  );
  const { file, frames } = await videos.convert(request);
  expect(frames).toBe(60);
  const { seconds } = frameTimes(file.path);
  const steps = seconds.slice(1).map((time, i) => time - (seconds[i] as number));
  const median = [...steps].sort((a, b) => a - b)[steps.length / 2 - 0.5] as number;
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(Math.max(...steps)).toBeLessThan(1.5 * median);
});

test.skipIf(noProbe)('[V12] as many frames come out as the decoder gives', async () => {
  const request = await prepare({ frames: 43, times: { ticks: 600, of: (i) => i * 20 + (i % 7) * 2 } }, 'mov');
  const decoded = (path: string) => Number(stream(path, 'video')['nb_read_frames'] ?? countDecoded(path));
  const countDecoded = (path: string) =>
    Number(ffprobe(path, ['-count_frames', '-select_streams', 'v']).streams[0]?.['nb_read_frames']);
  const { file, frames } = await videos.convert(request);
  expect(frames).toBe(decoded(request.input));
  expect(decoded(file.path)).toBe(frames);
});

test.skipIf(noProbe)(
  '[V13] a portrait video comes out upright, without a matrix that would turn it again',
  async () => {
    const { file, source } = await convert({ matrix: [0, 1, -1, 0], width: 192, height: 108, frames: 5 }, 'mov');
    expect(source).toEqual({ width: 108, height: 192 });
    const video = stream(file.path, 'video');
    expect([video['width'], video['height']]).toEqual([108, 192]);
    expect(video['side_data_list'] ?? []).toEqual([]);
  },
);

test.skipIf(noProbe)('[V8] in the middle of a video of several segments sound and pictures lie together', async () => {
  const sound = [{ codec: 'libmp3lame', channels: 2, seconds: 25 }] as const;
  const { file } = await convert({ width: 96, height: 64, fps: 10, frames: 250, sound }, 'mkv');
  const { packets } = ffprobe(file.path, ['-show_entries', 'packet=codec_type,pts_time,pos,flags']) as unknown as {
    packets: { codec_type: string; pts_time: string; pos: string; flags: string }[];
  };
  // Packets that are close in time are close in the file, everywhere.
  const near = (seconds: number) => packets.filter(({ pts_time }) => Math.abs(Number(pts_time) - seconds) < 0.3);
  const places = near(12.5).map(({ pos }) => Number(pos));
  expect(new Set(near(12.5).map(({ codec_type }) => codec_type))).toEqual(new Set(['audio', 'video']));
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(file.bytes / 8);
  const keys = packets.filter(({ codec_type, flags }) => codec_type === 'video' && flags.startsWith('K'));
  expect(keys.some(({ pts_time }) => Number(pts_time) > 10 && Number(pts_time) <= 12.5)).toBe(true);
});

test.skipIf(noProbe)('a video of several segments is one video: every frame, in even time', async () => {
  const { file, frames } = await convert({ width: 96, height: 64, fps: 10, frames: 250 }, 'mkv');
  expect(frames).toBe(250);
  const { seconds } = frameTimes(file.path);
  expect(seconds).toEqual(Array.from({ length: 250 }, (_, i) => i / 10));
  const { packets } = ffprobe(file.path, ['-select_streams', 'v', '-show_entries', 'packet=dts']) as unknown as {
    packets: { dts: number }[];
  };
  for (const [i, { dts }] of packets.entries())
    if (i > 0) expect(dts).toBeGreaterThan((packets[i - 1] as { dts: number }).dts);
});

test('a device gets its own format: a pair for a television, with sound', async () => {
  const request = await prepare(
    { width: 256, height: 144, frames: 8, sound: [{ codec: 'aac', channels: 2, seconds: 0.32 }] },
    'mp4',
  );
  const result = await videos.convert({ ...request, effect: 100 });
  expect(result.file).toMatchObject({ format: 'hsbs', name: 'my video_LR.mp4' });
  expect(result.depthSource).toBe('basic');
  expect(result.comfort?.largestDisparityPercent).toBeGreaterThan(0);
});

test('a crop outside the video or too small is refused with its reason, and a video that is too small, too', async () => {
  const request = await prepare({ frames: 3 }, 'mp4');
  const code = (more: Partial<VideoRequest>) =>
    videos.convert({ ...request, ...more }).then(
      () => 'made',
      (error) => error.code,
    );
  expect(await code({ crop: { x: 100, y: 0, width: 100, height: 90 } })).toBe('cropOutsidePicture');
  expect(await code({ crop: { x: 0, y: 0, width: 60, height: 60 } })).toBe('cropTooSmall');
  const tiny = await prepare({ width: 64, height: 48, frames: 3 }, 'mp4');
  const { crop: _, ...uncut } = tiny;
  expect(await videos.convert(uncut).catch((error) => error.code)).toBe('filmTooSmall');
  expect(readdirSync(request.outDir)).toEqual([]);
});

test('a video cut off in the middle is converted as far as it goes, and says so; one without a frame is damaged', async () => {
  const whole = await prepare({ codec: 'mjpeg', pixelFormat: 'yuvj420p', frames: 40 }, 'avi');
  truncateSync(whole.input, readFileSync(whole.input).length / 2);
  const { frames } = await videos.convert(whole);
  expect(frames).toBeGreaterThan(5);
  expect(frames).toBeLessThan(40);
  const lost = await prepare({ frames: 20 }, 'mkv');
  const bytes = readFileSync(lost.input);
  bytes.fill(0x5a, 700);
  writeFileSync(lost.input, bytes);
  expect(await videos.convert(lost).catch((error) => error.code)).toBe('filmDamaged');
});

test('a video of which a single frame is left is damaged, not a failure of ours', async () => {
  const request = await prepare({ codec: 'mjpeg', pixelFormat: 'yuvj420p', frames: 10 }, 'avi');
  const bytes = readFileSync(request.input);
  const first = bytes.indexOf('00dc', bytes.indexOf('movi'));
  const end = bytes.indexOf('idx1');
  for (let at = bytes.indexOf('00dc', first + 4); at >= 0 && at < end; at = bytes.indexOf('00dc', at + 4))
    bytes.fill(0, at + 8, at + 8 + bytes.readUInt32LE(at + 4));
  writeFileSync(request.input, bytes);
  await expect(videos.convert(request)).rejects.toMatchObject({
    code: 'filmDamaged',
    message: 'a single frame could be decoded',
  });
});

test('a file that is cut short names the seconds found and promised; one that is only still at the end does not [W5]', async () => {
  const draw = (frame: number, { width, height }: { width: number; height: number }) =>
    Uint8Array.from({ length: width * height * 3 }, (_, i) => ((i * 7919) >> 3) + frame * 31);
  const video = { frames: 50, draw, sound: [{ codec: 'libmp3lame', channels: 1, seconds: 2 }] } as const;
  const notesOf = async (ending: string, change: (bytes: Buffer) => Buffer) => {
    const options = ending === 'avi' ? { codec: 'mpeg4' as const } : {};
    const request = await prepare({ ...video, ...options }, ending, { effect: 0 });
    const written = ending === 'mp4' ? indexFirst(request.input) : readFileSync(request.input);
    writeFileSync(request.input, change(written));
    const { notes, frames } = await videos.convert(request);
    return { notes, found: frames / 25 };
  };
  for (const ending of ['mp4', 'mkv', 'avi']) {
    const { notes, found } = await notesOf(ending, (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    expect(found).toBeLessThan(1.6);
    const cut = notes.find((note) => typeof note === 'object');
    expect([ending, cut]).toEqual([
      ending,
      { code: 'filmCutShort', seconds: expect.any(Number), promised: expect.any(Number) },
    ]);
    expect(Math.abs((cut?.seconds ?? 0) - found)).toBeLessThan(0.1);
    expect(Math.abs((cut?.promised ?? 0) - 2)).toBeLessThan(0.1);
    expect(await notesOf(ending, (bytes) => bytes)).toEqual({ notes: [], found: 2 });
  }
  // A download that reserved its space, of which the end never arrived.
  const { notes } = await notesOf('mkv', (bytes) => bytes.fill(0, Math.floor(bytes.length * 0.6)));
  expect(notes).toContainEqual(expect.objectContaining({ code: 'filmCutShort' }));
});

/** Returns an MP4 with its index before its data, as most downloads have it. */
function indexFirst(path: string): Buffer {
  const bytes = readFileSync(path);
  const boxes: { kind: string; bytes: Buffer }[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const size = bytes.readUInt32BE(at);
    boxes.push({ kind: bytes.toString('latin1', at + 4, at + 8), bytes: bytes.subarray(at, at + size) });
  }
  const index = boxes.find(({ kind }) => kind === 'moov')?.bytes as Buffer;
  for (let at = index.indexOf('stco'); at >= 0; at = index.indexOf('stco', at + 4))
    for (let i = 0; i < index.readUInt32BE(at + 8); i++) {
      const place = at + 12 + 4 * i;
      index.writeUInt32BE(index.readUInt32BE(place) + index.length, place);
    }
  const [first, ...others] = boxes.filter(({ kind }) => kind !== 'moov');
  return Buffer.concat([first?.bytes as Buffer, index, ...others.map((box) => box.bytes)]);
}

test('whatever cannot be read of a video is said of the video: its header, its middle, its missing pictures', async () => {
  const sound = [{ codec: 'aac', channels: 2, seconds: 1 }] as const;
  const codes: string[] = [];
  for (const ending of ['mp4', 'mov', 'mkv', 'avi']) {
    const request = await prepare({ frames: 20, sound }, ending);
    const whole = readFileSync(request.input);
    const codeOf = async (bytes: Uint8Array) => {
      writeFileSync(request.input, bytes);
      return videos.convert(request).then(
        () => 'made',
        (error) => String(error.code),
      );
    };
    const badHeader = Buffer.from(whole);
    // After the first bytes, which identify the file type.
    badHeader.fill(0xa5, 64, Math.floor(whole.length * 0.98));
    codes.push(await codeOf(badHeader));
    const middle = await codeOf(whole.subarray(0, whole.length / 2));
    // Some are read as far as possible; the index of an MP4 is at its end.
    if (middle !== 'made') codes.push(middle);
    await writeVideo(request.input.replace('video.', 'song.'), { sound, soundOnly: true });
    codes.push(await codeOf(readFileSync(request.input.replace('video.', 'song.'))));
  }
  expect(new Set(codes)).toEqual(new Set(['filmDamaged', 'filmWithoutPictures']));
});

test('a video that ends being readable after it was looked at is damaged, not a failure of ours', async () => {
  const request = await prepare({ frames: 20 }, 'avi');
  const video = await examineVideo(request.input, VIDEO_LIMITS);
  // Another codec than the one probed at first: no frame can be decoded.
  const bytes = readFileSync(request.input);
  for (let at = bytes.indexOf('H264'); at >= 0; at = bytes.indexOf('H264', at + 4)) bytes.write('HFYU', at);
  writeFileSync(request.input, bytes);
  const frames = uprightFrames(
    video,
    {
      crop: { x: 0, y: 0, ...video.pictures.shown },
      size: video.pictures.shown,
      pixels: 'yuv420',
      threads: 1,
      tempFile: '',
      maxSeconds: 60,
    },
    { packets: 0 },
  );
  await expect(frames.next()).rejects.toMatchObject({ code: 'filmDamaged' });
});

test('sound whose times make no sense costs the sound, not the video', async () => {
  const request = await prepare({ sound: [{ codec: 'aac', channels: 2, seconds: 2 }] }, 'mp4');
  const bytes = readFileSync(request.input);
  // The duration table (stts) of the last track, whose entries are packet counts and ticks per packet.
  const table = bytes.lastIndexOf('stts') + 8;
  bytes.writeUInt32BE(0xfe000000, table + 8 * bytes.readUInt32BE(table));
  writeFileSync(request.input, bytes);
  const { frames, notes } = await videos.convert(request);
  expect(frames).toBe(50);
  expect(notes).toContain('soundDamaged');
});

test('a header that lies about the length does not get past the limit', async () => {
  const strict = createVideos({ threads: 1, limits: { maxSeconds: 1.5 } });
  const request = await prepare({ frames: 50 }, 'mkv');
  const bytes = readFileSync(request.input);
  // Duration, element 0x4489, a float of eight bytes: now 100 ms.
  const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  bytes.writeDoubleBE(100, at + 3);
  writeFileSync(request.input, bytes);
  expect(await strict.convert(request).catch((error) => error.code)).toBe('filmTooLong');
});

/** Cancels a conversion as soon as it has finished a segment. */
async function interrupt(request: VideoRequest): Promise<void> {
  const cancel = new AbortController();
  const cancelled = videos.convert(request, {
    signal: cancel.signal,
    onProgress: () => {
      if (existsSync(join(request.workDir, 'segment-00000.json'))) cancel.abort();
    },
  });
  await expect(cancelled).rejects.toMatchObject({ code: 'conversionCancelled' });
}

test('a cancelled video says so at once, and goes on after its last finished segment', async () => {
  const request = await prepare({ width: 96, height: 64, fps: 10, frames: 250 }, 'mkv');
  await interrupt(request);
  const resumed = await videos.convert(request);
  expect(resumed.resumedSegments).toBeGreaterThanOrEqual(1);
  const fresh = await videos.convert({ ...request, ...(await otherFolders()) });
  expect(fresh.resumedSegments).toBe(0);
  expect(readFileSync(resumed.file.path).equals(readFileSync(fresh.file.path))).toBe(true);
});

test('a rendered video goes on after an interruption as if nothing had happened', async () => {
  // Two segments of a video with few frames.
  const request = await prepare({ width: 160, height: 96, fps: 2, frames: 24 }, 'mkv', { effect: 100, format: 'hsbs' });
  await interrupt(request);
  const resumed = await videos.convert(request);
  expect(resumed.resumedSegments).toBeGreaterThanOrEqual(1);
  const fresh = await videos.convert({ ...request, ...(await otherFolders()) });
  expect(readFileSync(resumed.file.path).equals(readFileSync(fresh.file.path))).toBe(true);
});

test('segments of another request, another video or cut off on the disk are not taken', async () => {
  const request = await prepare({ width: 96, height: 64, fps: 10, frames: 120 }, 'mkv');
  await videos.convert(request);
  const again = async (more: Partial<VideoRequest>) =>
    (await videos.convert({ ...request, ...more, outDir: (await otherFolders()).outDir })).resumedSegments;
  expect(await again({})).toBe(2);
  truncateSync(join(request.workDir, 'segment-00001.json'), 40);
  expect(await again({})).toBe(1);
  expect(await again({ crop: { x: 0, y: 0, width: 80, height: 64 } })).toBe(0);
  expect(await again({})).toBe(0);
  await writeVideo(request.input, {
    width: 96,
    height: 64,
    fps: 10,
    frames: 120,
    draw: (i, size) => drawMoving(i + 7, size),
  });
  expect(await again({})).toBe(0);
});

async function otherFolders() {
  const own = join(folder, String(count++));
  for (const dir of ['out', 'work']) mkdirSync(join(own, dir), { recursive: true });
  return { outDir: join(own, 'out'), workDir: join(own, 'work') };
}

test('a still is the frame at its time, upright; past the end it is the last one; the video is upright too [A42]', async () => {
  const draw = (frame: number, { width, height }: { width: number; height: number }) =>
    new Uint8Array(width * height * 3).fill(frame * 10);
  const request = await prepare({ frames: 20, fps: 10, draw, matrix: [0, 1, -1, 0] }, 'mov');
  for (const [seconds, grey] of [
    [0, 0],
    [1.2, 120],
    [50, 190],
  ] as const) {
    const path = join(request.outDir, 'still.jpg');
    await videos.still({ path: request.input, seconds, outPath: path });
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([90, 160]);
    expect(Math.abs((data[4000] as number) - grey)).toBeLessThan(5);
  }
  const { file } = await videos.convert(request);
  expect(file).toMatchObject({ width: 90, height: 160 });
  expect(await videos.probe(file.path)).toMatchObject({ width: 90, height: 160, rotation: 0 });
});

/** Draws a scene of random patches, and a second one next to it or below it; `shift` moves the near square of one eye. */
function scene(seed: number, shift: number, { width, height }: { width: number; height: number }): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const patch = (x: number, y: number) => {
    const h = Math.imul((x >> 3) * 73_856_093 + (y >> 3) * 19_349_663 + seed * 83_492_791, 0x45d9f3b);
    return 60 + ((h >>> 13) % 120);
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const near = Math.abs(x - width / 2 - shift) < width / 10 && Math.abs(y - height / 2) < height / 5;
      rgb.fill(near ? 250 : patch(x, y), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  return rgb;
}

/** Draws two eyes of a size into one frame; the left one has a white square left of the middle, see `scene`. */
function pair(packing: 'sbs' | 'tb' | 'rows', eye: { width: number; height: number }, swapped = false, other = 1) {
  const [left, right] = [scene(1, 3, eye), scene(other, -3, eye)];
  const [first, second] = swapped ? [right, left] : [left, right];
  const row = (of: Uint8Array, y: number) => of.subarray(y * eye.width * 3, (y + 1) * eye.width * 3);
  const rows = Array.from({ length: eye.height }, (_, y) => y);
  const lines = {
    sbs: () => rows.flatMap((y) => [row(first, y), row(second, y)]),
    tb: () => [first, second],
    rows: () => rows.map((y) => row(y % 2 === 0 ? first : second, y)),
  };
  const bytes = Buffer.concat(lines[packing]());
  const size = {
    sbs: { width: 2 * eye.width, height: eye.height },
    tb: { width: eye.width, height: 2 * eye.height },
    rows: eye,
  };
  return { ...size[packing], draw: () => bytes, frames: 3 };
}

/** Returns the middle of the white square in a still, as shares of its sides, and the size of the still. */
async function squareOf(input: string) {
  const path = `${input}.jpg`;
  await videos.still({ path: input, seconds: 0, outPath: path });
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  let [sum, count] = [0, 0];
  for (let x = 0; x < width; x++)
    if ((data[(Math.floor(height / 2) * width + x) * info.channels] as number) > 225) {
      sum += x + 0.5;
      count++;
    }
  return { width, height, middle: sum / count / width, across: count / width };
}

test('of a video that is 3D already the left eye is taken, in its own shape, and people are told [W7] [T4]', async () => {
  const eye = { width: 160, height: 90 };
  const squeezed = { width: 80, height: 90 };
  const turns = { ...eye, frames: 6, draw: (i: number) => scene(1, i % 2 ? -3 : 3, eye) };
  const cases: [string, TestVideo, string, { width: number; height: number }][] = [
    ['StereoMode', { ...pair('sbs', eye), stereo: [1, 0] }, 'mkv', eye],
    ['StereoMode right first', { ...pair('sbs', eye, true), stereo: [1, 1] }, 'mkv', eye],
    ['StereoMode top and bottom', { ...pair('tb', eye), stereo: [2, 0] }, 'mkv', eye],
    ['half', { ...pair('sbs', squeezed), stereo: [1, 0] }, 'mkv', eye],
    [
      'half top and bottom',
      { ...pair('tb', { width: 160, height: 46 }), stereo: [2, 0] },
      'mkv',
      { width: 160, height: 92 },
    ],
    ['st3d', { ...pair('sbs', eye), stereo: [1, 0] }, 'mp4', eye],
    ['st3d top and bottom', { ...pair('tb', eye), stereo: [2, 0] }, 'mp4', eye],
    ['SEI', { ...pair('sbs', eye), options: { 'x264-params': 'frame-packing=3' } }, 'mov', eye],
    ['SEI in an AVI', { ...pair('tb', eye), options: { 'x264-params': 'frame-packing=4' } }, 'avi', eye],
    ['rows', { ...pair('rows', { width: 160, height: 96 }), stereo: [6, 0] }, 'mkv', { width: 160, height: 96 }],
    ['in turns', { ...turns, options: { 'x264-params': 'frame-packing=5', qp: 4 } }, 'mkv', eye],
    ['untagged', pair('sbs', eye), 'mp4', eye],
    ['untagged top and bottom', pair('tb', eye), 'mp4', eye],
  ];
  for (const [which, video, ending, shown] of cases) {
    const request = await prepare({ options: { qp: 4 }, ...video }, ending);
    expect([which, await videos.probe(request.input)]).toEqual([which, expect.objectContaining(shown)]);
    const { middle, across } = await squareOf(request.input);
    expect(middle * 160, which).toBeGreaterThan(81);
    expect(Math.abs(across - 0.2), which).toBeLessThan(0.05);
    const { notes, source } = await videos.convert(request);
    expect([which, notes, source]).toEqual([which, ['leftEyeUsed'], shown]);
  }
});

test('pairs that are made from a flat video pass their own check [W7]', async () => {
  const eye = { width: 160, height: 90 };
  const request = await prepare({ ...eye, frames: 3, draw: (_, size) => scene(1, 0, size) }, 'mp4');
  for (const format of ['sbs', 'tb'] as const) {
    const made = await videos.convert({ ...request, ...(await otherFolders()), effect: 100, format });
    expect([format, made.notes]).toEqual([format, []]);
    // Fed back in, such a pair is 3D already.
    expect((await convertFile(made.file.path)).notes).toEqual(['leftEyeUsed']);
  }
});

test('an anaglyph plays everywhere (4:2:0) and keeps the colours of each pixel apart, of either eye first', async () => {
  const size = { width: 160, height: 96 };
  // Columns of one pixel: where the eyes differ, one is red and the next is cyan.
  const stripes = () => Uint8Array.from({ length: 3 * 160 * 96 }, (_, i) => (Math.floor(i / 3) % 2 ? 220 : 20));
  const request = await prepare({ ...size, frames: 2, draw: stripes, options: { qp: 4 } }, 'mp4', { effect: 100 });
  const colours = async (more: Partial<VideoRequest>) => {
    const { file } = await videos.convert({
      ...request,
      ...(await otherFolders()),
      format: 'anaglyph',
      convergence: 0,
      ...more,
    });
    const [pictures] = ffprobe(file.path).streams;
    expect(pictures).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 320, height: 192 });
    await videos.still({ path: file.path, seconds: 0, outPath: `${file.path}.jpg` });
    const { data, info } = await sharp(`${file.path}.jpg`).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 320, height: 192 });
    const at = (pixel: number, channel: number) => data[info.channels * pixel + channel] as number;
    const redness = Array.from({ length: 320 * 192 }, (_, pixel) => at(pixel, 0) - at(pixel, 1));
    return { name: file.name, redness };
  };
  const strength = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
  const plain = await colours({ anaglyph: 'grey' });
  const swapped = await colours({ anaglyph: 'grey', swapEyes: true });
  expect([plain.name, swapped.name]).toEqual(['my video_redcyan_grey.mp4', 'my video_RLF_redcyan_grey.mp4']);
  expect(strength(plain.redness)).toBeGreaterThan(20);
  const both = plain.redness.map((value, i) => value + (swapped.redness[i] as number));
  expect(strength(both)).toBeLessThan(strength(plain.redness) / 2);
  expect((await colours({ anaglyph: 'half-colour' })).name).toBe('my video_redcyan_half.mp4');
});

test('a spatial video is HEVC side by side, and FFmpeg finds its eyes and its camera', async () => {
  const eye = { width: 160, height: 90 };
  const drawn = { ...eye, frames: 6, draw: (_: number, size: { width: number; height: number }) => scene(1, 0, size) };
  const vision = DEVICES.find(({ format }) => format === 'spatial') as DeviceProfile;
  const request = await prepare({ ...drawn, sound: [{ codec: 'aac', channels: 2, seconds: 0.24 }] }, 'mp4', {
    device: vision,
    effect: 100,
  });
  const { file } = await videos.convert(request);
  expect(file).toMatchObject({ name: 'my video_spatial.mp4', format: 'spatial', width: 320, height: 90 });
  // What follows the index has moved with it: both tracks are read to their ends.
  const { streams } = ffprobe(file.path, ['-count_frames']);
  expect(streams[0]).toMatchObject({ codec_name: 'hevc', codec_tag_string: 'hvc1', nb_read_frames: '6' });
  expect(Number(streams[1]?.['nb_read_frames'])).toBeGreaterThan(5);

  const format = await openFormat(file.path, 'mp4');
  try {
    const said = format.streams[0]?.codecpar.getCodedSideData(AV_PKT_DATA_STEREO3D) ?? Buffer.alloc(36);
    // struct AVStereo3D: both eyes in a frame, the left one first; the camera.
    const [view, primary, baseline] = [said.readInt32LE(8), said.readInt32LE(12), said.readUInt32LE(16)];
    expect({ view, primary, baseline }).toEqual({ view: 0, primary: 1, baseline: 65_000 });
    expect(said.readInt32LE(20)).toBe(0);
    expect(said.readInt32LE(28) / said.readInt32LE(32)).toBeCloseTo(60, 3);
  } finally {
    await format.closeInput();
  }
  // Fed back in, it is 3D already.
  expect((await convertFile(file.path)).notes).toEqual(['leftEyeUsed']);
});

test('a VR180 video is marked as two half spheres side by side, which FFmpeg reads back', async () => {
  const eye = { width: 160, height: 90 };
  const drawn = { ...eye, frames: 6, draw: (_: number, size: { width: number; height: number }) => scene(1, 0, size) };
  const request = await prepare({ ...drawn, sound: [{ codec: 'aac', channels: 2, seconds: 0.24 }] }, 'mp4', {
    format: 'vr180',
    effect: 100,
  });
  const { file, comfort } = await videos.convert(request);
  // 60 degrees along 160 pixels have a focal length of 138.6, which times π is 436.
  expect(file).toMatchObject({ name: 'my video_180x180_LR.mp4', format: 'vr180', width: 872, height: 436 });
  expect(comfort?.largestDisparityPercent).toBeGreaterThan(0);
  const { streams } = ffprobe(file.path, ['-count_frames']);
  expect(streams[0]).toMatchObject({ codec_name: 'h264', nb_read_frames: '6' });
  expect(Number(streams[1]?.['nb_read_frames'])).toBeGreaterThan(5);
  const told = (streams[0]?.['side_data_list'] ?? []) as Record<string, unknown>[];
  const of = (type: string) => told.find(({ side_data_type }) => side_data_type === type);
  expect(of('Stereo 3D')).toMatchObject({ type: 'side by side', inverted: 0 });
  expect(of('Spherical Mapping')).toMatchObject({ projection: 'tiled equirectangular', yaw: 0, pitch: 0, roll: 0 });
  // Pixels of the whole sphere around the part that the file shows.
  const bounds = ['left', 'right', 'top', 'bottom'].map((side) => of('Spherical Mapping')?.[`bound_${side}`] as number);
  for (const [i, bound] of [436, 436, 0, 0].entries()) expect(Math.abs((bounds[i] as number) - bound)).toBeLessThan(2);
  // Fed back in, it is 3D already.
  expect((await convertFile(file.path)).notes).toEqual(['leftEyeUsed']);
});

test('the name of a video may say that it is 3D; a name alone does not cut it [W7] [T4]', async () => {
  const squeezed = { width: 80, height: 90 };
  const noise = (_: number, { width, height }: { width: number; height: number }) =>
    Uint8Array.from({ length: width * height * 3 }, (_, i) => {
      const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
      return 60 + 120 * Math.abs(Math.sin(12.9898 * (x >> 2) + 78.233 * (y >> 2) + Math.sin((x >> 2) * (y >> 2))));
    });
  const cases: [name: string, TestVideo, shown: { width: number; height: number }, is3d: boolean][] = [
    ['Film.2010.3D.HSBS.1080p.mkv', pair('sbs', squeezed), { width: 160, height: 90 }, true],
    ['my video_LR.mp4', pair('sbs', squeezed), { width: 160, height: 90 }, true],
    ['my video_RLF_Half_SBS', pair('sbs', squeezed, true), { width: 160, height: 90 }, true],
    ['my video_RLF_cross', pair('sbs', squeezed, true), { width: 80, height: 90 }, true],
    ['Film (Half OU)', pair('tb', { width: 160, height: 46 }), { width: 160, height: 92 }, true],
    ['Film_TBF_fulltb', pair('tb', { width: 160, height: 90 }), { width: 160, height: 90 }, true],
    // Found by looking.
    ['holiday', pair('sbs', squeezed), { width: 160, height: 90 }, true],
    ['holiday', pair('sbs', squeezed, false, 2), { width: 160, height: 90 }, false],
    ['best of LR', { width: 160, height: 90, frames: 3, draw: noise }, { width: 160, height: 90 }, false],
  ];
  for (const [name, video, shown, is3d] of cases) {
    const request = { ...(await prepare({ options: { qp: 4 }, ...video }, 'mp4')), name };
    const { width, height, playable } = await videos.probe({ path: request.input, name });
    expect([name, { width, height }, playable]).toEqual([name, shown, !is3d]);
    const crop = { x: 0, y: 0, width, height };
    expect([name, (await videos.convert({ ...request, crop })).notes]).toEqual([name, is3d ? ['leftEyeUsed'] : []]);
  }
  // Named after it was cropped as a whole.
  const whole = await prepare(pair('sbs', { width: 160, height: 90 }, false, 2), 'mp4');
  const { source } = await videos.convert({ ...whole, name: 'later_LRF' });
  expect(source).toEqual({ width: 320, height: 90 });
});

test('a wide or tall video that is no pair stays whole [W7]', async () => {
  const half = { width: 160, height: 90 };
  const stripes = (_: number, { width, height }: { width: number; height: number }) =>
    Uint8Array.from({ length: width * height * 3 }, (_, i) => ((Math.floor(i / 3) % 16) >> 3) * 90 + 60);
  const sky = (_: number, { width, height }: { width: number; height: number }) =>
    Uint8Array.from({ length: width * height * 3 }, (_, i) => (200 * i) / (width * height * 3));
  const cases: TestVideo[] = [
    pair('sbs', half, false, 2),
    pair('tb', half, false, 2),
    { width: 320, height: 90, frames: 3, draw: stripes },
    { width: 320, height: 90, frames: 3, draw: sky },
    { width: 320, height: 90, frames: 3, stereo: [0, 0] },
  ];
  for (const video of cases) {
    const request = await prepare(video, 'mkv');
    const { width, height } = video as { width: number; height: number };
    expect(await videos.probe(request.input)).toMatchObject({ width, height });
    expect((await videos.convert(request)).notes).toEqual([]);
  }
});

test('cover and still of a video that begins black show something; what is uniform to the end stays [W8]', async () => {
  const contrastOf = async (path: string) => (await sharp(path).greyscale().stats()).channels[0]?.stdev ?? 0;
  const beginning = async (blackFrames: number, frames: number, grey = 0) => {
    const draw = (frame: number, size: { width: number; height: number }) =>
      frame < blackFrames ? new Uint8Array(size.width * size.height * 3).fill(grey) : drawMoving(frame, size);
    const request = await prepare({ width: 96, height: 64, frames, fps: 25, draw }, 'mp4');
    const path = join(request.outDir, '..', 'still.jpg');
    await videos.still({ path: request.input, seconds: 0.5, outPath: path });
    return [await contrastOf(path), await contrastOf((await videos.convert(request)).cover)];
  };
  for (const [black, frames, grey] of [
    [40, 60, 0],
    [250, 300, 0],
    [40, 60, 255],
  ] as const)
    for (const contrast of await beginning(black, frames, grey)) expect(contrast).toBeGreaterThan(15);
  for (const contrast of await beginning(30, 30)) expect(contrast).toBeLessThan(3);
});

test.skipIf(noProbe)('a preview is small H.264 with AAC, whatever came [A38][A41]', async () => {
  const request = await prepare(
    {
      width: 1024,
      height: 800,
      frames: 6,
      codec: 'mpeg4',
      sound: [{ codec: 'libmp3lame', channels: 2, seconds: 0.3 }],
    },
    'avi',
  );
  const path = join(request.outDir, 'preview.mp4');
  await videos.preview({ path: request.input, outPath: path });
  expect(stream(path, 'video')).toMatchObject({ codec_name: 'h264', width: 922, height: 720, nb_frames: '6' });
  expect(stream(path, 'audio')).toMatchObject({ codec_name: 'aac' });
  expect(await videos.probe(path)).toMatchObject({ playable: true });
});

test.skipIf(noProbe)('HEVC of 10 bits becomes H.264 of 8 bits, cover 500 px wide [A39][X10]', async () => {
  const video = { width: 640, height: 360, frames: 4, codec: 'libx265', pixelFormat: 'yuv420p10le' } as const;
  const request = await prepare(video, 'mp4');
  expect(await videos.probe(request.input)).toMatchObject({ video: 'hevc', playable: false });
  const { file, cover } = await videos.convert(request);
  const { width, height } = await sharp(cover).metadata();
  expect([width, height]).toEqual([500, 281]);
  const preview = join(request.outDir, '..', 'preview.mp4');
  await videos.preview({ path: request.input, outPath: preview });
  for (const path of [file.path, preview]) {
    expect(stream(path, 'video')).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' });
    expect(await videos.probe(path)).toMatchObject({ playable: true });
    const bytes = readFileSync(path);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  }
});
