import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_NAMES, type Format } from '@framelift/contract/formats';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normaliseDepth } from '../../depth/layers/range.ts';
import { tileOfView, WIGGLE_FRAME_MS } from '../../formats/index.ts';
import { quiltLayout, sideBySideLayout, topBottomLayout, wiggleLayout } from '../../formats/layout.ts';
import { autoConvergence, lensTable } from '../../geometry/index.ts';
import { requireBuilt } from '../../testing/built.ts';
import { nearSquare } from '../../testing/near-square.ts';
import { PANEL } from '../../testing/panel.ts';
import type { DeviceProfile } from '../../types.ts';
import { createRenderer } from '../index.ts';
import { multiPictureFile, stereoJpegFile } from '../stereo-files.ts';
import { checkFile, type Expected } from './index.ts';

const SIZE = { width: 300, height: 400 };
const GRID = { columns: 8, rows: 6, width: 960, height: 960, aspect: 0.75 };
const DEVICE: DeviceProfile = {
  slug: 'small',
  name: 'Small',
  ratio: [3, 4],
  resolution: SIZE,
  format: 'quilt',
  quilt: GRID,
  disparityBudget: 12,
};

const source = nearSquare(SIZE.width, SIZE.height);
const depth = { data: normaliseDepth(source.depth), width: 150, height: 200, scale: 65535 };
const scene = (sweep: number) => ({ parallax: { sweep, convergence: autoConvergence(depth) }, depth });
const QUILT: Expected = { kind: 'views', layout: quiltLayout(GRID, SIZE), scene: scene((0.08 * 4) / 3) };
const PAIR: Expected = { kind: 'views', layout: sideBySideLayout(SIZE), scene: scene((0.02 * 4) / 3) };
const ANAGLYPH: Expected = { kind: 'anaglyph', size: SIZE, scene: scene((0.02 * 4) / 3), redEye: -1 };
const STACKED: Expected = { kind: 'views', layout: topBottomLayout(SIZE), scene: scene((0.02 * 4) / 3) };
const MULTI: Expected = { kind: 'multi-picture', size: SIZE, scene: scene((0.02 * 4) / 3) };
const SPATIAL: Expected = { kind: 'spatial-photo', size: SIZE, scene: scene((0.02 * 4) / 3) };
/** 60 degrees along 400 pixels have a focal length of 346.4, which times π is 1088. */
const VR180: Expected = {
  kind: 'half-spheres',
  size: { width: 2176, height: 1088 },
  layout: sideBySideLayout(SIZE),
  scene: scene((0.02 * 4) / 3),
};
const JPS: Expected = {
  kind: 'stereo-jpeg',
  layout: sideBySideLayout(SIZE),
  scene: scene((0.02 * 4) / 3),
  leftFirst: true,
};
const eye = (position: -1 | 1): Expected => ({
  kind: 'view',
  size: SIZE,
  position,
  of: source.picture,
  scene: scene((0.02 * 4) / 3),
});
const NATIVE: Expected = {
  kind: 'native',
  table: lensTable(PANEL),
  area: { x: 0, y: 0, ...PANEL.screen },
  flipX: false,
  flipY: false,
  scene: scene((0.08 * 4) / 3),
  of: source.picture,
};
const VIDEO: Expected = {
  kind: 'wiggle-video',
  layout: wiggleLayout(SIZE),
  frameMs: WIGGLE_FRAME_MS,
  periods: 3,
  scene: scene((0.04 * 4) / 3),
};
const WIGGLE: Expected = {
  kind: 'wiggle',
  type: 'webp',
  layout: wiggleLayout(SIZE),
  scene: scene((0.04 * 4) / 3),
  frameMs: WIGGLE_FRAME_MS,
  of: source.picture,
};

const dir = mkdtempSync(join(tmpdir(), 'framelift-check-'));
const good = {} as Record<Format, string>;
beforeAll(async () => {
  requireBuilt();
  const renderer = createRenderer({ threads: 2 });
  for (const format of FORMAT_NAMES) {
    const target = { dir, name: 'good', options: { calibration: PANEL } };
    const { file } = await renderer.export(source, format, DEVICE, 100, target);
    good[format] = file.path;
  }
  await renderer.close();
});
afterAll(() => rmSync(dir, { recursive: true }));

const bad = join(dir, 'bad');
const refused = (expected: Expected, reason: RegExp) =>
  expect(checkFile(bad, expected)).rejects.toMatchObject({
    code: 'conversionFailed',
    message: expect.stringMatching(reason),
  });

/** Writes the quilt with the tile of each view replaced by that of another view. */
async function rearranged(viewFor: (view: number) => number): Promise<void> {
  const quilt = await sharp(good.quilt).raw().toBuffer();
  const raw = { raw: { width: 960, height: 960, channels: 3 as const } };
  const layers = await Promise.all(
    Array.from({ length: 48 }, async (_, view) => {
      const from = tileOfView(GRID, viewFor(view));
      const { x, y, width, height } = tileOfView(GRID, view);
      const input = await sharp(quilt, raw).extract({ left: from.x, top: from.y, width, height }).png().toBuffer();
      return { input, left: x, top: y };
    }),
  );
  await sharp(quilt, raw).composite(layers).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(bad);
}

describe('the check of a written file', () => {
  test('lets good files through', async () => {
    await checkFile(good.quilt, QUILT);
    await checkFile(good.sbs, PAIR);
    await checkFile(good.anaglyph, ANAGLYPH);
    await checkFile(good.wiggle, WIGGLE);
    await checkFile(good.wiggle_gif, { ...WIGGLE, type: 'gif', layout: wiggleLayout(SIZE) });
    await checkFile(good.spatial, SPATIAL);
    await checkFile(good.vr180, VR180);
    await checkFile(good.tb, STACKED);
    await checkFile(good.mpo, MULTI);
    await checkFile(good.jps, JPS);
    await checkFile(good.left, eye(-1));
    await checkFile(good.right, eye(1));
    await checkFile(good.native, NATIVE);
    await checkFile(good.wiggle_mp4, VIDEO);
    await checkFile(good.rgbd, { kind: 'rgbd', size: { width: 600, height: 400 }, depth });
    await checkFile(good.depth, { kind: 'depth', size: SIZE, depth });
    await checkFile(good.flat, { kind: 'flat', size: SIZE, picture: source.picture });
    await rearranged((view) => view);
    await checkFile(bad, QUILT);
  });

  test('finds a blank tile, of any colour', async () => {
    for (const background of ['black', 'grey', '#4a4b41']) {
      const { x, y, width, height } = tileOfView(GRID, 29);
      const input = await sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer();
      await sharp(good.quilt)
        .composite([{ input, left: x, top: y }])
        .jpeg()
        .toFile(bad);
      await refused(QUILT, /view 29 of 48 is blank/);
    }
  });

  test('[V60] finds a quilt that is reversed, upside down, or mirrored in its rows', async () => {
    await rearranged((view) => 47 - view);
    await refused(QUILT, /wrong order/);
    await rearranged((view) => (5 - Math.floor(view / 8)) * 8 + (view % 8));
    await refused(QUILT, /wrong order/);
    await rearranged((view) => Math.floor(view / 8) * 8 + 7 - (view % 8));
    await refused(QUILT, /wrong order/);
  });

  test('finds eyes that are exchanged, in a pair and in an anaglyph', async () => {
    const left = await sharp(good.sbs).extract({ left: 0, top: 0, width: 300, height: 400 }).png().toBuffer();
    const right = await sharp(good.sbs).extract({ left: 300, top: 0, width: 300, height: 400 }).png().toBuffer();
    await sharp(right)
      .extend({ right: 300 })
      .composite([{ input: left, left: 300, top: 0 }])
      .jpeg({ quality: 92 })
      .toFile(bad);
    await refused(PAIR, /wrong order/);
    const [r, g, b] = await Promise.all(
      [0, 1, 2].map((i) =>
        sharp(good.anaglyph)
          .extractChannel(i as 0)
          .toBuffer(),
      ),
    );
    await sharp(g)
      .joinChannel([r as Buffer, b as Buffer])
      .toColourspace('srgb')
      .jpeg({ quality: 92 })
      .toFile(bad);
    await refused(ANAGLYPH, /wrong order/);
  });

  test('finds eyes that are exchanged in a file of a 3D camera, one below the other, or alone', async () => {
    const encoded = async (path: string) => sharp(path).jpeg().toBuffer();
    writeFileSync(bad, multiPictureFile(await encoded(good.right), await encoded(good.left), SIZE));
    await refused(MULTI, /wrong order/);
    writeFileSync(bad, stereoJpegFile(await encoded(good.cross), true));
    await refused(JPS, /wrong order/);
    const half = { left: 0, width: 300, height: 400 };
    const [top, bottom] = await Promise.all([
      sharp(good.tb)
        .extract({ ...half, top: 0 })
        .png()
        .toBuffer(),
      sharp(good.tb)
        .extract({ ...half, top: 400 })
        .png()
        .toBuffer(),
    ]);
    await sharp(bottom)
      .extend({ bottom: 400 })
      .composite([{ input: top, left: 0, top: 400 }])
      .jpeg({ quality: 92 })
      .toFile(bad);
    await refused(STACKED, /wrong order/);
    writeFileSync(bad, readFileSync(good.left));
    await refused(eye(1), /wrong order/);
  });

  test('[V45] finds a multi-picture file without its second picture, its index or its numbers, and a JPS without descriptor', async () => {
    const bytes = readFileSync(good.mpo);
    writeFileSync(bad, bytes.subarray(0, bytes.length - 3000));
    await refused(MULTI, /cannot be read/);
    writeFileSync(bad, readFileSync(good.left));
    await refused(MULTI, /no multi-picture segment/);
    const other = Buffer.from(bytes);
    other[bytes.indexOf(Buffer.from([0x02, 0x00, 0x02, 0x20]))] = 0x03;
    writeFileSync(bad, other);
    await refused(MULTI, /no pair/);
    writeFileSync(bad, readFileSync(good.sbs));
    await refused(JPS, /no stereo descriptor/);
    await refused({ ...JPS, leftFirst: false } as Expected, /no stereo descriptor/);
    writeFileSync(bad, readFileSync(good.jps));
    await refused({ ...JPS, leftFirst: false } as Expected, /something else/);
  });

  test('[V60] finds a native picture of a panel whose lenses lie the other way round, and one that is reduced', async () => {
    writeFileSync(bad, readFileSync(good.native));
    await refused({ ...NATIVE, table: lensTable({ ...PANEL, invView: false }) } as Expected, /wrong order/);
    await sharp(good.native).jpeg().toFile(bad);
    await refused(NATIVE, /jpeg/);
    await sharp(good.native).resize(383, 512, { fit: 'fill' }).png().toFile(bad);
    await refused(NATIVE, /383 x 512/);
    await sharp({ create: { ...PANEL.screen, channels: 3, background: 'grey' } })
      .png()
      .toFile(bad);
    await refused(NATIVE, /blank/);
  });

  test('finds a spatial photo whose group names the eyes the other way round, or no longer has two', async () => {
    const group = (left: number, right: number, primary: number) => {
      const bytes = readFileSync(good.spatial);
      bytes.writeUInt16BE(primary, bytes.indexOf('pitm') + 8);
      const at = bytes.indexOf('ster') + 16;
      bytes.writeUInt32BE(left, at);
      bytes.writeUInt32BE(right, at + 4);
      writeFileSync(bad, bytes);
    };
    group(2, 1, 1);
    await refused(SPATIAL, /not the left eye/);
    group(2, 1, 2);
    await refused(SPATIAL, /wrong order/);
    group(1, 7, 1);
    await refused(SPATIAL, /cannot be read/);
    writeFileSync(bad, readFileSync(good.sbs));
    await refused(SPATIAL, /no pictures/);
  });

  test('finds half spheres that are exchanged, or of which one is empty', async () => {
    const eye = (left: number) =>
      sharp(good.vr180).extract({ left, top: 0, width: 1088, height: 1088 }).png().toBuffer();
    const [left, right] = [await eye(0), await eye(1088)];
    const beside = (first: Buffer, second: Buffer) =>
      sharp({ create: { width: 2176, height: 1088, channels: 3, background: 'black' } })
        .composite([
          { input: first, left: 0, top: 0 },
          { input: second, left: 1088, top: 0 },
        ])
        .jpeg({ quality: 92 })
        .toFile(bad);
    await beside(left, right);
    await checkFile(bad, VR180);
    await beside(right, left);
    await refused(VR180, /wrong order/);
    await beside(left, await sharp(right).linear(0).png().toBuffer());
    await refused(VR180, /blank/);
    writeFileSync(bad, readFileSync(good.sbs));
    await refused(VR180, /600 x 400/);
  });

  test('[V62] finds a video that is too short, is cut off, or shows the cameras the other way round', async () => {
    writeFileSync(bad, readFileSync(good.wiggle_mp4));
    await refused({ ...VIDEO, periods: 4 } as Expected, /72 frames, not 96/);
    await refused({ ...VIDEO, frameMs: 40 } as Expected, /it plays 4.32 s/);
    const mirrored = wiggleLayout(SIZE);
    const cells = mirrored.cells.map((cell) => ({ ...cell, position: -cell.position }));
    await refused({ ...VIDEO, layout: { ...mirrored, cells } } as Expected, /wrong order/);
    const bytes = readFileSync(good.wiggle_mp4);
    writeFileSync(bad, bytes.subarray(0, bytes.length / 2));
    await refused(VIDEO, /frames|cannot be read/);
    writeFileSync(bad, 'no video');
    await refused(VIDEO, /cannot be read/);
  });

  test('finds another size, another type, and files that are cut short', async () => {
    await sharp(good.quilt).resize(952, 960, { fit: 'fill' }).jpeg().toFile(bad);
    await refused(QUILT, /952 x 960/);
    await sharp(good.quilt).png().toFile(bad);
    await refused(QUILT, /png/);
    const bytes = readFileSync(good.quilt);
    writeFileSync(bad, bytes.subarray(0, bytes.length - 5000));
    await refused(QUILT, /cannot be read/);
    writeFileSync(bad, bytes.subarray(0, 20));
    await refused(QUILT, /cannot be read/);
    writeFileSync(bad, '');
    await refused(QUILT, /cannot be read/);
  });

  test('[V62] finds an animation that stands still, is too short, or stops', async () => {
    const animation = () => sharp(good.wiggle, { pages: -1 });
    const delay = new Array(24).fill(WIGGLE_FRAME_MS);
    await sharp(good.wiggle).webp().toFile(bad);
    await refused(WIGGLE, /single frame/);
    await sharp({ create: { ...SIZE, channels: 3, background: 'grey' } })
      .webp()
      .toFile(bad);
    await refused(WIGGLE, /single frame/);
    await animation()
      .webp({ delay: delay.map(() => 20), loop: 0 })
      .toFile(bad);
    await refused(WIGGLE, /it lasts/);
    await sharp(good.wiggle, { pages: 12 })
      .webp({ delay: delay.slice(12), loop: 0 })
      .toFile(bad);
    await refused(WIGGLE, /it lasts/);
    await animation().webp({ delay, loop: 3 }).toFile(bad);
    await refused(WIGGLE, /plays 3 times/);
  });

  test('finds depth that is inverted, blank or of 8 bits', async () => {
    const size = { width: 600, height: 400 };
    await sharp(good.rgbd).negate().png().toFile(bad);
    await refused({ kind: 'rgbd', size, depth }, /not the one/);
    await sharp({ create: { width: 300, height: 400, channels: 3, background: 'black' } })
      .toColourspace('grey16')
      .png()
      .toFile(bad);
    await refused({ kind: 'depth', size: SIZE, depth }, /not the one/);
    await sharp(good.depth).toColourspace('b-w').png().toFile(bad);
    await refused({ kind: 'depth', size: SIZE, depth }, /16-bit/);
  });

  test('finds a plain picture that is blank', async () => {
    await sharp({ create: { ...SIZE, channels: 3, background: '#808080' } })
      .jpeg()
      .toFile(bad);
    await refused({ kind: 'flat', size: SIZE, picture: source.picture }, /blank/);
  });
});
