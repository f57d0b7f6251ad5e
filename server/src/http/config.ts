import { api } from '@framelift/contract';
import { getAnnouncement, getMaintenance, setAnnouncement, setMaintenance } from '../domain/site/site.ts';
import type { Mount } from './endpoint.ts';

export function mountConfig(mount: Mount): void {
  mount(api.config, async ({ context }) => {
    const { on: isMaintenance, ...window } = await getMaintenance(context);
    const announcement = await getAnnouncement(context);
    return {
      version: context.settings.version,
      sandbox: context.settings.sandbox,
      isMaintenance,
      maintenance: window,
      Announcement: announcement !== null,
      announcement,
      captcha: context.settings.captcha ? ('altcha' as const) : ('off' as const),
      features: context.settings.features,
      storageOrigins: [...context.storage.origins],
    };
  });
  mount(api.setMaintenance, ({ context, actor, input }) => setMaintenance(context, actor, input));
  mount(api.setAnnouncement, ({ context, actor, input }) => setAnnouncement(context, actor, input));
}
