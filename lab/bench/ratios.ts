import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from '@framelift/contract/formats';
import sharp, { type Sharp } from 'sharp';
import { openPicture } from '../../engine/src/decode/open.ts';
import { tileSize } from '../../engine/src/formats/index.ts';
import { createEngine } from '../../engine/src/process/engine.ts';
import type { DeviceProfile, PictureRequest, Rect, Size } from '../../engine/src/types.ts';
import { median, medianTime } from './median.ts';

export interface RatioFigures {
  readonly width: number;
  readonly height: number;
  /** Time to draw the views, in ms. */
  readonly viewsMs: number;
  /** Time to compose and encode the file, in ms. */
  readonly packMs: number;
  /** Time for sharp alone to encode the same pixels (quality 92, 4:4:4), in ms. */
  readonly jpegMs: number;
  readonly viewsAndPackingOverJpeg: number;
}

/**
 * Measures views and packing of one format relative to encoding its result, with given depth in a warm engine. Each
 * conversion is followed by an encoding, and the ratio is the median over these pairs, so that background load affects
 * both about equally.
 */
export async function measureRatio(
  request: Omit<PictureRequest, 'outDir' | 'formats'>,
  format: Format,
  scratch: string,
  runs: number,
): Promise<RatioFigures> {
  const engine = createEngine();
  try {
    const pairs: { viewsMs: number; packMs: number; jpegMs: number; size: Size }[] = [];
    // The first pair warms up the engine.
    for (let i = 0; i <= runs; i++) {
      const outDir = await mkdtemp(join(scratch, 'ratio-'));
      const { times, files } = await engine.convert({ ...request, formats: [format], outDir });
      const { data, info } = await sharp(files[0]?.path).raw().toBuffer({ resolveWithObject: true });
      const started = performance.now();
      await jpeg(data, info).toBuffer();
      const jpegMs = performance.now() - started;
      pairs.push({ viewsMs: times.views ?? 0, packMs: times.pack ?? 0, jpegMs, size: info });
    }
    const warm = pairs.slice(1);
    const { width, height } = (warm[0] as (typeof warm)[number]).size;
    return {
      width,
      height,
      viewsMs: median(warm.map(({ viewsMs }) => viewsMs)),
      packMs: median(warm.map(({ packMs }) => packMs)),
      jpegMs: median(warm.map(({ jpegMs }) => jpegMs)),
      viewsAndPackingOverJpeg: median(warm.map(({ viewsMs, packMs, jpegMs }) => (viewsMs + packMs) / jpegMs)),
    };
  } finally {
    await engine.close();
  }
}

/** Encoder settings for pictures with adjacent views. */
function jpeg(data: Uint8Array, { width, height }: Size): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' });
}

/** Measures the lower bound for a quilt in ms: the same decoding and encoding, the same picture in each tile. */
export async function measureIdentity(photo: string, crop: Rect, device: DeviceProfile, runs: number): Promise<number> {
  const grid = device.quilt;
  if (!grid) throw new Error(`${device.slug} has no quilt`);
  const { width, height } = tileSize(grid);
  return medianTime(runs, async () => {
    const picture = await (await openPicture(photo)).cut(crop);
    const raw = { width: picture.width, height: picture.height, channels: 3 } as const;
    const tile = await sharp(picture.data, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
    const quilt = Buffer.alloc(grid.width * grid.height * 3);
    for (let view = 0; view < grid.columns * grid.rows; view++) {
      const left = (view % grid.columns) * width;
      const top = Math.floor(view / grid.columns) * height;
      for (let y = 0; y < height; y++)
        tile.copy(quilt, ((top + y) * grid.width + left) * 3, y * width * 3, (y + 1) * width * 3);
    }
    await jpeg(quilt, grid).toBuffer();
  });
}
