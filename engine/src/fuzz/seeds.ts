/** Sound files of each kind that the mutations start from, made on the spot. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEPTH_URN, heicFile } from '../testing/heic.ts';
import { drawScene, encoder, phoneJpeg } from '../testing/pictures.ts';
import type { Kind } from './kinds.ts';

/** A little above the smallest crop, so that sound files convert. */
const SIDE = 272;
const picture = drawScene(SIDE, SIDE);

const MAKERS: Readonly<Record<Kind, () => Promise<Buffer[]>>> = {
  jpeg: () =>
    Promise.all([
      phoneJpeg(picture, 6),
      encoder(picture).jpeg({ progressive: true, quality: 80 }).toBuffer(),
      encoder(picture).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
      encoder(picture).greyscale().jpeg({ optimiseCoding: false }).toBuffer(),
      depthJpeg(),
    ]),
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
  mp4: () => films('.mp4', [{ sound: 'aac' }, { sound: 'aac', matrix: true }]),
  mkv: () => films('.mkv', [{ sound: 'ac3', subtitles: true }, { sound: 'pcm_s16le' }]),
  avi: () => films('.avi', [{ sound: 'libmp3lame' }, {}]),
};

export function makeSeeds(kind: Kind): Promise<Buffer[]> {
  return MAKERS[kind]();
}

/** With a depth map in its XMP, as Google's camera writes it. */
async function depthJpeg(): Promise<Buffer> {
  const grey = drawScene(48, 48);
  const map = (await encoder(grey).greyscale().jpeg().toBuffer()).toString('base64');
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Format="RangeInverse" GDepth:Near="1" GDepth:Far="9" GDepth:Mime="image/jpeg" GDepth:Data="${map}"/></rdf:RDF></x:xmpmeta>`;
  const body = Buffer.from(xmp, 'latin1');
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  const plain = await encoder(picture).jpeg().toBuffer();
  return Buffer.concat([plain.subarray(0, 2), head, body, plain.subarray(2)]);
}

interface FilmSeed {
  readonly sound?: 'aac' | 'ac3' | 'pcm_s16le' | 'libmp3lame';
  readonly subtitles?: boolean;
  readonly matrix?: boolean;
}

async function films(ending: string, seeds: readonly FilmSeed[]): Promise<Buffer[]> {
  const { writeFilm } = await import('../testing/films.ts');
  const folder = await mkdtemp(join(tmpdir(), 'framelift-seeds-'));
  try {
    const made: Buffer[] = [];
    for (const { sound, subtitles, matrix } of seeds) {
      const path = join(folder, `seed${ending}`);
      await writeFilm(path, {
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
