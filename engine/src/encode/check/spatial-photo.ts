import { openHeif } from '../../decode/libheif.ts';
import type { Size } from '../../types.ts';
import { boxesIn } from '../iso-boxes.ts';
import type { Scene } from './direction.ts';
import { reducedBy, reducedGreen } from './open.ts';
import { fail } from './verify.ts';
import { checkViews, shrinkFor } from './views.ts';

/** Bytes of a full box before its content: version and flags. */
const FLAGS = 4;

/**
 * Decodes both eyes of a spatial photo, found by its stereo group, and verifies their order.
 * @throws {EngineError} `conversionFailed`
 */
export async function checkSpatialPhoto(bytes: Buffer, size: Size, scene: Scene): Promise<void> {
  const meta = boxesIn(bytes).find(({ type }) => type === 'meta') ?? fail('it has no pictures');
  const parts = boxesIn(bytes, meta.from + FLAGS, meta.to);
  const primary = parts.find(({ type }) => type === 'pitm') ?? fail('it has no primary picture');
  const groups = parts.find(({ type }) => type === 'grpl') ?? fail('it has no groups');
  const pair = boxesIn(bytes, groups.from, groups.to).find(({ type }) => type === 'ster') ?? fail('it has no pair');
  const eyes = [bytes.readUInt32BE(pair.from + FLAGS + 8), bytes.readUInt32BE(pair.from + FLAGS + 12)];
  if (bytes.readUInt16BE(primary.from + FLAGS) !== eyes[0]) fail('its primary picture is not the left eye');
  const views = eyes.map(async (item, i) => {
    const heif = openHeif(bytes, item);
    if (heif.size.width !== size.width || heif.size.height !== size.height)
      fail(`an eye has ${heif.size.width} x ${heif.size.height} pixels, not ${size.width} x ${size.height}`);
    const { samples, incomplete } = heif.decode({ x: 0, y: 0, ...size });
    if (incomplete) fail('an eye is damaged');
    const channel = await reducedGreen(
      { ...size, data: samples.data as Uint8Array },
      reducedBy(size, shrinkFor(size, scene.parallax.sweep)),
    );
    return { position: i === 0 ? -1 : 1, channel, x: 0, y: 0, width: channel.width, height: channel.height };
  });
  checkViews(await Promise.all(views), scene);
}
