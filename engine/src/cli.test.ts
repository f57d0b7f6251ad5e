import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from './formats/index.ts';
import { requireBuilt } from './testing/built.ts';
import { animation, draw, drawScene, encoder } from './testing/pictures.ts';
import { unzipped } from './testing/tools.ts';
import { writeVideo } from './testing/videos.ts';
import { VIDEO_LIMITS } from './video/limits.ts';
import { examineVideo } from './video/open-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-cli-'));
const photo = join(folder, 'photo.jpg');
beforeAll(async () => {
  requireBuilt();
  writeFileSync(photo, await encoder(drawScene(900, 1200)).jpeg().toBuffer());
  writeFileSync(join(folder, 'text.jpg'), 'no picture');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in the folder of the photo. `onErr` receives its standard error as it is written. */
function run(args: readonly string[], onErr: (text: string, pid: number) => void = () => {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], { cwd: folder });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
      onErr(text, child.pid as number);
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

const outFolder = () => mkdtempSync(join(folder, 'out-'));

test('writes one file a format, and tells sizes, times and the depth source as JSON', async () => {
  const out = outFolder();
  const args = ['photo.jpg', '--device', 'looking-glass-portrait', '--effect', '100', '--formats', 'quilt,sbs,depth'];
  const { code, out: text, err } = await run([...args, '--out', out, '--json']);
  expect({ code, err: err.split('\n')[0] }).toEqual({ code: 0, err: 'open' });
  const told = JSON.parse(text);
  expect(told.files.map(({ format }: { format: string }) => format).sort()).toEqual(['depth', 'quilt', 'sbs']);
  expect(readdirSync(out).sort()).toEqual(told.files.map(({ name }: { name: string }) => name).sort());
  expect(told).toMatchObject({ device: 'looking-glass-portrait', effect: 100, depthSource: 'basic' });
  expect(told.totalMs).toBeGreaterThanOrEqual(told.times.depth);
  expect(told.peakRssMb).toBeGreaterThan(0);
  for (const { path, width, bytes } of told.files) {
    const metadata = await sharp(path).metadata();
    expect(metadata.width).toBe(width);
    expect(bytes).toBeGreaterThan(0);
  }
});

test('without --json people read what was made', async () => {
  const out = outFolder();
  const { code, out: text } = await run(['photo.jpg', '--effect', '0', '--out', out, '--name', 'mine']);
  expect(code).toBe(0);
  expect(text).toContain(join(out, 'mine_flat.jpg'));
  expect(readdirSync(out)).toEqual(['mine_flat.jpg']);
});

test('a crop is cut as it was asked for', async () => {
  const { code, out: text } = await run([
    'photo.jpg',
    '--crop',
    '100,200,300,400',
    '--effect',
    '0',
    '--out',
    outFolder(),
    '--json',
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(text).crop).toEqual({ x: 100, y: 200, width: 300, height: 400 });
});

test('takes a depth map and a convergence of one’s own, and says when the strength was reduced', async () => {
  const nearLeft = encoder(draw(160, 90, (x) => (x < 80 ? [255, 255, 255] : [0, 0, 0])));
  await nearLeft.toColourspace('b-w').png().toFile(join(folder, 'map.png'));
  const out = outFolder();
  const device = 'looking-glass-27-landscape';
  const own = ['--depth', 'map.png', '--convergence', '0', '--device', device, '--crop', '0,500,896,504'];
  const { code, out: text } = await run(['photo.jpg', ...own, '--formats', 'quilt', '--out', out]);
  expect(code).toBe(0);
  expect(text).toContain('depth: member;');
  expect(text).toContain('reduced to what the display can show comfortably: 7.0 % of the width, not 8.0 %');
  // Far areas are in the plane of the frame, so the outermost views match only there.
  const quilt = sharp(join(out, 'photo_qs8x6a1.77778.jpg')).greyscale();
  const whole = await quilt.metadata();
  const [width, height] = [whole.width / 8, whole.height / 6];
  const part = (left: number, top: number) =>
    quilt
      .clone()
      .extract({ left: Math.round(left), top, width: Math.round(width / 3), height })
      .raw()
      .toBuffer();
  const change = async (x: number) => {
    const [first, last] = await Promise.all([part(x, 5 * height), part(7 * width + x, 0)]);
    return first.reduce((sum, value, i) => sum + Math.abs(value - (last[i] as number)), 0) / first.length;
  };
  expect(await change(0.6 * width)).toBeLessThan(2);
  expect(await change(0.1 * width)).toBeGreaterThan(6);
});

test('exchanges eyes, chooses an anaglyph, makes the picture of one panel, and puts all of it into an archive [T13]', async () => {
  const out = outFolder();
  const value = (number: number) => ({ value: number });
  const calibration = {
    serial: 'LKG-P1',
    pitch: value(52),
    slope: value(-7),
    center: value(0.5),
    DPI: value(81),
    invView: value(1),
    screenW: value(384),
    screenH: value(512),
  };
  writeFileSync(join(folder, 'visual.json'), JSON.stringify(calibration));
  const options = ['--formats', 'hsbs,anaglyph,native', '--swap-eyes', '--anaglyph', 'grey', '--zip', '--name', 'x'];
  const run1 = await run(['photo.jpg', ...options, '--calibration', 'visual.json', '--out', out]);
  expect(run1.code).toBe(0);
  const names = ['x_RLF_Half_SBS.jpg', 'x_RLF_redcyan_grey.jpg', 'x_native_LKG-P1.png'];
  expect(readdirSync(out).sort()).toEqual(['x.zip', ...names].sort());
  const archived = await unzipped(join(out, 'x.zip'));
  expect([...archived.keys()].sort()).toEqual([...names].sort());
  for (const [name, bytes] of archived) expect(bytes.equals(readFileSync(join(out, name)))).toBe(true);
  expect(run1.out).toContain(join(out, 'x.zip'));

  // The calibration of another display is refused, with both names [T13].
  const ofGo = { ...calibration, screenW: value(1440), screenH: value(2560) };
  writeFileSync(join(folder, 'go.json'), JSON.stringify(ofGo));
  const run2 = await run(['photo.jpg', '--formats', 'native', '--calibration', 'go.json', '--out', outFolder()]);
  expect(run2.code).toBe(1);
  expect(run2.err).toMatch(/Looking Glass Go.*Looking Glass Portrait/);
});

test('[V58] native without a calibration, or with one that is none, says what is missing', async () => {
  writeFileSync(join(folder, 'empty.json'), '{}');
  const missing = await run(['photo.jpg', '--formats', 'native', '--out', outFolder()]);
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('--calibration')]);
  const invalid = await run(['photo.jpg', '--formats', 'native', '--calibration', 'empty.json', '--out', outFolder()]);
  expect([invalid.code, invalid.err]).toEqual([1, expect.stringContaining('no visual.json')]);
});

test('--help lists every device', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  for (const { slug } of DEVICES) expect(out).toContain(slug);
});

test.each([
  ['no picture', []],
  ['two pictures', ['photo.jpg', 'photo.jpg']],
  ['a picture that is not there', ['absent.jpg']],
  ['a folder', ['.']],
  ['an unknown device', ['photo.jpg', '--device', 'crystal-ball']],
  ['an effect above 100', ['photo.jpg', '--effect', '101']],
  ['an effect that is no number', ['photo.jpg', '--effect', 'much']],
  ['an unknown format', ['photo.jpg', '--formats', 'quilt,hologram']],
  ['an unreadable crop', ['photo.jpg', '--crop', '1,2,3']],
  ['a convergence outside the depth', ['photo.jpg', '--convergence', '1.1']],
  ['a depth map that is not there', ['photo.jpg', '--depth', 'absent.png']],
  ['an unknown option', ['photo.jpg', '--fast']],
  ['an option without its value', ['photo.jpg', '--device']],
])('%s: exit code 2 and one sentence', async (_, args) => {
  const { code, out, err } = await run(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).toMatch(/\.\n$/);
});

test.each([
  ['text named .jpg', ['text.jpg'], /no picture that can be read/],
  ['a crop outside', ['photo.jpg', '--crop', '800,0,300,400'], /outside the picture/],
])('%s: exit code 1, the reason, and no file', async (_, args, reason) => {
  const out = outFolder();
  const { code, err } = await run([...args, '--out', out]);
  expect(code).toBe(1);
  expect(err).toMatch(reason);
  expect(readdirSync(out)).toEqual([]);
});

test('Ctrl-C stops it and leaves no file', async () => {
  const out = outFolder();
  let sent = false;
  const { code, err } = await run(['photo.jpg', '--out', out], (text, pid) => {
    if (sent || !text.includes('depth')) return;
    sent = true;
    process.kill(pid, 'SIGINT');
  });
  expect(code).toBe(130);
  expect(err).toContain('Cancelled.');
  expect(readdirSync(out)).toEqual([]);
});

test('a video becomes a video, or several in one run, of formats that videos can have', async () => {
  await writeVideo(join(folder, 'video.mkv'), { width: 160, height: 96, frames: 6 });
  const out = outFolder();
  const args = ['video.mkv', '--device', '3d-tv', '--effect', '0', '--crop', '0,0,160,96', '--out', out, '--json'];
  const { code, out: text, err } = await run(args);
  expect({ code, steps: err.trim().split('\n') }).toEqual({ code: 0, steps: ['open', 'views', 'pack', 'check'] });
  expect(JSON.parse(text)).toMatchObject({ tier: 'best', frames: 6, file: { format: 'flat', width: 160, height: 96 } });
  expect(readdirSync(out)).toEqual(['video_flat.mp4']);
  const forPictures = await run(['video.mkv', '--zip', '--depth', 'photo.jpg']);
  expect(forPictures).toMatchObject({ code: 2, err: 'Not for videos: --depth, --zip.\n' });
  expect(await run(['video.mkv', '--formats', 'depth'])).toMatchObject({ code: 2 });
  expect(await run(['video.mkv', '--formats', 'sbs,depth'])).toMatchObject({ code: 2 });
  const both = outFolder();
  const several = ['video.mkv', '--device', '3d-tv', '--tier', 'fast', '--formats', 'hsbs,sbs', '--crop', '0,0,160,96'];
  expect(await run([...several, '--out', both])).toMatchObject({ code: 0 });
  expect(readdirSync(both).sort()).toEqual(['video_LR.mp4', 'video_LRF_Full_SBS.mp4']);
  expect(await run(['video.mkv', '--tier', 'slow'])).toMatchObject({ code: 2 });
});

test('an animation becomes a video, or its first frame a picture [T11]', async () => {
  const frames = animation([drawScene(160, 96), draw(160, 96, () => [9, 9, 200])]);
  writeFileSync(join(folder, 'party.gif'), await frames.gif({ delay: [600, 900] }).toBuffer());
  const args = ['party.gif', '--device', '3d-tv', '--tier', 'fast', '--crop', '0,0,160,96', '--json'];
  const moving = outFolder();
  const video = await run([...args, '--out', moving]);
  expect(video.code).toBe(0);
  expect(readdirSync(moving)).toEqual(['party_LR.mp4']);
  const read = await examineVideo(join(moving, 'party_LR.mp4'), VIDEO_LIMITS);
  expect(read.info).toMatchObject({ video: 'h264', frames: 4, seconds: 3 });
  const still = outFolder();
  const picture = await run([...args, '--still', '--out', still]);
  expect(JSON.parse(picture.out)).toMatchObject({ notes: expect.arrayContaining(['firstFrame']) });
  expect(readdirSync(still)).toEqual(['party_LR.jpg']);
});
