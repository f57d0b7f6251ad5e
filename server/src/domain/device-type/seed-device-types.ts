import { MEDIA_TYPE } from '@framelift/contract';
import { DEVICES } from '@framelift/engine/formats';
import type { Clock } from '../../context.ts';
import type { Db } from '../../platform/db/open.ts';
import { seedOnce } from '../../platform/db/seed.ts';
import { insertDeviceType, insertEffects, insertZeroEffect } from './device-type.sql.ts';
import { formatExtendResolution, formatRatio } from './wire-format.ts';

/** Strengths of a new device type, in percent. */
export const USUAL_PERCENTS = [20, 40, 60, 80, 100] as const;

/** Inserts the engine's device types and their strengths once each, including those added by a later version. */
export async function seedDevices(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  await seedOnce(db, 'effect:0', now, insertZeroEffect);
  for (const [index, device] of DEVICES.entries()) {
    await seedOnce(db, `device:${device.slug}`, now, async (tx) => {
      const id = await insertDeviceType(tx, {
        slug: device.slug,
        name: device.name,
        ratio: formatRatio(device.ratio),
        extendResolution: formatExtendResolution(device.resolution),
        format: device.format,
        quilt: device.quilt ?? null,
        disparityBudget: device.disparityBudget,
        position: index + 1,
      });
      // An operator's own device type with this name is kept.
      if (id === null) return;
      await insertEffects(
        tx,
        Object.values(MEDIA_TYPE).flatMap((mediaType) =>
          USUAL_PERCENTS.map((percent) => ({ percent, deviceTypeId: id, mediaType })),
        ),
      );
    });
  }
}
