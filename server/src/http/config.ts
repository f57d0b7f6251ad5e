import { api } from '@framelift/contract';
import { getFeatures } from '../domain/site/features.ts';
import { getAnnouncement, getMaintenance } from '../domain/site/site.ts';
import type { Mount } from './endpoint.ts';

export function mountConfig(mount: Mount): void {
  mount(api.config, async ({ context }) => {
    const { on: isMaintenance, ...window } = await getMaintenance(context);
    const announcement = await getAnnouncement(context);
    return {
      version: context.settings.version,
      environment: context.settings.environment,
      sandbox: context.settings.sandbox,
      isMaintenance,
      maintenance: window,
      Announcement: announcement !== null,
      announcement,
      captcha: context.settings.captcha ? ('altcha' as const) : ('off' as const),
      features: await getFeatures(context),
      playerUrl: context.settings.playerUrl,
      aboutUrl: context.settings.aboutUrl,
      storageOrigins: [...context.storage.origins],
    };
  });
}
