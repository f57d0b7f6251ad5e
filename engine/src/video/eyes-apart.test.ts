import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PairChoice, VideoFormat } from '@framelift/contract/formats';
import { Dictionary, FormatContext, InputFormat, Packet } from 'node-av/lib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { decoded, encoder } from '../testing/pictures.ts';
import { ffprobe, tool } from '../testing/tools.ts';
import { TWO_VIEWS_SIZE as eye, TWO_VIEWS, TWO_VIEWS_FRAMES, viewOf } from '../testing/two-views.ts';
import { type TestVideo, writeVideo } from '../testing/videos.ts';
import type { DeviceProfile, Picture, Size, VideoRequest } from '../types.ts';
import { must } from './av.ts';
import { holdsMvc } from './eyes-apart.ts';
import { FrameReader, uprightFrames } from './frames.ts';
import { createVideos } from './index.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo } from './open-video.ts';

beforeAll(requireBuilt);
const folder = mkdtempSync(join(tmpdir(), 'framelift-eyes-apart-'));
afterAll(() => rmSync(folder, { recursive: true }));
const videos = createVideos({ threads: 2 });
const television = DEVICES.find(({ format }) => format === 'hsbs') as DeviceProfile;
const noProbe = tool('ffprobe') === null;
let count = 0;

async function convert(input: string, format: VideoFormat, more: Partial<VideoRequest> = {}) {
  const own = join(folder, `made-${count++}`);
  const [outDir, workDir] = [join(own, 'out'), join(own, 'work')];
  for (const dir of [outDir, workDir]) mkdirSync(dir, { recursive: true });
  const crop = { x: 0, y: 0, ...eye };
  const fixed = { kind: 'video', device: television, effect: 100, tier: 'fast', name: 'it' } as const;
  return videos.convert({ ...fixed, input, format, crop, outDir, workDir, ...more });
}

/** Returns a part of a frame of a video, its whole frame taken as it is. */
async function partOf(path: string, part: { left: number; top: number } & Size, seconds: number): Promise<Picture> {
  const still = `${path}.${count++}.png`;
  await videos.still({ path, pair: 'flat', seconds, outPath: still });
  return decoded(await sharp(still).extract(part).removeAlpha().png().toBuffer());
}

function psnr(a: Picture, b: Picture): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += ((a.data[i] as number) - (b.data[i] as number)) ** 2;
  return 10 * Math.log10(65_025 / Math.max(0.01, sum / a.data.length));
}

const resized = async (picture: Picture, { width, height }: Size) =>
  decoded(await encoder(picture).resize(width, height, { fit: 'fill' }).png().toBuffer());

/** Returns which eye the left half of a pair shows in a frame, and the right half. */
async function eyesOf(path: string, frame: number, fps = 25): Promise<string[]> {
  const seen: string[] = [];
  for (const left of [0, eye.width]) {
    const shown = await partOf(path, { left, top: 0, ...eye }, frame / fps);
    const likeness = await Promise.all(
      (['left', 'right'] as const).map(async (one) => psnr(shown, await viewOf(one, frame))),
    );
    const [isLeft = 0, isRight = 0] = likeness;
    seen.push(Math.abs(isLeft - isRight) < 6 ? 'neither' : isLeft > isRight ? 'left' : 'right');
  }
  return seen;
}

/** Writes the spatial video with some of its bytes changed, each exactly once. */
function changed(...changes: readonly (readonly [from: string, to: string])[]): string {
  let bytes = readFileSync(TWO_VIEWS).toString('hex');
  for (const [from, to] of changes) {
    expect(bytes.split(from), from).toHaveLength(2);
    bytes = bytes.replace(from, to);
  }
  const path = join(folder, `changed-${count++}.mp4`);
  writeFileSync(path, Buffer.from(bytes, 'hex'));
  return path;
}

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
/** The message that tells which view is the left eye: 0 and 1, 1 and 0, and of a type that nobody knows. */
const MESSAGE = { left: '4e01b004040d00', right: '4e01b004040a80', none: '4e01bf04040d00' };
/** Boxes of Apple with their versions and flags: which eye is shown where only one can be, and which eyes there are. */
const HERO = { left: `${hex('hero')}0000000001`, right: `${hex('hero')}0000000002` };
const EYES = { inOrder: `${hex('stri')}0000000003`, reversed: `${hex('stri')}000000000b` };
const NO_BOXES = [hex('vexu'), hex('free')] as const;

describe('a spatial video of a phone (MV-HEVC) keeps both photographed eyes', () => {
  test.skipIf(noProbe)('in every format of two views, with its times and its sound [W7] [T4] [T6]', async () => {
    const info = await videos.probe(TWO_VIEWS);
    expect(info).toMatchObject({ ...eye, frames: TWO_VIEWS_FRAMES, fps: 25, video: 'hevc', playable: false });
    expect(info.pair).toMatchObject({ layout: 'leftRight', shown: eye });
    const half = { width: 160, height: 180 };
    const low = { width: 320, height: 90 };
    const cases: [VideoFormat, { at: [number, number]; size: Size }, { at: [number, number]; size: Size }][] = [
      ['sbs', { at: [0, 0], size: eye }, { at: [320, 0], size: eye }],
      ['tb', { at: [0, 0], size: eye }, { at: [0, 180], size: eye }],
      ['hsbs', { at: [0, 0], size: half }, { at: [160, 0], size: half }],
      ['htb', { at: [0, 0], size: low }, { at: [0, 90], size: low }],
      ['cross', { at: [320, 0], size: eye }, { at: [0, 0], size: eye }],
      ['2x1', { at: [0, 0], size: eye }, { at: [320, 0], size: eye }],
      ['spatial', { at: [0, 0], size: eye }, { at: [320, 0], size: eye }],
    ];
    for (const [format, first, second] of cases) {
      const made = await convert(TWO_VIEWS, format);
      expect([format, made.pair, made.depthSource, made.notes]).toEqual([format, 'leftRight', 'embedded', []]);
      const { streams } = ffprobe(made.file.path, ['-count_frames']);
      expect(streams[0]).toMatchObject({ r_frame_rate: '25/1', nb_read_frames: `${TWO_VIEWS_FRAMES}` });
      expect(streams[1]).toMatchObject({ codec_name: 'aac' });
      // Frames of both key frames' groups, and the last one.
      for (const frame of [0, 5, 6, 11])
        for (const [{ at, size }, side] of [
          [first, 'left'],
          [second, 'right'],
        ] as const) {
          const shown = await partOf(made.file.path, { left: at[0], top: at[1], ...size }, frame / 25);
          const wanted = await resized(await viewOf(side, frame), size);
          expect(psnr(shown, wanted), `${format} at ${at}, frame ${frame}`).toBeGreaterThan(32);
        }
    }
  });

  test('in an anaglyph, where the left one is red', async () => {
    const { file } = await convert(TWO_VIEWS, 'anaglyph', { anaglyph: 'grey' });
    const shown = await resized(await partOf(file.path, { left: 0, top: 0, width: 640, height: 360 }, 0.2), eye);
    const difference = async (channel: number, side: 'left' | 'right') => {
      const grey = await encoder(await viewOf(side, 5))
        .greyscale()
        .toColourspace('b-w')
        .raw()
        .toBuffer();
      return grey.reduce((sum, value, i) => sum + Math.abs((shown.data[3 * i + channel] as number) - value), 0);
    };
    expect(await difference(0, 'left')).toBeLessThan(await difference(0, 'right'));
    expect(await difference(1, 'right')).toBeLessThan(await difference(1, 'left'));
  });

  test('of which the crop shows the same part of both', async () => {
    const part = { x: 40, y: 20, width: 160, height: 120 };
    const { file } = await convert(TWO_VIEWS, 'sbs', { crop: part });
    const cut = { left: 40, top: 20, width: 160, height: 120 };
    for (const [left, side] of [
      [0, 'left'],
      [160, 'right'],
    ] as const) {
      const wanted = await decoded(
        await encoder(await viewOf(side, 7))
          .extract(cut)
          .png()
          .toBuffer(),
      );
      expect(psnr(await partOf(file.path, { left, top: 0, width: 160, height: 120 }, 0.28), wanted)).toBeGreaterThan(
        32,
      );
    }
  });

  test('from any place on, and behind frames that are done already', async () => {
    const video = await examineVideo(TWO_VIEWS, VIDEO_LIMITS);
    const whole = { x: 0, y: 0, ...eye };
    const fixed = { crop: whole, size: eye, pixels: 'rgb', both: true, threads: 2, maxSeconds: 10 } as const;
    const reader = new FrameReader({ ...eye, height: 2 * eye.height }, 'rgb');
    for (const [options, first] of [
      [{ from: 0.3 }, 8],
      [{ from: 0.3, atKeyFrame: true }, 6],
      [{ skip: 7 }, 7],
    ] as const) {
      const tempFile = join(folder, 'colours.cube');
      let frame = first;
      for await (const shown of uprightFrames(video, { ...fixed, ...options, tempFile }, { packets: 0 })) {
        expect(shown.time).toBe(frame * 512);
        const both = Buffer.from(reader.read(shown.frame)[0] as Uint8Array);
        shown.frame.free();
        const half = both.length / 2;
        for (const [i, side] of (['left', 'right'] as const).entries()) {
          const seen = { ...eye, data: both.subarray(i * half, (i + 1) * half) };
          expect(psnr(seen, await viewOf(side, frame))).toBeGreaterThan(34);
        }
        frame++;
      }
      expect(frame).toBe(TWO_VIEWS_FRAMES);
    }
    reader.free();
  });

  test('and other formats are drawn from the left one, with a note', async () => {
    for (const input of [TWO_VIEWS, changed([MESSAGE.left, MESSAGE.right])]) {
      const made = await convert(input, 'rgbd');
      expect([made.notes, made.depthSource]).toEqual([['leftEyeUsed'], 'basic']);
    }
  });

  test('also in a transport stream, without the boxes of Apple', async () => {
    const path = join(folder, 'views.ts');
    await copyInto(path, changed(NO_BOXES));
    expect((await videos.probe(path)).pair?.layout).toBe('leftRight');
    expect(await eyesOf((await convert(path, 'sbs')).file.path, 8)).toEqual(['left', 'right']);
  });

  test('but as one picture if the member calls it ordinary, and one eye with a note if the other cannot be read', async () => {
    const flat = await convert(TWO_VIEWS, 'sbs', { pair: 'flat' satisfies PairChoice });
    expect([flat.pair, flat.notes]).toEqual([null, []]);
    // Without the parameters of the second layer.
    const half = await convert(changed([hex('lhvC'), hex('free')]), 'sbs');
    expect([half.pair, half.notes, half.depthSource]).toEqual([null, ['leftEyeUsed'], 'basic']);
  });
});

describe('which view is the left eye', () => {
  const find = async (input: string, more: Partial<VideoRequest> = {}) => {
    const made = await convert(input, 'sbs', more);
    return [made.pair, ...(await eyesOf(made.file.path, 5))];
  };
  const inOrder = ['leftRight', 'left', 'right'];
  const exchanged = ['rightLeft', 'right', 'left'];

  test('is what the stream says, before the boxes', async () => {
    expect(await find(changed([EYES.inOrder, EYES.reversed], [HERO.left, HERO.right]))).toEqual(inOrder);
    const wrong = changed([MESSAGE.left, MESSAGE.right]);
    expect(await find(wrong)).toEqual(exchanged);
    const still = join(folder, 'left.png');
    await videos.still({ path: wrong, seconds: 0.2, outPath: still });
    const seen = await decoded(await sharp(still).removeAlpha().png().toBuffer());
    expect(psnr(seen, await viewOf('right', 5))).toBeGreaterThan(32);
  });

  test('is what the boxes say of a stream that does not say it', async () => {
    const silent = [MESSAGE.left, MESSAGE.none] as const;
    expect(await find(changed(silent))).toEqual(inOrder);
    expect(await find(changed(silent, [EYES.inOrder, EYES.reversed]))).toEqual(exchanged);
    expect(await find(changed(silent, [HERO.left, HERO.right]))).toEqual(exchanged);
  });

  test('is found by looking if nothing says it', async () => {
    expect(await find(changed([MESSAGE.left, MESSAGE.none], NO_BOXES))).toEqual(inOrder);
  });

  test('is what the member says', async () => {
    expect(await find(TWO_VIEWS, { pair: 'rightLeft' })).toEqual(exchanged);
    expect(await find(changed([MESSAGE.left, MESSAGE.right]), { pair: 'leftRight' })).toEqual(inOrder);
  });
});

describe('eyes that take turns', () => {
  const both = ['left', 'right'] as const;
  const drawn = async () => {
    const frames: Uint8Array[] = [];
    for (let i = 0; i < TWO_VIEWS_FRAMES; i++) for (const side of both) frames.push((await viewOf(side, i)).data);
    return frames;
  };
  const write = async (ending: string, more: TestVideo, swapped = false) => {
    const frames = await drawn();
    const path = join(folder, `turns-${count++}.${ending}`);
    const draw = (i: number) => frames[swapped ? i ^ 1 : i] as Uint8Array;
    await writeVideo(path, { ...eye, frames: frames.length, fps: 50, draw, options: { qp: 4 }, ...more });
    return path;
  };

  const tagged: [string, string, TestVideo, boolean][] = [
    ['StereoMode, the left one first', 'mkv', { stereo: [3, 0] }, false],
    ['StereoMode, the right one first', 'mkv', { stereo: [3, 1] }, true],
    ['frame packing', 'mp4', { options: { qp: 4, g: 7, 'x264-params': 'frame-packing=5' } }, false],
  ];

  test.skipIf(noProbe).each(tagged)(
    'keep both, at half the frame rate, by %s [W7] [T4]',
    async (_, ending, more, swapped) => {
      const input = await write(ending, more, swapped);
      expect(await videos.probe(input)).toMatchObject({ ...eye, fps: 25, frames: TWO_VIEWS_FRAMES });
      const { file, notes, depthSource } = await convert(input, 'sbs');
      expect([notes, depthSource]).toEqual([[], 'embedded']);
      const [pictures] = ffprobe(file.path, ['-count_frames']).streams;
      expect(pictures).toMatchObject({ nb_read_frames: `${TWO_VIEWS_FRAMES}`, r_frame_rate: '25/1' });
      for (const frame of [0, 5, 11]) expect([frame, await eyesOf(file.path, frame)]).toEqual([frame, [...both]]);
    },
  );

  test('show one picture after the other if nothing says so, and one eye if they are MVC', async () => {
    const made = await convert(await write('mkv', {}), 'flat', { effect: 0 });
    expect([made.frames, made.pair, made.notes]).toEqual([2 * TWO_VIEWS_FRAMES, null, []]);
    const withLengths = Buffer.from([1, 0, 0, 0, 0xff]);
    const unit = (type: number) => [0, 0, 0, 2, 0x60 | type, 1];
    expect(holdsMvc(Buffer.from([...unit(7), ...unit(5), ...unit(20)]), withLengths)).toBe(true);
    expect(holdsMvc(Buffer.from([...unit(7), ...unit(5), ...unit(1)]), withLengths)).toBe(false);
    const start = (type: number) => [0, 0, 0, 1, 0x60 | type, 9];
    expect(holdsMvc(Buffer.from([...start(7), ...start(15), ...start(5)]), null)).toBe(true);
    expect(holdsMvc(Buffer.from([...start(7), ...start(8), ...start(5)]), null)).toBe(false);
    expect(holdsMvc(Buffer.alloc(0), null)).toBe(false);
  });
});

test('a frame whose second view is lost is shown to both eyes, and the others keep their places', async () => {
  const bytes = readFileSync(TWO_VIEWS);
  const [fourth] = await packetsOf(TWO_VIEWS, 3, 4);
  const { at, data } = fourth as { at: number; data: Buffer };
  // Behind the length and the bytes of the first unit comes the second one, whose type is made one that nobody knows.
  const second = 4 + data.readUInt32BE(0) + 4;
  const layerOfSecond = (data[second + 1] as number) >> 3;
  expect(layerOfSecond).toBe(1);
  bytes[at + second] = 0x7e;
  const path = join(folder, 'lost.mp4');
  writeFileSync(path, bytes);
  const { file, frames } = await convert(path, 'sbs');
  expect(frames).toBe(TWO_VIEWS_FRAMES);
  for (const frame of [2, 6, 9]) expect([frame, await eyesOf(file.path, frame)]).toEqual([frame, ['left', 'right']]);
  expect(await eyesOf(file.path, 3)).toEqual(['left', 'left']);
});

/** Returns packets of the pictures of an MP4, with their places in the file. */
async function packetsOf(path: string, from: number, to: number): Promise<{ at: number; data: Buffer }[]> {
  const input = await opened(path);
  const packets: { at: number; data: Buffer }[] = [];
  const packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    if (packet.streamIndex === 0) packets.push({ at: Number(packet.pos), data: Buffer.from(packet.data ?? []) });
    packet.unref();
  }
  await input.closeInput();
  return packets.slice(from, to);
}

async function opened(path: string): Promise<FormatContext> {
  const input = new FormatContext();
  must(await input.openInput(path, InputFormat.findInputFormat('mov')), path);
  must(await input.findStreamInfo(), path);
  return input;
}

/** Copies the pictures of an MP4 into another container. */
async function copyInto(path: string, from: string): Promise<void> {
  const input = await opened(from);
  const output = new FormatContext();
  must(output.allocOutputContext2(null, null, path), path);
  const [source] = input.streams;
  const track = output.newStream();
  if (!source) throw new Error('no track');
  must(source.codecpar.copy(track.codecpar), 'track');
  track.timeBase = source.timeBase;
  must(await output.openOutput(), 'opening');
  must(await output.writeHeader(Dictionary.fromObject({})), 'header');
  const packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    if (packet.streamIndex === source.index) {
      packet.rescaleTs(source.timeBase, track.timeBase);
      must(await output.interleavedWriteFrame(packet), 'packet');
    }
    packet.unref();
  }
  must(await output.writeTrailer(), 'trailer');
  await output.closeOutput();
  await input.closeInput();
}
