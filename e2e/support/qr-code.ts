import { writeFile } from 'node:fs/promises';
import encodeQR from 'qr';

const WIDTH = 640;
const HEIGHT = 480;
const PIXELS_PER_MODULE = 5;
const WALL = 110;
const PAPER = 225;
const INK = 30;

/** Returns a picture of a QR code, as a GIF. */
export const photoOfCode = (text: string): Buffer => Buffer.from(encodeQR(text, 'gif', { scale: PIXELS_PER_MODULE }));

/** Records a video of a QR code on a wall for Chromium's fake camera, which plays it in a loop. */
export async function recordCode(text: string, file: string): Promise<void> {
  const modules = encodeQR(text, 'raw', { border: 4 });
  const luma = new Uint8Array(WIDTH * HEIGHT).fill(WALL);
  const size = modules.length * PIXELS_PER_MODULE;
  const [left, top] = [Math.floor((WIDTH - size) / 2), Math.floor((HEIGHT - size) / 2)];
  for (let y = 0; y < size; y++) {
    const row = modules[Math.floor(y / PIXELS_PER_MODULE)];
    const start = (top + y) * WIDTH + left;
    for (let x = 0; x < size; x++) luma[start + x] = row?.[Math.floor(x / PIXELS_PER_MODULE)] ? INK : PAPER;
  }
  const chroma = new Uint8Array((WIDTH * HEIGHT) / 2).fill(128);
  const frame = [Buffer.from('FRAME\n'), luma, chroma];
  await writeFile(
    file,
    Buffer.concat([
      Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`),
      ...Array.from({ length: 3 }, () => frame).flat(),
    ]),
  );
}
