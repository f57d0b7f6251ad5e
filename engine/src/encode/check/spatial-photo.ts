import { openHeif } from '../../decode/libheif.ts';
import type { Size } from '../../types.ts';
import { boxesIn } from '../iso-boxes.ts';
import type { Scene } from './direction.ts';
import { fail } from './verify.ts';
import { checkViews } from './views.ts';

/** Bytes of a full box before its content: version and flags. */
const FLAGS = 4;

/**
 * Decodes both eyes of a spatial photo, found by its stereo group, and verifies their order.
 * @throws {EngineError} `conversionFailed`
 */
export function checkSpatialPhoto(bytes: Buffer, size: Size, scene: Scene): void {
  const meta = boxesIn(bytes).find(({ type }) => type === 'meta') ?? fail('it has no pictures');
  const parts = boxesIn(bytes, meta.from + FLAGS, meta.to);
  const primary = parts.find(({ type }) => type === 'pitm') ?? fail('it has no primary picture');
  const groups = parts.find(({ type }) => type === 'grpl') ?? fail('it has no groups');
  const pair = boxesIn(bytes, groups.from, groups.to).find(({ type }) => type === 'ster') ?? fail('it has no pair');
  const eyes = [bytes.readUInt32BE(pair.from + FLAGS + 8), bytes.readUInt32BE(pair.from + FLAGS + 12)];
  if (bytes.readUInt16BE(primary.from + FLAGS) !== eyes[0]) fail('its primary picture is not the left eye');
  checkViews(
    eyes.map((item, i) => {
      const heif = openHeif(bytes, item);
      if (heif.size.width !== size.width || heif.size.height !== size.height)
        fail(`an eye has ${heif.size.width} x ${heif.size.height} pixels, not ${size.width} x ${size.height}`);
      const { samples, incomplete } = heif.decode({ x: 0, y: 0, ...size });
      if (incomplete) fail('an eye is damaged');
      const data = new Uint8Array(size.width * size.height);
      for (let at = 0; at < data.length; at++) data[at] = samples.data[3 * at + 1] as number;
      return { position: i === 0 ? -1 : 1, channel: { data, ...size }, x: 0, y: 0, ...size };
    }),
    scene,
  );
}
