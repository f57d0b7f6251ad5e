import type { AnimatedType } from '@framelift/contract/animation';
import sharp from 'sharp';
import { assemblePng, type Chunk, readChunks } from '../decode/png.ts';
import type { Size } from '../types.ts';

/** Encodes an animation without end. Frames are RGBA; each is shown for its delay in milliseconds. */
export async function encodeAnimation(
  type: AnimatedType,
  { width, height }: Size,
  frames: readonly Buffer[],
  delays: readonly number[],
): Promise<Buffer> {
  const raw = { width, height: height * frames.length, channels: 4, pageHeight: height } as const;
  const all = sharp(Buffer.concat(frames), { raw });
  if (type === 'gif') return all.gif({ delay: [...delays] }).toBuffer();
  if (type === 'webp') return all.webp({ delay: [...delays], lossless: true }).toBuffer();
  const still = (data: Buffer) => sharp(data, { raw: { width, height, channels: 4 } });
  return apng(await Promise.all(frames.map((data) => still(data).png().toBuffer())), delays);
}

/** Assembles an APNG from PNG files of one size and their delays in milliseconds (PNG 3, §11.3.6). */
function apng(frames: readonly Buffer[], delays: readonly number[]): Buffer {
  let sequence = 0;
  const chunks = frames.flatMap((file, i) => {
    const all = [...readChunks(file)];
    const header = all.find(({ type }) => type === 'IHDR')?.body as Buffer;
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    control.set(header.subarray(0, 8), 4);
    control.writeUInt16BE(delays[i] as number, 20);
    control.writeUInt16BE(1000, 22);
    const pixels = all.flatMap(({ type, body }): Chunk[] => {
      if (type !== 'IDAT') return [];
      if (i === 0) return [['IDAT', body]];
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++);
      return [['fdAT', Buffer.concat([number, body])]];
    });
    return i === 0
      ? [['IHDR', header] as const, ['acTL', counts(frames.length)] as const, ['fcTL', control] as const, ...pixels]
      : [['fcTL', control] as const, ...pixels];
  });
  return assemblePng(chunks);
}

/** Number of frames, and of rounds: 0 for ever. */
function counts(frames: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(frames);
  return body;
}
