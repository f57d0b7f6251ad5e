import type { api, OutputOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { countActiveConversions } from '../media/convert/conversion.sql.ts';

/** Returns the status of this machine's engine and the queue length of all processes. */
export async function getEngineStatus({
  db,
  converter,
  settings,
}: Context): Promise<OutputOf<typeof api.engineStatus>> {
  const { depth, warnings, versions } = await converter.status();
  return {
    version: settings.version,
    depth: { ...depth },
    warnings: [...warnings],
    versions: { ...versions },
    queue: await countActiveConversions(db),
  };
}
