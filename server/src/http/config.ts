import { api } from '@framelift/contract';
import type { Mount } from './endpoint.ts';

export function mountConfig(mount: Mount): void {
  mount(api.config, async ({ context }) => ({
    version: context.settings.version,
    sandbox: context.settings.sandbox,
    // Neither maintenance windows nor announcements can be set yet, so there are none.
    isMaintenance: false,
    Announcement: false,
    features: context.settings.features,
    storageOrigins: [...context.storage.origins],
  }));
}
