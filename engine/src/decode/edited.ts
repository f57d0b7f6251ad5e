import { straightenedFrom } from '../geometry/index.ts';
import type { Crop, Picture, Rect, Size } from '../types.ts';
import { sharp } from './decoder.ts';
import { bothTurns, type Orientation } from './orientation.ts';

const TURNS = { 0: 1, 90: 6, 180: 3, 270: 8 } as const satisfies Record<number, Orientation>;

/** Returns the orientation that mirrors and turns an upright picture: no pixel is resampled. */
export const editOrientation = ({ turn = 0, mirror }: Crop): Orientation => bothTurns(mirror ? 2 : 1, TURNS[turn]);

/** Returns the part of the turned picture from which a part of the straightened one is sampled. */
export function straightenedSource(part: Rect, upright: Size, turned: Size, crop: Crop): Rect {
  const corners = [
    [part.x, part.y],
    [part.x + part.width, part.y],
    [part.x, part.y + part.height],
    [part.x + part.width, part.y + part.height],
  ].map(([x, y]) => straightenedFrom([x as number, y as number], upright, crop));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  // One pixel more on each side, between which the outermost samples lie.
  const x = Math.max(0, Math.floor(Math.min(...xs)) - 1);
  const y = Math.max(0, Math.floor(Math.min(...ys)) - 1);
  return {
    x,
    y,
    width: Math.min(turned.width, Math.ceil(Math.max(...xs)) + 1) - x,
    height: Math.min(turned.height, Math.ceil(Math.max(...ys)) + 1) - y,
  };
}

/**
 * Samples a part of the straightened picture bilinearly.
 * @param box the part of the turned picture that `source` shows, perhaps scaled
 */
export function straighten(
  source: Picture,
  box: Rect,
  part: Rect,
  size: Size,
  { upright, crop }: { readonly upright: Size; readonly crop: Crop },
): Picture {
  const { width, height } = size;
  const data = new Uint8Array(width * height * 3);
  const [scaleX, scaleY] = [source.width / box.width, source.height / box.height];
  const at = (i: number, j: number): [number, number] => {
    const [x, y] = straightenedFrom(
      [part.x + (i * part.width) / width, part.y + (j * part.height) / height],
      upright,
      crop,
    );
    return [(x - box.x) * scaleX - 0.5, (y - box.y) * scaleY - 0.5];
  };
  // The mapping is linear: three of its values determine all others.
  const [originX, originY] = at(0.5, 0.5);
  const [rightX, rightY] = at(1.5, 0.5);
  const [downX, downY] = at(0.5, 1.5);
  const [ix, iy, jx, jy] = [rightX - originX, rightY - originY, downX - originX, downY - originY];
  const [lastX, lastY] = [source.width - 1, source.height - 1];
  const row = source.width * 3;
  for (let j = 0, to = 0; j < height; j++) {
    for (let i = 0; i < width; i++, to += 3) {
      const x = Math.min(lastX, Math.max(0, originX + i * ix + j * jx));
      const y = Math.min(lastY, Math.max(0, originY + i * iy + j * jy));
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [across, down] = [x - left, y - top];
      const from = top * row + left * 3;
      const next = left < lastX ? 3 : 0;
      const below = top < lastY ? row : 0;
      for (let c = 0; c < 3; c++) {
        const at = from + c;
        const upper = (source.data[at] as number) * (1 - across) + (source.data[at + next] as number) * across;
        const lower =
          (source.data[at + below] as number) * (1 - across) + (source.data[at + below + next] as number) * across;
        data[to + c] = Math.round(upper * (1 - down) + lower * down);
      }
    }
  }
  return { data, width, height };
}

/** Longer side in pixels of the copy that is blurred for a border, its blur, and its brightness. */
const BLURRED = { px: 96, sigma: 4, brightness: 0.6 } as const;

/** Places a picture on a border of the given size. @param at its left and top edge in pixels */
export async function withBorder(
  picture: Picture,
  border: NonNullable<Crop['border']>,
  size: Size,
  at: readonly [number, number],
): Promise<Picture> {
  const { width, height } = size;
  const ground =
    border === 'blur'
      ? await blurred(picture, size)
      : sharp({ create: { width, height, channels: 3, background: border } });
  const data = await ground
    .composite([
      {
        input: Buffer.from(picture.data.buffer, picture.data.byteOffset, picture.data.length),
        raw: rawOf(picture),
        left: at[0],
        top: at[1],
      },
    ])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { data, width, height };
}

async function blurred(picture: Picture, { width, height }: Size) {
  const scale = BLURRED.px / Math.max(width, height);
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const { data, info } = await sharp(picture.data, { raw: rawOf(picture) })
    .resize({ ...small, fit: 'cover' })
    .blur(BLURRED.sigma)
    .modulate({ brightness: BLURRED.brightness })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const enlarged = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return sharp(enlarged, { raw: { width, height, channels: 3 } });
}

/** Scales a picture to a size; returns the same object if it has it. */
export async function resized(picture: Picture, { width, height }: Size): Promise<Picture> {
  if (picture.width === width && picture.height === height) return picture;
  const data = await sharp(picture.data, { raw: rawOf(picture) })
    .resize({ width, height, fit: 'fill' })
    .raw()
    .toBuffer();
  return { data, width, height };
}

const rawOf = ({ width, height }: Size) => ({ width, height, channels: 3 }) as const;
