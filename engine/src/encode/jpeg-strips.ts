import type { Sharp } from 'sharp';
import { EngineError } from '../errors.ts';

/** Minimum number of strips per picture: enough to keep all cores of a small server busy. */
const STRIPS = 4;
/** The restart interval is a 16-bit count of MCUs (ITU-T T.81, B.2.4.4). */
const LONGEST_INTERVAL = 0xffff;

const SOF0 = 0xc0;
const SOS = 0xda;
const DRI = 0xdd;
const RST0 = 0xd0;

/** A parsed baseline JPEG. Offsets refer to `head`, which ends before SOS. */
interface Strip {
  readonly head: Buffer;
  readonly heightAt: number;
  readonly sos: Buffer;
  /** Entropy-coded data, byte-aligned. */
  readonly scan: Buffer;
}

/**
 * Encodes a picture as horizontal strips in parallel and joins them into one JPEG. A decoder resets its state at each
 * restart marker, like the encoder does at each strip, so the pixels equal those of a single encoding.
 * @param strip returns the rows `top` … `top + rows - 1`, ready to be encoded
 */
export async function encodeInStrips(
  size: { readonly width: number; readonly height: number },
  quality: number,
  subsampling: '4:4:4' | '4:2:0',
  strip: (top: number, rows: number) => Sharp,
): Promise<Buffer> {
  const mcu = subsampling === '4:4:4' ? 8 : 16;
  const columns = Math.ceil(size.width / mcu);
  const rows = Math.min(Math.ceil(size.height / mcu / STRIPS), Math.floor(LONGEST_INTERVAL / columns));
  const pixelRows = rows * mcu;
  const tops = Array.from({ length: Math.ceil(size.height / pixelRows) }, (_, i) => i * pixelRows);
  const strips = await Promise.all(
    tops.map(async (top) =>
      takeApart(
        await strip(top, Math.min(pixelRows, size.height - top))
          // The strips share one header, so all must use the standard Huffman tables; files grow by a few percent.
          .jpeg({ quality, chromaSubsampling: subsampling, optimiseCoding: false })
          .toBuffer(),
      ),
    ),
  );
  return join(strips, size.height, columns * rows);
}

function takeApart(jpeg: Buffer): Strip {
  let heightAt = -1;
  for (let at = 2; at < jpeg.length; ) {
    const marker = jpeg[at + 1];
    const next = at + 2 + jpeg.readUInt16BE(at + 2);
    if (marker === SOF0) heightAt = at + 5;
    if (marker === SOS && heightAt > 0) {
      // The scan ends before EOI, the last two bytes.
      return {
        head: jpeg.subarray(0, at),
        heightAt,
        sos: jpeg.subarray(at, next),
        scan: jpeg.subarray(next, jpeg.length - 2),
      };
    }
    at = next;
  }
  throw new EngineError('conversionFailed', 'the JPEG encoder wrote no baseline picture');
}

function join(strips: readonly Strip[], height: number, interval: number): Buffer {
  const heads = strips.map(({ head, heightAt }) => {
    const copy = Buffer.from(head);
    copy.writeUInt16BE(height, heightAt);
    return copy;
  });
  const [first, ...others] = heads as [Buffer, ...Buffer[]];
  if (others.some((head) => !head.equals(first)))
    throw new EngineError('conversionFailed', 'the strips of a JPEG were encoded differently');
  const dri = Buffer.from([0xff, DRI, 0, 4, interval >> 8, interval & 0xff]);
  const scans = strips.flatMap(({ scan }, i) => (i === 0 ? [scan] : [Buffer.from([0xff, RST0 + ((i - 1) % 8)]), scan]));
  return Buffer.concat([first, dri, (strips[0] as Strip).sos, ...scans, Buffer.from([0xff, 0xd9])]);
}
