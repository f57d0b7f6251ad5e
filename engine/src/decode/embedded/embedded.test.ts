import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Plane } from '../../depth/plane.ts';
import { spatialPhotoFile } from '../../encode/spatial-photo.ts';
import { requireBuilt } from '../../testing/built.ts';
import {
  beside,
  type DirectoryItem,
  dynamicDepthPhoto,
  gdepthPhoto,
  greyJpeg,
  greyPicture,
  multiPicture,
  plane,
  segment,
  stereoJpegFile,
  stereoScene,
  withSegments,
  xmpSegment,
} from '../../testing/depth-photos.ts';
import { DEPTH_URN, heicFile } from '../../testing/heic.ts';
import { draw, drawScene, encoder, storedAs } from '../../testing/pictures.ts';
import { sharedData } from '../../testing/shared-data.ts';
import type { DepthMap, Picture, Rect, Size } from '../../types.ts';
import { readHeader } from '../header.ts';
import { uprightSize } from '../orientation.ts';
import { findPair, leftEyeHeader } from '../stereo/find-pair.ts';
import { type EmbeddedDepth, findEmbeddedDepth } from './index.ts';

beforeAll(requireBuilt);

/** An off-centre hill that differs from all of its rotations and mirror images. Its top is near. */
const hill = (u: number, v: number) => 0.1 + 0.8 * Math.exp(-12 * ((u - 0.35) ** 2 + (v - 0.3) ** 2)) * (0.4 + 0.6 * v);
const WHOLE: Rect = { x: 0, y: 0, width: 480, height: 360 };

async function embeddedIn(file: Buffer): Promise<EmbeddedDepth | null> {
  const header = await readHeader(file);
  const pair = header.stereo ? null : await findPair(file, header, {});
  return findEmbeddedDepth(file, pair ? leftEyeHeader(header, pair) : header);
}

async function cutOf(file: Buffer, crop: Rect = WHOLE): Promise<DepthMap> {
  const depth = (await embeddedIn(file))?.cut(crop);
  if (!depth) throw new Error('no depth in this file');
  return depth;
}

/** Largest deviation from a function of position, both stretched to 0 … 1 between the 0.5th and 99.5th percentiles. */
function off({ data, width, height }: Plane, value: (u: number, v: number) => number): number {
  const wanted = plane(width, height, value).data;
  const sorted = wanted.slice().sort();
  const low = sorted[Math.floor(sorted.length * 0.005)] as number;
  const high = sorted[Math.floor(sorted.length * 0.995)] as number;
  let most = 0;
  for (let i = 0; i < data.length; i++) {
    const stretched = Math.min(1, Math.max(0, ((wanted[i] as number) - low) / (high - low)));
    most = Math.max(most, Math.abs((data[i] as number) - stretched));
  }
  return most;
}

const photo = (size: Size = WHOLE) => encoder(drawScene(size.width, size.height)).jpeg().toBuffer();
/** 0 is near, as in Google's formats. */
const farMap = (value: (u: number, v: number) => number = hill) =>
  encoder(greyPicture(plane(240, 180, (u, v) => 1 - value(u, v))))
    .toColourspace('b-w')
    .png()
    .toBuffer();

describe('portrait-mode HEIC', () => {
  const grey = plane(480, 360, (u) => u);
  const map = plane(240, 180, hill);

  test('its disparity becomes depth, near is near', async () => {
    const depth = await cutOf(await heicFile({ grey }, [{ type: DEPTH_URN, grey: map }]));
    expect(depth.source).toBe('embedded');
    expect(off(depth, hill)).toBeLessThan(0.03);
  });

  test('a crop takes its part of it', async () => {
    const file = await heicFile({ grey }, [{ type: DEPTH_URN, grey: map }]);
    const depth = await cutOf(file, { x: 40, y: 60, width: 270, height: 360 - 90 });
    expect(off(depth, (u, v) => hill((40 + 270 * u) / 480, (60 + 270 * v) / 360))).toBeLessThan(0.03);
  });

  test.each([
    ['its own turn', { quarters: 3, mirror: 0 }],
    ['the turn of the picture alone', {}],
  ] as const)('a turned and mirrored one stands upright like its picture, by %s [V17][V19]', async (_, own) => {
    const picture = plane(480, 360, (u, v) => 0.15 + 0.7 * hill(u, v));
    const file = await heicFile({ grey: picture, quarters: 3, mirror: 0 }, [{ type: DEPTH_URN, grey: map, ...own }]);
    const header = await readHeader(file);
    expect(header.stored).toEqual({ width: 360, height: 480 });
    const colour = header.heif?.decode({ x: 0, y: 0, width: 360, height: 480 });
    const depth = await cutOf(file, { x: 0, y: 0, width: 360, height: 480 });
    const brightness = (u: number, v: number) =>
      (colour?.samples.data[(Math.floor(v * 480) * 360 + Math.floor(u * 360)) * 3] as number) / 255;
    expect(off(depth, brightness)).toBeLessThan(0.04);
  });

  test('a map in metres is turned round', async () => {
    const metres = plane(240, 180, (u, v) => (1 / (0.2 + hill(u, v)) - 0.9) / 4);
    const xmp =
      '<rdf:Description xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"><apdi:AuxiliaryImageType>depth' +
      '</apdi:AuxiliaryImageType><apdi:FloatMinValue>0.9</apdi:FloatMinValue>' +
      '<apdi:FloatMaxValue>4.9</apdi:FloatMaxValue></rdf:Description>';
    const depth = await cutOf(await heicFile({ grey }, [{ type: DEPTH_URN, grey: metres, xmp }]));
    expect(off(depth, hill)).toBeLessThan(0.06);
  });

  test('a damaged map leaves the picture whole', async () => {
    const file = await heicFile({ grey }, [{ type: DEPTH_URN, grey: map }]);
    for (const round of [0, 1, 2, 3, 4, 5]) {
      const damaged = Buffer.from(file);
      // The map's pixel data is at the end of the file.
      damaged.fill(37 * round, damaged.length - 400 * (round + 1));
      const header = await readHeader(damaged);
      const depth = (await findEmbeddedDepth(damaged, header))?.cut(WHOLE);
      expect(depth?.data.every(Number.isFinite) ?? true).toBe(true);
      expect(header.heif?.decode(WHOLE).samples.data[(180 * 480 + 240) * 3]).toBeCloseTo(128, -1);
    }
  });

  test.each([
    ['a gain map is no depth', 'urn:com:apple:photo:2020:aux:hdrgainmap', map],
    ['a matte is no depth', 'urn:com:apple:photo:2018:aux:portraiteffectsmatte', map],
    ['a flat map is ignored', DEPTH_URN, plane(240, 180, () => 0.4)],
    ['a map of another shape is ignored', DEPTH_URN, plane(240, 200, hill)],
  ])('%s', async (_, type, other) => {
    const found = await embeddedIn(await heicFile({ grey }, [{ type, grey: other }]));
    expect(found?.cut(WHOLE) ?? null).toBeNull();
  });
});

describe('Google depth in XMP', () => {
  test('its map is put together from many segments, in whatever order they come', async () => {
    const map = await encoder(greyPicture(plane(240, 180, (u, v) => 1 - hill(u, v))))
      .jpeg({ quality: 98 })
      .toBuffer();
    const file = gdepthPhoto(await photo(), map, {}, (parts) => [...parts].reverse());
    expect(off(await cutOf(file), hill)).toBeLessThan(0.05);
  });

  test('linear depth in metres becomes inverse depth; 16 bits are kept', async () => {
    // nearness = 1/z; z ranges from 1 to 6.
    const z = (u: number, v: number) => 1 / (1 / 6 + (5 / 6) * ((hill(u, v) - 0.1) / 0.8));
    const samples = Uint16Array.from(plane(240, 180, z).data, (metres) => Math.round(((metres - 1) / 5) * 65_535));
    const map = await sharp(samples, { raw: { width: 240, height: 180, channels: 1 } })
      .toColourspace('grey16')
      .png()
      .toBuffer();
    const file = gdepthPhoto(await photo(), map, { format: 'RangeLinear', near: 1, far: 6 });
    expect(off(await cutOf(file), hill)).toBeLessThan(0.01);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'EXIF orientation %i turns picture and depth alike [V17][V19]',
    async (orientation) => {
      const upright = greyPicture(plane(480, 360, hill));
      const stored = storedAs(upright, orientation);
      const map = storedAs(greyPicture(plane(240, 180, (u, v) => 1 - hill(u, v))), orientation);
      const jpeg = await encoder(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
      const file = gdepthPhoto(jpeg, await encoder(map).png().toBuffer());
      const crop = { x: 30, y: 20, width: 300, height: 300 };
      const depth = await cutOf(file, crop);
      expect(off(depth, (u, v) => hill((30 + 300 * u) / 480, (20 + 300 * v) / 360))).toBeLessThan(0.03);
    },
  );
});

describe('Dynamic Depth after the photo', () => {
  const video: DirectoryItem = { semantic: 'MotionPhoto', mime: 'video/mp4', bytes: Buffer.alloc(9000, 'video') };
  const depthItem = async (): Promise<DirectoryItem> => ({
    semantic: 'Depth',
    mime: 'image/png',
    bytes: await farMap(),
  });

  test.each([
    ['alone', async () => dynamicDepthPhoto(await photo(), [await depthItem()])],
    ['before a video', async () => dynamicDepthPhoto(await photo(), [await depthItem(), video])],
    ['after a video', async () => dynamicDepthPhoto(await photo(), [video, await depthItem()])],
    ['after padding', async () => dynamicDepthPhoto(await photo(), [await depthItem()], 77)],
    [
      'before bytes that no directory names',
      async () => Buffer.concat([dynamicDepthPhoto(await photo(), [await depthItem()], 5), Buffer.alloc(500, 'SEFT')]),
    ],
  ])('%s', async (_, make) => {
    expect(off(await cutOf(await make()), hill)).toBeLessThan(0.03);
  });

  test('a motion photo without depth has none', async () => {
    expect(await embeddedIn(dynamicDepthPhoto(await photo(), [video]))).toBeNull();
  });
});

describe('multi-picture files', () => {
  const scene = stereoScene(480, 360, 3, 24);
  const jpeg = (picture: Picture) => encoder(picture).jpeg({ quality: 95 }).toBuffer();
  const near = (u: number, v: number) => scene.disparity(u * 480, v * 360);

  test('two views of one scene are a pair, the first one the picture', async () => {
    const file = multiPicture([
      { jpeg: await jpeg(scene.left), type: 0x020002 },
      { jpeg: await jpeg(scene.right), type: 0x020002 },
    ]);
    expect((await readHeader(file)).stored).toEqual({ width: 480, height: 360 });
    expect(layersOff(await cutOf(file), near)).toBeLessThan(0.05);
  });

  test.each([
    ['a large thumbnail', 0x010002],
    ['a gain map or anything undefined', 0],
  ])('%s beside a photo is no second eye', async (_, type) => {
    const file = multiPicture([
      { jpeg: await jpeg(scene.left), type: 0x030000 },
      { jpeg: await jpeg(scene.right), type },
    ]);
    expect(await embeddedIn(file)).toBeNull();
  });

  test('a portrait saved as JPEG has its map there', async () => {
    const apple = 'xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" apdi:AuxiliaryImageType="disparity"';
    const file = multiPicture([
      { jpeg: await photo(), type: 0x030000 },
      { jpeg: withSegments(await greyJpeg(plane(240, 180, hill)), [xmpSegment(apple)]), type: 0 },
    ]);
    expect(off(await cutOf(file), hill)).toBeLessThan(0.05);
  });
});

/** Fraction of pixels assigned to the wrong one of two depths. */
function layersOff({ data, width, height }: Plane, near: (u: number, v: number) => number): number {
  const wanted = plane(width, height, near).data;
  const sorted = wanted.slice().sort();
  const middle = ((sorted[0] as number) + (sorted.at(-1) as number)) / 2;
  const wrong = data.filter((value, i) => value > 0.5 !== (wanted[i] as number) > middle);
  return wrong.length / data.length;
}

describe('both eyes in one picture', () => {
  const scene = stereoScene(400, 300, -6, 15);
  const eye = { x: 0, y: 0, width: 400, height: 300 };
  const near = (u: number, v: number) => scene.disparity(u * 400, v * 300);
  const together = (left: Picture, right: Picture) => encoder(beside(left, right)).jpeg({ quality: 95 }).toBuffer();

  test.each([
    ['left eye first', 4, async () => together(scene.left, scene.right)],
    ['right eye first, for crossed eyes', 0, async () => together(scene.right, scene.left)],
  ])('a stereo JPEG, %s: the left eye is the picture', async (_, flags, make) => {
    const file = stereoJpegFile(await make(), flags);
    expect((await readHeader(file)).stored).toEqual({ width: 400, height: 300 });
    expect(layersOff(await cutOf(file, eye), near)).toBeLessThan(0.05);
  });

  test('one of squeezed eyes has the width that they are shown at', async () => {
    const half = await encoder(beside(scene.left, scene.right))
      .resize(400, 300, { fit: 'fill' })
      .jpeg({ quality: 98 })
      .toBuffer();
    const file = stereoJpegFile(half, 2 | 4);
    expect((await readHeader(file)).stored).toEqual({ width: 400, height: 300 });
    expect(layersOff(await cutOf(file, eye), near)).toBeLessThan(0.07);
  });

  test('one over the other', async () => {
    const file = stereoJpegFile(
      await encoder({
        data: Buffer.concat([scene.left.data, scene.right.data]),
        width: 400,
        height: 600,
      })
        .jpeg({ quality: 95 })
        .toBuffer(),
      4,
      3,
    );
    expect((await readHeader(file)).stored).toEqual({ width: 400, height: 300 });
    expect(layersOff(await cutOf(file, eye), near)).toBeLessThan(0.05);
  });

  test('a pair that nothing marks is recognised by its halves, in any lossless or lossy kind', async () => {
    const pair = encoder(beside(scene.left, scene.right));
    for (const file of [
      await pair.clone().jpeg({ quality: 90 }).toBuffer(),
      await pair.clone().png().toBuffer(),
      await pair.clone().webp().toBuffer(),
    ]) {
      expect((await readHeader(file)).stored).toEqual({ width: 800, height: 300 });
      const found = await embeddedIn(file);
      expect(layersOff(found?.cut(eye) as DepthMap, near)).toBeLessThan(0.05);
      expect(found?.cut({ ...eye, x: 200 })).toBeNull();
    }
  });

  test.each([
    ['the same picture twice', beside(scene.left, scene.left)],
    ['a picture and its mirror image', beside(scene.left, storedAs(scene.left, 2))],
    ['two different pictures', beside(scene.left, drawScene(400, 300))],
    ['stripes', draw(800, 300, (x) => (x % 40 < 20 ? [200, 200, 200] : [20, 20, 20]))],
    ['a plain colour', draw(800, 300, () => [90, 120, 150])],
  ])('%s is no pair', async (_, picture) => {
    expect(await embeddedIn(await encoder(picture).png().toBuffer())).toBeNull();
  });

  const photos = sharedData('photos');
  test.skipIf(photos === null)('no ordinary photograph is taken for a pair, in whatever shape it is cut', async () => {
    const names = readdirSync(photos as string).filter((name) => /\.(jpg|png|webp)$/.test(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const small = await sharp(join(photos as string, name))
        .resize(1000, 1000, { fit: 'inside' })
        .png()
        .toBuffer();
      for (const aspect of [0.5, 0.67, 1, 1.33, 1.5, 2, 2.8]) {
        const cut = await sharp(small)
          .resize(Math.round(700 * Math.sqrt(aspect)), Math.round(700 / Math.sqrt(aspect)), { fit: 'cover' })
          .jpeg()
          .toBuffer();
        expect(await findPair(cut, await readHeader(cut), {}), `${name} at ${aspect}`).toBeNull();
      }
    }
  });
});

describe('whatever is damaged or lies is no depth, and no error', () => {
  const jpeg = photo();
  const { data } = drawScene(WHOLE.width, WHOLE.height);
  const spatial = spatialPhotoFile(data, data, WHOLE);
  const swapBytes = (file: Buffer, from: string, to: string) =>
    Buffer.from(file.toString('latin1').replace(from, to), 'latin1');

  test.each<[string, () => Promise<Buffer>]>([
    ['an extension with a gap', async () => gdepthPhoto(await jpeg, await farMap(), {}, (parts) => parts.slice(1))],
    [
      'an extension of four gigabytes',
      async () =>
        gdepthPhoto(await jpeg, await farMap(), {}, (parts) =>
          parts.map((part) => {
            part.writeUInt32BE(0xfffffff0, 4 + 35 + 32);
            return part;
          }),
        ),
    ],
    [
      'parts that lie beyond their whole',
      async () =>
        gdepthPhoto(await jpeg, await farMap(), {}, (parts) =>
          parts.map((part) => {
            part.writeUInt32BE(0xffffff, 4 + 35 + 32 + 4);
            return part;
          }),
        ),
    ],
    ['a map that is text', async () => gdepthPhoto(await jpeg, Buffer.from('no picture at all'))],
    ['a map that breaks off', async () => gdepthPhoto(await jpeg, (await farMap()).subarray(0, 900))],
    ['a flat map', async () => gdepthPhoto(await jpeg, await farMap(() => 0.5))],
    [
      'a map of a quarter of a gigapixel',
      async () => gdepthPhoto(await jpeg, withPngSize(await farMap(), 20_000, 15_000)),
    ],
    [
      'a map of another shape',
      async () =>
        gdepthPhoto(
          await jpeg,
          await encoder(greyPicture(plane(200, 200, hill)))
            .png()
            .toBuffer(),
        ),
    ],
    [
      'a directory whose map begins before the file',
      async () =>
        dynamicDepthPhoto(await jpeg, [
          { semantic: 'Depth', mime: 'image/png', bytes: await farMap(), length: 99_999_999 },
        ]),
    ],
    [
      'a directory with a negative length',
      async () =>
        swapBytes(
          dynamicDepthPhoto(await jpeg, [
            { semantic: 'Depth', mime: 'image/png', bytes: Buffer.alloc(100, 1), length: 100 },
          ]),
          'Item:Length="100"',
          'Item:Length="-10"',
        ),
    ],
    [
      'an index of pictures without pictures',
      async () => withSegments(await jpeg, [segment(0xe2, 'MPF\0II*\0\x08\0\0\0\xff\xff')]),
    ],
    [
      'an index that points out of the file',
      async () =>
        multiPicture([
          { jpeg: await jpeg, type: 0x020002 },
          { jpeg: await jpeg, type: 0x020002 },
        ]).subarray(0, (await jpeg).length + 200),
    ],
    [
      'an index with the same picture as both eyes',
      async () =>
        multiPicture([
          { jpeg: await jpeg, type: 0x020002 },
          { jpeg: await jpeg, type: 0x020002 },
        ]),
    ],
    ['a stereo group of a picture that does not exist', async () => withGroup(await spatial, 1, 9)],
    ['a stereo group of the same picture twice', async () => withGroup(await spatial, 1, 1)],
    ['a stereo descriptor that is cut short', async () => withSegments(await jpeg, [segment(0xe3, '_JPSJPS_')])],
    ['a stereo descriptor of an unknown layout', async () => stereoJpegFile(await jpeg, 4, 1)],
    ['thousands of tags', async () => withSegments(await jpeg, [xmpSegment('<a:Mime '.repeat(8000))])],
    ['a word without end', async () => withSegments(await jpeg, [xmpSegment(`a:Mime="" ${'a'.repeat(60_000)}`)])],
    [
      'a prefix without end',
      async () =>
        withSegments(await jpeg, [
          xmpSegment(
            Array.from({ length: 900 }, (_, i) => `xmlns:a${i}="http://ns.google.com/photos/1.0/depthmap/"`).join(' '),
          ),
        ]),
    ],
  ])('%s', async (_, make) => {
    const file = await make();
    expect((await embeddedIn(file))?.cut(WHOLE) ?? null).toBeNull();
    expect((await readHeader(file)).stored).toEqual({ width: 480, height: 360 });
  });

  test('a second eye or a map that a browser shows is used, and what it lacks is told [W1]', async () => {
    const scene = stereoScene(480, 360, 4, 24);
    const [left, right] = (await Promise.all(
      [scene.left, scene.right].map((picture) => encoder(picture).jpeg({ quality: 90 }).toBuffer()),
    )) as [Buffer, Buffer];
    const pair = (second: Buffer) =>
      multiPicture([
        { jpeg: left, type: 0x020002 },
        { jpeg: second, type: 0x020002 },
      ]);
    // The spectral end of the scan is written as 0.
    const se0 = Buffer.from(right);
    const scan = se0.lastIndexOf(Buffer.from([0xff, 0xda]));
    se0[scan + 2 + se0.readUInt16BE(scan + 2) - 2] = 0;
    const map = await farMap();
    const cases: [Buffer, boolean][] = [
      [pair(se0), false],
      [pair(right.subarray(0, -2)), false],
      [pair(right.subarray(0, Math.round(right.length * 0.9))), true],
      [gdepthPhoto(await jpeg, map.subarray(0, -12)), false],
      [gdepthPhoto(await jpeg, map.subarray(0, Math.round(map.length * 0.8))), true],
    ];
    for (const [file, incomplete] of cases) {
      const found = await embeddedIn(file);
      expect(found?.incomplete).toBe(incomplete);
      expect(found?.cut(WHOLE)).not.toBeNull();
    }
  });

  test('bytes changed at random never end in an error', async () => {
    const scene = stereoScene(160, 120, 2, 9);
    const eye = (picture: Picture) => encoder(picture).jpeg().toBuffer();
    const map = await encoder(greyPicture(plane(40, 30, (u, v) => 1 - hill(u, v))))
      .png()
      .toBuffer();
    const small = await photo({ width: 160, height: 120 });
    const files = [
      gdepthPhoto(small, map),
      dynamicDepthPhoto(small, [{ semantic: 'Depth', mime: 'image/png', bytes: map }]),
      multiPicture([
        { jpeg: await eye(scene.left), type: 0x020002 },
        { jpeg: await eye(scene.right), type: 0x020002 },
      ]),
      stereoJpegFile(await eye(beside(scene.left, scene.right)), 4),
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (const file of files) {
      const header = await readHeader(file);
      for (let round = 0; round < 12; round++) {
        const changed = Buffer.from(file);
        // Mostly in the metadata.
        for (let i = 0; i < 3; i++) changed[random(round % 5 === 0 ? file.length : 1500)] = random(256);
        const found = await findEmbeddedDepth(changed, header);
        const depth = found?.cut({ x: 0, y: 0, ...uprightSize(header.stored, header.orientation) });
        expect(depth?.data.every((value) => value >= 0 && value <= 1) ?? true).toBe(true);
      }
    }
  });
});

/** Returns the spatial photo with other items in its stereo group. */
function withGroup(photo: Buffer, left: number, right: number): Buffer {
  const out = Buffer.from(photo);
  const items = out.indexOf('ster') + 16;
  out.writeUInt32BE(left, items);
  out.writeUInt32BE(right, items + 4);
  return out;
}

/** Returns the PNG with another size in its header. */
function withPngSize(png: Buffer, width: number, height: number): Buffer {
  const out = Buffer.from(png);
  out.writeUInt32BE(width, 16);
  out.writeUInt32BE(height, 20);
  return out;
}

test('a photo of a camera costs only a look at its headers', async () => {
  const path = sharedData('photos/japanese_shop.jpg');
  if (path === null) return;
  const bytes = readFileSync(path);
  expect(await embeddedIn(bytes)).toBeNull();
});
