import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import type { Layout } from '../formats/index.ts';
import type { DepthSamples } from '../geometry/index.ts';
import type { Picture, Size } from '../types.ts';
import { checkAnimation } from './animation.ts';
import { checkDepth } from './depth.ts';
import { brightness, type Scene } from './direction.ts';
import { type Channel, type Metadata, readChannel, readDepth16, readMetadata } from './open.ts';
import { fail, verifySize } from './verify.ts';
import { checkAnaglyph, checkViews, PLAIN, readViews, shrinkFor } from './views.ts';

export type { Scene } from './direction.ts';

/** What a written file must turn out to be when it is opened again. */
export type Expected =
  | { readonly kind: 'views'; readonly layout: Layout; readonly scene: Scene }
  | { readonly kind: 'wiggle'; readonly layout: Layout; readonly scene: Scene; readonly frameMs: number }
  | { readonly kind: 'anaglyph'; readonly size: Size; readonly scene: Scene }
  | { readonly kind: 'rgbd'; readonly size: Size; readonly depth: DepthSamples }
  | { readonly kind: 'depth'; readonly size: Size; readonly depth: DepthSamples }
  | { readonly kind: 'flat'; readonly size: Size; readonly picture: Picture };

/** A plain picture with less than this share of its crop's contrast is blank; black bars take some of it away. */
const BLANK = 0.1;

/**
 * Opens a written file as a device would and verifies what it holds: type, size, number and order of the views, that no
 * view is blank, frames and times of an animation, the depth of a depth file.
 * @throws {EngineError} `conversionFailed` with what is wrong
 */
export async function checkFile(path: string, expected: Expected): Promise<void> {
  try {
    // By its bytes: libvips remembers files by their names.
    const bytes = await readFile(path);
    await checkContent(bytes, await readMetadata(bytes), expected);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('conversionFailed', `the written file cannot be read: ${cause}`, { cause });
  }
}

async function checkContent(bytes: Buffer, metadata: Metadata, expected: Expected): Promise<void> {
  switch (expected.kind) {
    case 'views': {
      const { layout, scene } = expected;
      verifySize(metadata, 'jpeg', layout);
      return checkViews(await readViews(bytes, layout, shrinkFor(layout.view, scene.parallax.sweep)), scene);
    }
    case 'wiggle':
      return checkAnimation(bytes, metadata, expected.layout, expected.scene, expected.frameMs);
    case 'anaglyph': {
      const { size, scene } = expected;
      verifySize(metadata, 'jpeg', size);
      const shrink = shrinkFor(size, scene.parallax.sweep);
      return checkAnaglyph(await readChannel(bytes, size, shrink, 0), await readChannel(bytes, size, shrink, 1), scene);
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

async function checkFlat(channel: Channel, { data, width, height }: Picture): Promise<void> {
  const { channels } = await sharp(data, { raw: { width, height, channels: 3 } }).stats();
  const contrast = channels[1]?.stdev ?? 0;
  const { spread } = brightness({ channel, x: 0, y: 0, width: channel.width, height: channel.height });
  if (contrast >= PLAIN && spread < BLANK * contrast) fail('the picture is blank');
}
