/**
 * Writes engine/src/testing/two-views.mp4, a spatial video as phones take it: MV-HEVC in MP4 with the boxes of Apple, and
 * sound. What both eyes see is drawn, not photographed.
 *
 *   node lab/mv-hevc/make-two-views.ts PATH_OF_X265
 *
 * Needs x265 4.0 or later, built with -DENABLE_MULTIVIEW=ON (the source of Debian 13 has 4.1), and the program ffmpeg.
 *
 * Layout of `lhvC`: ISO/IEC 14496-15, LHEVCDecoderConfigurationRecord. Both records are in one sample entry `hvc1`, and
 * the parameter sets of the second layer only in `lhvC`: Apple, "ISO Base Media File Format and Apple HEVC Stereo Video".
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_PKT_DATA_STEREO3D } from 'node-av/constants';
import { FormatContext, InputFormat, Packet, Rational, type Stream } from 'node-av/lib';
import { box, u16 } from '../../engine/src/encode/iso-boxes.ts';
import { TWO_VIEWS, TWO_VIEWS_FRAMES, TWO_VIEWS_SIZE, viewOf } from '../../engine/src/testing/two-views.ts';
import { writeVideo } from '../../engine/src/testing/videos.ts';
import { must, withOptions } from '../../engine/src/video/av.ts';
import { markPictures } from '../../engine/src/video/marks.ts';

const FPS = 25;
/** NAL unit types of the sequence and picture parameter sets. */
const PARAMETER_SETS = [33, 34];

const [x265] = process.argv.slice(2);
if (!x265) throw new Error('usage: node lab/mv-hevc/make-two-views.ts PATH_OF_X265');
const folder = mkdtempSync(join(tmpdir(), 'two-views-'));
const { width, height } = TWO_VIEWS_SIZE;
try {
  const views = { left: join(folder, 'left.yuv'), right: join(folder, 'right.yuv') };
  for (const eye of ['left', 'right'] as const) {
    const frames = [];
    for (let i = 0; i < TWO_VIEWS_FRAMES; i++) frames.push((await viewOf(eye, i)).data);
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', '-'];
    const scaling = ['-vf', 'scale=out_color_matrix=bt601:flags=bicubic+accurate_rnd+full_chroma_int'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...raw, ...scaling, '-pix_fmt', 'yuv420p', views[eye]], {
      input: Buffer.concat(frames),
    });
  }
  const config = join(folder, 'views.cfg');
  writeFileSync(config, `--num-views 2\n--format 0\n--input "${views.left}"\n--input "${views.right}"\n`);
  const stream = join(folder, 'views.hevc');
  const input = ['--multiview-config', config, '--fps', `${FPS}`, '--input-res', `${width}x${height}`];
  // Key frames within the video, to seek to. A single thread writes the same file again.
  const coding = [
    '--qp',
    '8',
    '--tune',
    'psnr',
    '--preset',
    'slow',
    '--keyint',
    '6',
    '--no-open-gop',
    '--bframes',
    '0',
    '--no-info',
  ];
  execFileSync(x265, [...input, ...coding, '--frame-threads', '1', '--pools', '1', stream], { stdio: 'ignore' });

  const sound = join(folder, 'sound.m4a');
  await writeVideo(sound, { soundOnly: true, sound: [{ codec: 'aac', channels: 2, seconds: TWO_VIEWS_FRAMES / FPS }] });
  await intoMp4(stream, sound, TWO_VIEWS);
} finally {
  rmSync(folder, { recursive: true });
}

/** Puts the stream and the sound into an MP4, with `vexu` by FFmpeg, and `lhvC`, which FFmpeg reads but does not write. */
async function intoMp4(stream: string, sound: string, path: string): Promise<void> {
  const inputs = [await opened(stream, 'hevc'), await opened(sound, 'mov')];
  const [pictures] = inputs as [FormatContext];
  const output = new FormatContext();
  must(output.allocOutputContext2(null, null, path), 'container');
  const tracks = inputs.map((input) => {
    const track = output.newStream();
    must((input.streams[0] as Stream).codecpar.copy(track.codecpar), 'track');
    return track;
  });
  const [first, second] = tracks as [Stream, Stream];
  first.codecpar.codecTag = 'hvc1';
  first.timeBase = new Rational(1, FPS);
  first.avgFrameRate = new Rational(FPS, 1);
  first.codecpar.addCodedSideData(AV_PKT_DATA_STEREO3D, bothEyes());
  const source = (inputs[1] as FormatContext).streams[0] as Stream;
  second.timeBase = source.timeBase;
  const extradata = (pictures.streams[0] as Stream).codecpar.extradata as Buffer;
  must(await output.openOutput(), 'opening');
  const options = { strict: 'unofficial', movflags: 'faststart', brand: 'mp42' };
  must(await withOptions(options, (dictionary) => output.writeHeader(dictionary)), 'header');
  const packet = new Packet();
  packet.alloc();
  for (const [i, input] of inputs.entries())
    for (let count = 0n; (await input.readFrame(packet)) >= 0; count++) {
      packet.streamIndex = i;
      if (i === 0) {
        packet.pts = count;
        packet.dts = count;
        packet.duration = 1n;
      }
      const base = i === 0 ? new Rational(1, FPS) : source.timeBase;
      packet.rescaleTs(base, (tracks[i] as Stream).timeBase);
      must(await output.interleavedWriteFrame(packet), 'packet');
      packet.unref();
    }
  must(await output.writeTrailer(), 'trailer');
  await output.closeOutput();
  for (const input of inputs) await input.closeInput();
  await markPictures(path, secondLayer(extradata));
}

async function opened(path: string, kind: string): Promise<FormatContext> {
  const format = new FormatContext();
  must(await format.openInput(path, InputFormat.findInputFormat(kind)), path);
  must(await format.findStreamInfo(), path);
  return format;
}

/** `AVStereo3D` of FFmpeg: two views that are not packed into a frame, the left one is the base; the camera of a phone. */
function bothEyes(): Buffer {
  const stereo = Buffer.alloc(36);
  const [unspecified, leftEye, baseline, degrees] = [8, 1, 19_240, 63];
  stereo.writeInt32LE(unspecified, 0);
  stereo.writeInt32LE(leftEye, 12);
  stereo.writeUInt32LE(baseline, 16);
  stereo.writeInt32LE(1, 24);
  stereo.writeInt32LE(degrees, 28);
  stereo.writeInt32LE(1, 32);
  return stereo;
}

/** Returns `lhvC` with the parameter sets of the second layer of a stream with start codes. */
function secondLayer(stream: Buffer): Buffer {
  const units = nalUnits(stream).filter((unit) => layerOf(unit) === 1);
  const arrays = PARAMETER_SETS.map((type) => {
    const [unit, ...others] = units.filter((one) => typeOf(one) === type) as [Buffer, ...Buffer[]];
    if (others.length > 0) throw new Error(`several parameter sets of type ${type}`);
    // Complete: there are no more of them in the samples.
    return Buffer.concat([Buffer.from([0x80 | type]), u16(1, unit.length), unit]);
  });
  // Version 1; unknown segmentation and parallelism; one temporal layer, nested; lengths of four bytes.
  const head = Buffer.from([1, 0xf0, 0, 0xfc, 0b11_001_1_11, arrays.length]);
  return box('lhvC', head, ...arrays);
}

function nalUnits(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = stream.indexOf('000001', 0, 'hex'); at >= 0; at = stream.indexOf('000001', at + 3, 'hex'))
    starts.push(at + 3);
  return starts.map((start, i) => {
    let end = starts[i + 1] === undefined ? stream.length : (starts[i + 1] as number) - 3;
    while (stream[end - 1] === 0) end--;
    return stream.subarray(start, end);
  });
}

function typeOf(unit: Buffer): number {
  return ((unit[0] as number) >> 1) & 0x3f;
}

function layerOf(unit: Buffer): number {
  return (((unit[0] as number) & 1) << 5) | ((unit[1] as number) >> 3);
}
