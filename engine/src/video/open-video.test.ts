import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawScene, encoder as stillEncoder } from '../testing/pictures.ts';
import { writeVideo } from '../testing/videos.ts';
import { uprightFrames } from './frames.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo } from './open-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-videos-'));
const at = (name: string) => join(folder, name);
const probe = async (name: string, limits = {}) => (await examineVideo(at(name), { ...VIDEO_LIMITS, ...limits })).info;
const refusal = (name: string, limits = {}) =>
  probe(name, limits).then(
    () => 'read',
    (error) => error.code,
  );

beforeAll(async () => {
  await writeVideo(at('phone.mp4'), { sound: [{ codec: 'aac', channels: 2, seconds: 2 }] });
  await writeVideo(at('camera.avi'), { codec: 'mpeg4', sound: [{ codec: 'libmp3lame', channels: 1, seconds: 2 }] });
  await writeVideo(at('apple.mov'), { matrix: [0, 1, -1, 0], frames: 10 });
  await writeVideo(at('disc.mkv'), {
    frames: 10,
    sound: [{ codec: 'ac3', channels: 6, seconds: 0.4 }],
    subtitles: [{ from: 0, to: 0.3, text: 'Hello' }],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('MP4, AVI, MOV and MKV are known by their content, whatever they are called; browsers play them by container and codec [A38]', async () => {
  expect(await probe('phone.mp4')).toEqual({
    type: 'mp4',
    pair: null,
    width: 160,
    height: 90,
    seconds: 2,
    fps: 25,
    frames: 50,
    video: 'h264',
    audio: [{ codec: 'aac', channels: 2 }],
    rotation: 0,
    hdr: false,
    interlaced: false,
    playable: true,
  });
  expect(await probe('camera.avi')).toMatchObject({ type: 'avi', video: 'mpeg4', playable: false });
  expect(await probe('disc.mkv')).toMatchObject({ type: 'mkv', audio: [{ codec: 'ac3', channels: 6 }] });
  await writeVideo(at('h264.avi'), { frames: 5 });
  await writeVideo(at('h264.mkv'), { frames: 5 });
  await writeVideo(at('hevc.mp4'), { frames: 5, codec: 'libx265' });
  for (const name of ['h264.avi', 'h264.mkv'])
    expect(await probe(name)).toMatchObject({ video: 'h264', playable: false });
  expect(await probe('hevc.mp4')).toMatchObject({ type: 'mp4', video: 'hevc', playable: false });
  writeFileSync(at('named.jpg'), readFileSync(at('disc.mkv')));
  expect(await probe('named.jpg')).toMatchObject({ type: 'mkv' });
});

test('[V16] a turn that stands in side data only gives the size as it is shown', async () => {
  expect(await probe('apple.mov')).toMatchObject({ type: 'mov', width: 90, height: 160, rotation: 90 });
});

test('an anamorphic video has the size that it is shown in', async () => {
  await writeVideo(at('dvd.mkv'), { width: 180, height: 144, pixelAspect: [64, 45], frames: 4 });
  expect(await probe('dvd.mkv')).toMatchObject({ width: 256, height: 144 });
});

test('fields and HDR are noticed', async () => {
  await writeVideo(at('fields.mkv'), { codec: 'mpeg2video', interlaced: true, frames: 6 });
  expect(await probe('fields.mkv')).toMatchObject({ interlaced: true, hdr: false });
  const tags = { matrix: 9, primaries: 9, transfer: 18 };
  await writeVideo(at('hlg.mov'), { codec: 'libx265', pixelFormat: 'yuv420p10le', tags, frames: 3 });
  expect(await probe('hlg.mov')).toMatchObject({ hdr: true, interlaced: false, video: 'hevc' });
});

test('playlists and lists of pictures reach no file and are no videos', async () => {
  const target = at('phone.mp4');
  const lists: Record<string, string> = {
    'list.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${target}\n#EXT-X-ENDLIST\n`,
    'concat.mov': `ffconcat version 1.0\nfile '${target}'\n`,
    'dash.mkv': '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>',
    'sdp.avi': 'v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n',
    'img%03d.mp4': 'no video',
  };
  for (const [name, text] of Object.entries(lists)) {
    writeFileSync(at(name), text);
    expect([name, await refusal(name)]).toEqual([name, 'notAFilm']);
  }
});

test('a name that FFmpeg would read as an address is only a name', async () => {
  for (const name of ['concat:a|b.mp4', 'http:evil.mp4', 'img%02d.mp4']) {
    writeFileSync(at(name), readFileSync(at('phone.mp4')));
    expect([name, await refusal(name)]).toEqual([name, 'read']);
  }
});

test('stills in disguise and other containers are no videos', async () => {
  const picture = stillEncoder(drawScene(300, 300));
  writeFileSync(at('jpeg.mp4'), await picture.clone().jpeg().toBuffer());
  writeFileSync(at('avif.mp4'), await picture.clone().avif({ effort: 0 }).toBuffer());
  await writeVideo(at('one.mp4'), { frames: 1 });
  await writeVideo(at('one.mkv'), { frames: 1, codec: 'mjpeg', pixelFormat: 'yuvj420p' });
  writeFileSync(at('other.ogv'), 'OggS');
  for (const name of ['jpeg.mp4', 'avif.mp4', 'one.mp4', 'one.mkv', 'other.ogv'])
    expect([name, await refusal(name)]).toEqual([name, 'notAFilm']);
});

test.each([
  ['web.webm', 'webm', 'libvpx'],
  ['phone.3gp', '3gp', 'mpeg4'],
  ['camcorder.ts', 'ts', 'mpeg2video'],
  ['windows.wmv', 'wmv', 'wmv2'],
  ['old.flv', 'flv', 'flv'],
  ['disc.mpg', 'mpg', 'mpeg2video'],
] as const)('%s is read as %s, also from its end [T12]', async (name, type, codec) => {
  await writeVideo(at(name), { frames: 30, codec });
  expect(await probe(name)).toMatchObject({ type, seconds: expect.closeTo(30 / 25, 0) });
  const video = await examineVideo(at(name), VIDEO_LIMITS);
  const size = { width: 64, height: 36 };
  const options = {
    crop: { x: 0, y: 0, ...size },
    size,
    pixels: 'yuv420',
    threads: 1,
    maxSeconds: 100,
    tempFile: at('colours'),
    from: 0.8,
  } as const;
  let frames = 0;
  for await (const { frame } of uprightFrames(video, options, { packets: 0 })) {
    frames++;
    frame.free();
  }
  // All of them, or those after the time, as each container can seek.
  expect(frames).toBeGreaterThanOrEqual(9);
  expect(frames).toBeLessThanOrEqual(11);
});

test('sound alone is a video without pictures, an empty file is empty, a damaged one is damaged', async () => {
  await writeVideo(at('song.mkv'), { sound: [{ codec: 'aac', channels: 2, seconds: 1 }], soundOnly: true });
  expect(await refusal('song.mkv')).toBe('filmWithoutPictures');
  writeFileSync(at('empty.mp4'), '');
  expect(await refusal('empty.mp4')).toBe('fileEmpty');
  const whole = readFileSync(at('phone.mp4'));
  // Its index is at the end and is missing.
  writeFileSync(at('cut.mp4'), whole.subarray(0, whole.length / 2));
  expect(await refusal('cut.mp4')).toBe('filmDamaged');
  await writeVideo(at('rate.avi'), { codec: 'mpeg4', frames: 11 });
  const avi = readFileSync(at('rate.avi'));
  const refusalAt = async (rate: number) => {
    avi.writeUInt32LE(rate, avi.indexOf('vids') + 24);
    writeFileSync(at('rate.avi'), avi);
    return refusal('rate.avi');
  };
  expect([await refusalAt(960), await refusalAt(65_561)]).toEqual(['read', 'filmDamaged']);
  const noise = Buffer.from(Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 251));
  writeFileSync(at('noise.mkv'), Buffer.concat([readFileSync(at('disc.mkv')).subarray(0, 60), noise]));
  expect(await refusal('noise.mkv')).toMatch(/^film(Damaged|WithoutPictures)$/);
});

test('size, length and number of tracks have limits', async () => {
  expect(await refusal('phone.mp4', { maxSide: 159 })).toBe('filmTooLarge');
  expect(await refusal('phone.mp4', { maxPixels: 160 * 90 - 1 })).toBe('filmTooLarge');
  expect(await refusal('phone.mp4', { maxSeconds: 1.9 })).toBe('filmTooLong');
  expect(await refusal('disc.mkv', { maxStreams: 2 })).toBe('filmTooLarge');
  expect(await refusal('phone.mp4', { maxSide: 160, maxPixels: 160 * 90, maxSeconds: 2, maxStreams: 2 })).toBe('read');
});
