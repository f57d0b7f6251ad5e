import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cropProblem, editedSize, fromUpright, toUpright, wholeCrop } from '../geometry/index.ts';
import { colourAt, difference, drawScene, phoneJpeg, storedAs } from '../testing/pictures.ts';
import type { Crop, Picture, PictureEdit, Size } from '../types.ts';
import { openPicture } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-edited-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SIZE: Size = { width: 1200, height: 800 };
const scene = drawScene(SIZE.width, SIZE.height);

let count = 0;
async function openScene(orientation = 1) {
  const path = join(folder, `${count++}.jpg`);
  writeFileSync(path, await phoneJpeg(storedAs(scene, orientation), orientation));
  return openPicture(path);
}

/** Draws a crop as a browser does: each of its pixels is read where `toUpright` says, the nearest pixel of the scene. */
function drawn(crop: Crop): Picture {
  const { width, height } = crop;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to += 3) {
      const [u, v] = toUpright([crop.x + x + 0.5, crop.y + y + 0.5], SIZE, crop);
      const column = Math.min(SIZE.width - 1, Math.max(0, Math.floor(u)));
      const row = Math.min(SIZE.height - 1, Math.max(0, Math.floor(v)));
      for (let c = 0; c < 3; c++) data[to + c] = scene.data[(row * SIZE.width + column) * 3 + c] as number;
    }
  return { data, width, height };
}

const EDITS: readonly PictureEdit[] = ([0, 90, 180, 270] as const).flatMap((turn) => [
  { turn },
  { turn, mirror: true },
]);

describe('a picture that is turned before it is cut', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with EXIF orientation %i is the same, turned and mirrored in every way, as its upright copy [A24] [A25] [A26]',
    async (orientation) => {
      const opened = await openScene(orientation);
      for (const edit of EDITS) {
        const size = editedSize(SIZE, edit);
        // Off the middle, so that a wrong turn shows another part.
        const crop = { ...edit, x: 10, y: 40, width: size.width - 130, height: size.height - 60 };
        const made = await opened.cut(crop);
        expect([made.width, made.height]).toEqual([crop.width, crop.height]);
        expect(await difference(made, drawn(crop)), JSON.stringify(edit)).toBeLessThan(4);
      }
    },
  );

  test.each([7, -30, 45])('is straightened by %i degrees, without empty corners', async (tilt) => {
    const opened = await openScene(6);
    for (const edit of [{ tilt }, { tilt, turn: 270, mirror: true }] as const) {
      const size = editedSize(SIZE, edit);
      const whole = { ...edit, x: 0, y: 0, ...size };
      for (const [x, y] of [
        [0, 0],
        [size.width, 0],
        [0, size.height],
        [size.width, size.height],
      ] as const) {
        const [u, v] = toUpright([x, y], SIZE, edit);
        expect(Math.min(u, v, SIZE.width - u, SIZE.height - v)).toBeGreaterThan(-1e-6);
        const [back, down] = fromUpright([u, v], SIZE, edit);
        expect(Math.abs(back - x) + Math.abs(down - y)).toBeLessThan(1e-6);
      }
      expect(cropProblem(whole, SIZE)).toBeNull();
      expect(cropProblem({ ...whole, width: size.width + 1 }, SIZE)).toBe('cropOutsidePicture');
      const made = await opened.cut(whole);
      expect([made.width, made.height]).toEqual([size.width, size.height]);
      // Edges are sampled between two pixels, which the nearest one of the drawing is not.
      expect(await difference(made, drawn(whole))).toBeLessThan(6);
    }
  });

  test('is shown whole on a border that is a blurred, darker copy of it or a colour', async () => {
    const opened = await openScene();
    for (const edit of [{}, { turn: 90 }, { tilt: 10 }] as const) {
      const size = editedSize(SIZE, edit);
      const rect = wholeCrop(size, [3, 4]);
      expect(rect.width / rect.height).toBeCloseTo(3 / 4, 2);
      for (const border of ['#203040', 'blur'] as const) {
        const crop = { ...edit, ...rect, border };
        expect(cropProblem(crop, SIZE)).toBeNull();
        const made = await opened.cut(crop);
        expect([made.width, made.height]).toEqual([rect.width, rect.height]);
        const left = -rect.x;
        const top = -rect.y;
        const inside = { ...size, data: new Uint8Array(size.width * size.height * 3) };
        for (let y = 0; y < size.height; y++) {
          const from = ((y + top) * made.width + left) * 3;
          inside.data.set(made.data.subarray(from, from + size.width * 3), y * size.width * 3);
        }
        expect(await difference(inside, drawn({ ...edit, x: 0, y: 0, ...size }))).toBeLessThan(6);
        if (top > 0 && border !== 'blur') expect(colourAt(made, 0.5, 0.01)).toEqual([0x20, 0x30, 0x40]);
        if (top > 0 && border === 'blur') {
          const [r, g, b] = colourAt(made, 0.5, 0.01);
          expect(r + g + b).toBeGreaterThan(0);
          expect(r + g + b).toBeLessThan(600);
        }
      }
      // A border around a part of the picture is a crop, not the whole picture.
      expect(cropProblem({ ...edit, x: 2, y: 2, width: 600, height: 800, border: 'blur' }, SIZE)).toBe(
        'cropOutsidePicture',
      );
    }
  });
});
