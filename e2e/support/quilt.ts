import sharp from 'sharp';

/** A decoded quilt: view 0 at the bottom left, the last one at the top right. */
export interface Quilt {
  readonly width: number;
  readonly height: number;
  readonly tile: { readonly width: number; readonly height: number };
  /** Luma of each view, row by row. */
  readonly views: readonly Uint8Array[];
}

export async function readQuilt(file: Buffer, columns: number, rows: number): Promise<Quilt> {
  const { data, info } = await sharp(file).greyscale().raw().toBuffer({ resolveWithObject: true });
  const tile = { width: Math.floor(info.width / columns), height: Math.floor(info.height / rows) };
  const views = Array.from({ length: columns * rows }, (_, view) => {
    const left = (view % columns) * tile.width;
    const top = info.height - (Math.floor(view / columns) + 1) * tile.height;
    const pixels = new Uint8Array(tile.width * tile.height);
    for (let y = 0; y < tile.height; y++) {
      const from = (top + y) * info.width + left;
      pixels.set(data.subarray(from, from + tile.width), y * tile.width);
    }
    return pixels;
  });
  return { width: info.width, height: info.height, tile, views };
}

/** Returns the depth of the same crop, 0 far … 255 near, at the size of a tile. */
export async function readDepth(file: Buffer, tile: Quilt['tile']): Promise<Uint8Array> {
  const { data } = await sharp(file)
    .resize(tile.width, tile.height, { fit: 'fill' })
    .greyscale()
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return new Uint8Array(data);
}

/** Returns the mean absolute difference of two views, in grey levels. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / a.length;
}

interface Block {
  readonly x: number;
  readonly y: number;
}

const BLOCK = 40;
const REACH = 40;

/**
 * Returns blocks of the first view with enough texture to be matched, from those whose depth is nearly constant and
 * among the nearest (`near`) and farthest (`far`) of the picture.
 */
export function nearAndFarBlocks(quilt: Quilt, depth: Uint8Array): { near: Block[]; far: Block[] } {
  const { width, height } = quilt.tile;
  const first = quilt.views[0] ?? new Uint8Array();
  const candidates: (Block & { depth: number })[] = [];
  for (let y = BLOCK; y + 2 * BLOCK < height; y += BLOCK / 2) {
    for (let x = REACH; x + BLOCK + REACH < width; x += BLOCK / 2) {
      const grey = statistics(first, width, x, y);
      const near = statistics(depth, width, x, y);
      if (grey.deviation > 14 && near.deviation < 8) candidates.push({ x, y, depth: near.mean });
    }
  }
  candidates.sort((a, b) => a.depth - b.depth);
  const share = Math.max(4, Math.floor(candidates.length * 0.15));
  return { far: candidates.slice(0, share), near: candidates.slice(-share) };
}

function statistics(pixels: Uint8Array, width: number, left: number, top: number): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (let y = top; y < top + BLOCK; y++) {
    for (let x = left; x < left + BLOCK; x++) {
      const value = pixels[y * width + x] ?? 0;
      sum += value;
      squares += value * value;
    }
  }
  const count = BLOCK * BLOCK;
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

/**
 * Returns how far blocks moved to the right from view `from` to view `to`, in tile pixels: the median over the blocks.
 */
export function drift(quilt: Quilt, blocks: readonly Block[], from: number, to: number): number {
  const a = quilt.views[from];
  const b = quilt.views[to];
  if (!a || !b || blocks.length === 0) throw new Error('Nothing to compare');
  const shifts = blocks.map((block) => bestShift(a, b, quilt.tile.width, block)).sort((x, y) => x - y);
  return shifts[Math.floor(shifts.length / 2)] ?? 0;
}

function bestShift(a: Uint8Array, b: Uint8Array, width: number, { x: left, y: top }: Block): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let shift = -REACH; shift <= REACH; shift++) {
    let sum = 0;
    for (let y = top; y < top + BLOCK && sum < least; y++) {
      const row = y * width;
      for (let x = left; x < left + BLOCK; x++) sum += Math.abs((a[row + x] ?? 0) - (b[row + x + shift] ?? 0));
    }
    if (sum < least) {
      least = sum;
      best = shift;
    }
  }
  return best;
}
