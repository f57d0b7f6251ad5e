import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeJpeg, type Packed } from './encode.ts';

/** Returns a reproducible texture with edges, so that all blocks and strips differ. */
function texture(width: number, height: number): Packed {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0, seed = 7; i < data.length; i++) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    data[i] = (((i / 97) & 0x7f) + ((seed >> 16) & 0x3f) + (i % (3 * width) > width ? 64 : 0)) & 0xff;
  }
  return { data, width, height };
}

const decoded = (jpeg: Buffer) => sharp(jpeg).raw().toBuffer();
const inOnePiece = ({ data, width, height }: Packed, chromaSubsampling: string) =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling })
    .toBuffer();

/** Returns the second bytes of the restart markers in the scan. */
function restarts(jpeg: Buffer): number[] {
  const found: number[] = [];
  for (let at = jpeg.indexOf(Buffer.from([0xff, 0xda])); at >= 0; at = jpeg.indexOf(0xff, at + 1)) {
    const second = jpeg[at + 1] as number;
    if (second >= 0xd0 && second <= 0xd7) found.push(second);
  }
  return found;
}

test.each([
  [640, 480],
  [333, 251],
  [5, 9],
  [1, 1],
  [700, 33],
] as const)(
  '%i x %i pixels encoded in strips are those of one encoding, whatever the chroma',
  async (width, height) => {
    const packed = texture(width, height);
    for (const subsampling of ['4:4:4', '4:2:0'] as const) {
      const jpeg = await encodeJpeg(packed, subsampling);
      expect(await sharp(jpeg).metadata()).toMatchObject({ width, height, chromaSubsampling: subsampling });
      expect((await decoded(jpeg)).equals(await decoded(await inOnePiece(packed, subsampling))), subsampling).toBe(
        true,
      );
    }
  },
);

test('the strips cost little: the file grows by less than a tenth', async () => {
  const packed = texture(900, 700);
  const [ours, one] = await Promise.all([encodeJpeg(packed, '4:4:4'), inOnePiece(packed, '4:4:4')]);
  expect(restarts(ours)).toEqual([0xd0, 0xd1, 0xd2]);
  expect(ours.length).toBeLessThan(1.1 * one.length);
});

test('a wide picture has more strips than there are restart markers, which then start over', async () => {
  const [width, height] = [16_384, 2300];
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) data.fill((37 * y) >> 3, 3 * width * y, 3 * width * (y + 1));
  const packed = { data, width, height };
  const jpeg = await encodeJpeg(packed, '4:4:4');
  expect(restarts(jpeg)).toEqual([0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd0]);
  expect((await decoded(jpeg)).equals(await decoded(await inOnePiece(packed, '4:4:4')))).toBe(true);
});
