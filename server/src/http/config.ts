import { api } from '@framelift/contract';
import type { Mount } from './endpoint.ts';

export function mountConfig(mount: Mount): void {
  mount(api.config, async ({ context }) => ({
    version: context.settings.version,
    sandbox: context.settings.sandbox,
    isMaintenance: false,
    Announcement: context.settings.features.announcement === 'on',
    features: context.settings.features,
    storageOrigins: [...context.storage.origins],
  }));
}
