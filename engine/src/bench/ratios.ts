import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { tileSize } from '../formats/index.ts';
import { openPicture } from '../picture/open.ts';
import { createEngine } from '../pipeline/engine.ts';
import type { ConversionRequest, DeviceProfile, Format, Rect } from '../types.ts';
import { median, medianTime } from './median.ts';

export interface RatioFigures {
  readonly width: number;
  readonly height: number;
  /** Drawing the views, ms. */
  readonly viewsMs: number;
  /** Composing and encoding the file, ms. */
  readonly packMs: number;
  /** sharp alone encoding the same pixels: quality 92, 4:4:4, ms. */
  readonly jpegMs: number;
  readonly viewsAndPackingOverJpeg: number;
}

/** What views and packing of one format cost, against the encoding of its result. Depth is given, in a warm engine. */
export async function measureRatio(
  request: Omit<ConversionRequest, 'outDir' | 'formats'>,
  format: Format,
  scratch: string,
  runs: number,
): Promise<RatioFigures> {
  const engine = createEngine();
  const views: number[] = [];
  const pack: number[] = [];
  let result = '';
  const once = async () => {
    const outDir = await mkdtemp(join(scratch, 'ratio-'));
    const { times, files } = await engine.convert({ ...request, formats: [format], outDir });
    views.push(times.views ?? 0);
    pack.push(times.pack ?? 0);
    result = files[0]?.path ?? '';
  };
  try {
    await once();
    views.length = pack.length = 0;
    for (let i = 0; i < runs; i++) await once();
  } finally {
    await engine.close();
  }
  const { data, info } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  const jpegMs = await medianTime(runs, () =>
    sharp(data, { raw }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer(),
  );
  const [viewsMs, packMs] = [median(views), median(pack)];
  return {
    width: info.width,
    height: info.height,
    viewsMs,
    packMs,
    jpegMs,
    viewsAndPackingOverJpeg: (viewsMs + packMs) / jpegMs,
  };
}

/** The least a quilt can cost: the same decoding and encoding, every tile the same picture. Milliseconds. */
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
    const size = { width: grid.width, height: grid.height, channels: 3 } as const;
    await sharp(quilt, { raw: size }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer();
  });
}
