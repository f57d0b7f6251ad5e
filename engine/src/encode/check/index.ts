import { readFile } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import type { Layout } from '../../formats/index.ts';
import { type DepthSamples, type LensTable, overscan } from '../../geometry/index.ts';
import type { Picture, Rect, Size } from '../../types.ts';
import { checkAnimation } from './animation.ts';
import { checkDepth } from './depth.ts';
import { brightness, type Scene, type ViewArea } from './direction.ts';
import { flatViews } from './half-spheres.ts';
import { checkNative } from './native.ts';
import { type Channel, type Metadata, readChannel, readDepth16, readMetadata, reducedGreen } from './open.ts';
import { checkSpatialPhoto } from './spatial-photo.ts';
import { readMultiPicture, verifyStereoDescriptor } from './stereo-files.ts';
import { fail, verifySize } from './verify.ts';
import { checkWiggleVideo } from './video.ts';
import { checkAnaglyph, checkPair, checkViews, PLAIN, readViews, shrinkFor, verifyNoneBlank } from './views.ts';

export type { Scene } from './direction.ts';

/** Expected content of a written file. */
export type Expected =
  | { readonly kind: 'views'; readonly layout: Layout; readonly scene: Scene }
  | {
      readonly kind: 'view';
      readonly size: Size;
      readonly position: -1 | 1;
      readonly scene: Scene;
      readonly of: Picture;
    }
  | {
      readonly kind: 'native';
      readonly table: LensTable;
      readonly area: Rect;
      readonly flipX: boolean;
      readonly flipY: boolean;
      readonly scene: Scene;
      readonly of: Picture;
    }
  | { readonly kind: 'multi-picture'; readonly size: Size; readonly scene: Scene }
  | { readonly kind: 'spatial-photo'; readonly size: Size; readonly scene: Scene }
  /** `layout` is that of the flat eyes. */
  | { readonly kind: 'half-spheres'; readonly size: Size; readonly layout: Layout; readonly scene: Scene }
  | { readonly kind: 'stereo-jpeg'; readonly layout: Layout; readonly scene: Scene; readonly leftFirst: boolean }
  | {
      readonly kind: 'wiggle-video';
      readonly layout: Layout;
      readonly scene: Scene;
      readonly frameMs: number;
      readonly periods: number;
    }
  | {
      readonly kind: 'wiggle';
      readonly type: 'webp' | 'gif';
      readonly layout: Layout;
      readonly scene: Scene;
      readonly frameMs: number;
      readonly of: Picture;
    }
  /** `redEye` is the camera position behind the red filter. */
  | { readonly kind: 'anaglyph'; readonly size: Size; readonly scene: Scene; readonly redEye: -1 | 1 }
  | { readonly kind: 'rgbd'; readonly size: Size; readonly depth: DepthSamples }
  | { readonly kind: 'depth'; readonly size: Size; readonly depth: DepthSamples }
  | { readonly kind: 'flat'; readonly size: Size; readonly picture: Picture };

/** A flat picture with less than this share of its crop's contrast is blank; black bars reduce the contrast. */
const BLANK = 0.1;

/**
 * Opens a written file as a device would and verifies its content: type, size, number and order of the views, no blank
 * view, frames and timing of an animation, the depth of a depth file.
 * @throws {EngineError} `conversionFailed` with the mismatch
 */
export async function checkFile(path: string, expected: Expected): Promise<void> {
  try {
    // Read into memory: libvips caches files by name.
    const bytes = await readFile(path);
    if (expected.kind === 'wiggle-video') await checkWiggleVideo(bytes, expected.layout, expected.scene, expected);
    else if (expected.kind === 'spatial-photo') await checkSpatialPhoto(bytes, expected.size, expected.scene);
    else await checkPicture(bytes, await readMetadata(bytes), expected);
  } catch (cause) {
    // Damage that a decoder reports is a fault of ours: the file is no upload.
    if (cause instanceof EngineError && cause.code === 'conversionFailed') throw cause;
    throw new EngineError('conversionFailed', `the written file cannot be read: ${cause}`, { cause });
  }
}

async function checkPicture(
  bytes: Buffer,
  metadata: Metadata,
  expected: Exclude<Expected, { kind: 'wiggle-video' | 'spatial-photo' }>,
): Promise<void> {
  switch (expected.kind) {
    case 'views': {
      const { layout, scene } = expected;
      verifySize(metadata, 'jpeg', layout);
      return checkViews(await readViews(bytes, layout, shrinkFor(layout.view, scene.parallax.sweep)), scene);
    }
    case 'half-spheres': {
      const { size, layout, scene } = expected;
      verifySize(metadata, 'jpeg', size);
      const shrink = shrinkFor(layout.view, scene.parallax.sweep);
      return checkViews(flatViews(await readChannel(bytes, size, shrink), layout, shrink), scene);
    }
    case 'stereo-jpeg': {
      const { layout, scene, leftFirst } = expected;
      verifySize(metadata, 'jpeg', layout);
      verifyStereoDescriptor(bytes, leftFirst);
      return checkViews(await readViews(bytes, layout, shrinkFor(layout.view, scene.parallax.sweep)), scene);
    }
    case 'multi-picture': {
      const { size, scene } = expected;
      const eyes = [];
      for (const [i, picture] of readMultiPicture(bytes).entries()) {
        verifySize(await readMetadata(picture), 'jpeg', size);
        const channel = await readChannel(picture, size, shrinkFor(size, scene.parallax.sweep));
        eyes.push({ position: i === 0 ? -1 : 1, ...wholeOf(channel) });
      }
      return checkViews(eyes, scene);
    }
    case 'view': {
      const { size, position, scene, of } = expected;
      verifySize(metadata, 'jpeg', size);
      const channel = await readChannel(bytes, size, shrinkFor(size, scene.parallax.sweep));
      const view = { position, ...wholeOf(channel) };
      const middle = await middleView(of, channel, scene);
      verifyNoneBlank([view, middle]);
      return checkPair(position < 0 ? [view, middle] : [middle, view], scene);
    }
    case 'native': {
      const { table, scene, of } = expected;
      verifySize(metadata, 'png', table);
      if (metadata.channels !== 3 || metadata.depth !== 'uchar') fail('it is not 8-bit RGB');
      return checkNative(await readChannel(bytes, table), expected, (size) => middleView(of, size, scene), scene);
    }
    case 'wiggle':
      return checkAnimation(bytes, metadata, expected, (size) => middleView(expected.of, size, expected.scene));
    case 'anaglyph': {
      const { size, scene, redEye } = expected;
      verifySize(metadata, 'jpeg', size);
      const shrink = shrinkFor(size, scene.parallax.sweep);
      const [red, green] = [await readChannel(bytes, size, shrink, 0), await readChannel(bytes, size, shrink, 1)];
      return checkAnaglyph(red, green, redEye, scene);
    }
    case 'rgbd': {
      const { size, depth } = expected;
      verifySize(metadata, 'png', size);
      const { data: values, width: stride, height } = await readChannel(bytes, size);
      return checkDepth({ values, stride, x: stride / 2, width: stride / 2, height }, depth);
    }
    case 'depth': {
      const { size, depth } = expected;
      verifySize(metadata, 'png', size);
      if (metadata.depth !== 'ushort' || metadata.channels !== 1) fail('the depth is not 16-bit grey');
      return checkDepth({ values: await readDepth16(bytes), stride: size.width, x: 0, ...size }, depth);
    }
    case 'flat':
      verifySize(metadata, 'jpeg', expected.size);
      return checkFlat(await readChannel(bytes, expected.size, shrinkFor(expected.size, 1)), expected.picture);
  }
}

function wholeOf(channel: Channel) {
  return { channel, x: 0, y: 0, width: channel.width, height: channel.height };
}

/** Returns the picture itself as the view of the middle camera, in the size of what it is compared with. */
async function middleView(of: Picture, size: Size, { parallax }: Scene): Promise<ViewArea> {
  const channel = await reducedGreen(of, size);
  const inset = overscan(parallax) * channel.width;
  return { position: 0, channel, x: inset, y: 0, width: channel.width - 2 * inset, height: channel.height };
}

async function checkFlat(channel: Channel, picture: Picture): Promise<void> {
  const contrast = brightness(wholeOf(await reducedGreen(picture, channel))).spread;
  if (contrast >= PLAIN && brightness(wholeOf(channel)).spread < BLANK * contrast) fail('the picture is blank');
}
