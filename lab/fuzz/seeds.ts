/** Generates valid files of each kind as starting points for the mutations. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  beside,
  dynamicDepthPhoto,
  gdepthPhoto,
  greyJpeg,
  multiPicture,
  plane,
  stereoJpegFile,
  stereoScene,
} from '../../engine/src/testing/depth-photos.ts';
import { DEPTH_URN, heicFile } from '../../engine/src/testing/heic.ts';
import { drawScene, encoder, phoneJpeg } from '../../engine/src/testing/pictures.ts';
import { TWO_VIEWS } from '../../engine/src/testing/two-views.ts';
import type { Kind } from './kinds.ts';

/** Slightly above the smallest crop, so that valid files convert. */
const SIDE = 272;
const picture = drawScene(SIDE, SIDE);

const MAKERS: Readonly<Record<Kind, () => Promise<Buffer[]>>> = {
  jpeg: async () => [
    await phoneJpeg(picture, 6),
    await encoder(picture).jpeg({ progressive: true, quality: 80 }).toBuffer(),
    await encoder(picture).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
    await encoder(picture).greyscale().jpeg({ optimiseCoding: false }).toBuffer(),
    ...(await depthPhotos()),
  ],
  png: () =>
    Promise.all([
      encoder(picture).png({ compressionLevel: 6 }).toBuffer(),
      encoder(picture).withIccProfile('p3').png({ progressive: true }).toBuffer(),
      encoder(picture).png({ palette: true }).toBuffer(),
      encoder(picture).ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer(),
    ]),
  webp: () =>
    Promise.all([
      encoder(picture).webp({ quality: 70 }).toBuffer(),
      encoder(picture).ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
      encoder(picture).withMetadata({ orientation: 8 }).webp().toBuffer(),
    ]),
  async heic() {
    const grey = (value: (x: number, y: number) => number) => ({
      data: Float32Array.from({ length: SIDE * SIDE }, (_, i) => value(i % SIDE, Math.floor(i / SIDE)) / SIDE),
      width: SIDE,
      height: SIDE,
    });
    return [
      await heicFile({ grey: grey((x, y) => (x + y) / 2), quarters: 1 }),
      await heicFile({ grey: grey((x) => x) }, [{ grey: grey((_, y) => y), type: DEPTH_URN, xmp: '<x:xmpmeta/>' }]),
    ];
  },
  mp4: async () => [
    ...(await videos('.mp4', [{ sound: 'aac' }, { sound: 'aac', matrix: true }])),
    await readFile(TWO_VIEWS),
  ],
  mkv: () => videos('.mkv', [{ sound: 'ac3', subtitles: true }, { sound: 'pcm_s16le' }]),
  avi: () => videos('.avi', [{ sound: 'libmp3lame' }, {}]),
};

export function makeSeeds(kind: Kind): Promise<Buffer[]> {
  return MAKERS[kind]();
}

/** Photos with embedded depth or a second eye, in each supported format. */
async function depthPhotos(): Promise<Buffer[]> {
  const jpeg = await encoder(picture).jpeg().toBuffer();
  const map = await greyJpeg(plane(48, 48, (u, v) => (u + v) / 2));
  const { left, right } = stereoScene(SIDE, SIDE, 2, 9);
  const [leftEye, rightEye] = await Promise.all([left, right].map((eye) => encoder(eye).jpeg().toBuffer()));
  return [
    gdepthPhoto(jpeg, map),
    dynamicDepthPhoto(jpeg, [{ semantic: 'Depth', mime: 'image/jpeg', bytes: map }], 16),
    multiPicture([
      { jpeg: leftEye as Buffer, type: 0x020002 },
      { jpeg: rightEye as Buffer, type: 0x020002 },
    ]),
    stereoJpegFile(await encoder(beside(left, right)).jpeg().toBuffer(), 4),
  ];
}

interface VideoSeed {
  readonly sound?: 'aac' | 'ac3' | 'pcm_s16le' | 'libmp3lame';
  readonly subtitles?: boolean;
  readonly matrix?: boolean;
}

async function videos(ending: string, seeds: readonly VideoSeed[]): Promise<Buffer[]> {
  const { writeVideo } = await import('../../engine/src/testing/videos.ts');
  const folder = await mkdtemp(join(tmpdir(), 'framelift-seeds-'));
  try {
    const made: Buffer[] = [];
    for (const { sound, subtitles, matrix } of seeds) {
      const path = join(folder, `seed${ending}`);
      await writeVideo(path, {
        width: 96,
        height: 80,
        frames: 10,
        codec: ending === '.avi' ? 'mpeg4' : 'libx264',
        ...(sound ? { sound: [{ codec: sound, channels: 2, seconds: 0.4 }] } : {}),
        ...(subtitles ? { subtitles: [{ from: 0, to: 0.3, text: 'hello' }] } : {}),
        ...(matrix ? { matrix: [0, 1, -1, 0] as const } : {}),
      });
      made.push(await readFile(path));
    }
    return made;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
