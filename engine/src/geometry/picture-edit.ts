import type { Crop, PictureEdit, Rect, Size } from '../types.ts';

/*
 * A crop may turn the picture first. The order is: mirror left and right, turn clockwise by quarters, straighten. A
 * straightened picture is the largest rectangle of its own aspect ratio without empty corners, at the scale of the
 * source. Crops are rectangles of the picture so edited; with a border they contain all of it.
 */

/** The part of an edit that moves pixels: a border is only around them. */
type Move = Omit<PictureEdit, 'border'>;

/** Returns whether a crop changes the picture before it is cut. */
export const isEdited = ({ turn, mirror, tilt, border }: PictureEdit) => Boolean(turn || mirror || tilt || border);

/** Returns the size after the quarter turns. */
function turnedSize({ width, height }: Size, { turn }: Move): Size {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };
}

/** Returns the size of an edited picture in whole pixels; for any but a straightened one all its pixels. */
export function editedSize(upright: Size, edit: Move): Size {
  const { width, height } = turnedSize(upright, edit);
  if (!edit.tilt) return { width, height };
  const [cos, sin] = [Math.cos(radians(edit.tilt)), Math.abs(Math.sin(radians(edit.tilt)))];
  const scale = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Maps a position of the edited picture to the turned one before it was straightened, in pixels. */
export function straightenedFrom(
  [x, y]: readonly [number, number],
  upright: Size,
  edit: PictureEdit,
): [number, number] {
  if (!edit.tilt) return [x, y];
  const turned = turnedSize(upright, edit);
  const size = editedSize(upright, edit);
  const [cos, sin] = [Math.cos(radians(edit.tilt)), Math.sin(radians(edit.tilt))];
  const [dx, dy] = [x - size.width / 2, y - size.height / 2];
  return [turned.width / 2 + dx * cos + dy * sin, turned.height / 2 - dx * sin + dy * cos];
}

/** Maps a position of the edited picture to the upright source, in pixels. */
export function toUpright(at: readonly [number, number], upright: Size, edit: Move): [number, number] {
  const [x, y] = straightenedFrom(at, upright, edit);
  const { width, height } = upright;
  const [u, v] =
    edit.turn === 90
      ? [y, height - x]
      : edit.turn === 180
        ? [width - x, height - y]
        : edit.turn === 270
          ? [width - y, x]
          : [x, y];
  return [edit.mirror ? width - u : u, v];
}

/** Maps a position of the upright source to the edited picture, in pixels: the inverse of `toUpright`. */
export function fromUpright([x, y]: readonly [number, number], upright: Size, edit: Move): [number, number] {
  const { width, height } = upright;
  const u = edit.mirror ? width - x : x;
  const [across, down] =
    edit.turn === 90
      ? [height - y, u]
      : edit.turn === 180
        ? [width - u, height - y]
        : edit.turn === 270
          ? [y, width - u]
          : [u, y];
  if (!edit.tilt) return [across, down];
  const turned = turnedSize(upright, edit);
  const size = editedSize(upright, edit);
  const [cos, sin] = [Math.cos(radians(edit.tilt)), Math.sin(radians(edit.tilt))];
  const [dx, dy] = [across - turned.width / 2, down - turned.height / 2];
  return [size.width / 2 + dx * cos - dy * sin, size.height / 2 + dx * sin + dy * cos];
}

/** Returns the smallest rectangle of a ratio, in whole pixels, around a whole picture. It begins outside of it. */
export function wholeCrop(size: Size, [across, down]: readonly [width: number, height: number]): Rect {
  const width = Math.max(size.width, Math.round((size.height * across) / down));
  const height = Math.max(size.height, Math.round((width * down) / across));
  return { x: -Math.floor((width - size.width) / 2), y: -Math.floor((height - size.height) / 2), width, height };
}

/** Returns the part of a crop that shows the picture: all of it without a border. */
export function visiblePart(crop: Crop, upright: Size): Rect {
  if (!crop.border) return { x: crop.x, y: crop.y, width: crop.width, height: crop.height };
  const size = editedSize(upright, crop);
  const [x, y] = [Math.max(0, crop.x), Math.max(0, crop.y)];
  return {
    x,
    y,
    width: Math.min(size.width, crop.x + crop.width) - x,
    height: Math.min(size.height, crop.y + crop.height) - y,
  };
}
